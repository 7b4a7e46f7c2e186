import type { ResultSource } from '../source/result-source.ts';
import { type ColumnFilter, createRowTest } from './filters.ts';
import { forEachIndex, type Pace } from './pace.ts';
import { type RowOrder, sortRows } from './sort-rows.ts';

/** Which rows to show, and in which order. */
export interface RowChoice {
  readonly filters: readonly ColumnFilter[];
  readonly sorting: RowOrder | null;
}

/** Whether a choice is all rows in their own order. */
export function isEverything({ filters, sorting }: RowChoice): boolean {
  return filters.length === 0 && sorting === null;
}

/** The columns that a choice compares. */
export function listColumns({ filters, sorting }: RowChoice): readonly number[] {
  return [...filters.map(({ column }) => column), ...(sorting === null ? [] : [sorting.column])];
}

/** The rows of a source that meet all filters, in the chosen order. Filters without a valid operand are ignored. */
export async function chooseRows(
  source: ResultSource,
  { filters, sorting }: RowChoice,
  pace: Pace,
): Promise<Uint32Array> {
  const tests = filters.flatMap((filter) => createRowTest(source, filter) ?? []);
  const rows = new Uint32Array(source.rowCount);
  let count = 0;
  await forEachIndex(source.rowCount, pace, (row) => {
    if (!tests.every((test) => test(row))) return;
    rows[count] = row;
    count += 1;
  });
  const chosen = rows.slice(0, count);
  return sorting === null ? chosen : sortRows(source, chosen, sorting, pace);
}
