import { createSource } from '../source/batch-source.ts';
import type { CopiedColumns, ResultSource } from '../source/result-source.ts';
import { chooseRows, listColumns, type RowChoice } from './choose-rows.ts';
import type { Pace } from './pace.ts';
import { type ColumnSketch, sketchColumn } from './sketch-column.ts';
import { type ColumnSummary, summarizeColumn } from './summarize-column.ts';

/** A computation over the rows of a source: `order` has the rows, null for all. */
export type Task =
  | { readonly kind: 'choose'; readonly choice: RowChoice }
  | { readonly kind: 'summarize'; readonly column: number; readonly order: Uint32Array | null }
  | { readonly kind: 'sketch'; readonly columns: readonly number[]; readonly order: Uint32Array | null };

/** The result of each kind of task. */
export interface TaskResults {
  readonly choose: Uint32Array;
  readonly summarize: ColumnSummary;
  readonly sketch: readonly ColumnSketch[];
}

/** A task with the columns that it needs. */
export interface WorkerTask {
  readonly task: Task;
  readonly columns: CopiedColumns;
  /** The name of a lock that the worker holds as long as it lives; null where the browser has no locks. */
  readonly lock: string | null;
}

/** The messages of a worker: it has started, then its result, or the message of its error. */
export type WorkerAnswer =
  | 'started'
  | { readonly result: TaskResults[Task['kind']] }
  | { readonly problem: string };

/** Does a task with copied columns. */
export function runTask(
  { task, columns }: Pick<WorkerTask, 'task' | 'columns'>,
  pace: Pace,
): Promise<TaskResults[Task['kind']]> {
  return runWith(createSource(columns.columns, columns.batches, columns.rowCount, true), task, pace);
}

/** Does a task with a source, at the given pace. */
export function runWith(source: ResultSource, task: Task, pace: Pace): Promise<TaskResults[Task['kind']]> {
  if (task.kind === 'choose') return chooseRows(source, task.choice, pace);
  const rows = task.order ?? Uint32Array.from({ length: source.rowCount }, (_, row) => row);
  if (task.kind === 'summarize') return summarizeColumn(source, rows, task.column, pace);
  return sketchColumns(source, rows, task.columns, pace);
}

async function sketchColumns(
  source: ResultSource,
  rows: Uint32Array,
  columns: readonly number[],
  pace: Pace,
): Promise<readonly ColumnSketch[]> {
  const sketches: ColumnSketch[] = [];
  for (const column of columns) sketches.push(await sketchColumn(source, rows, column, pace));
  return sketches;
}

/** The columns that a task reads. */
export function listTaskColumns(task: Task): readonly number[] {
  switch (task.kind) {
    case 'choose':
      return listColumns(task.choice);
    case 'summarize':
      return [task.column];
    case 'sketch':
      return task.columns;
  }
}
