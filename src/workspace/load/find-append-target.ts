import type { LoadColumn } from '../../engine/run/load/columns.ts';
import { printExisting } from '../../engine/run/load/write-table.ts';
import { elementAt } from '../../invariants/must.ts';
import { loadErrors } from './errors.ts';
import { refuseData } from './failed-run.ts';
import { findNamedColumn } from './shape.ts';
import type { RunQuery, TableToLoad } from './table-to-load.ts';

const APPEND_ADVICE = '--union-by-name adds columns to the table, and leaves missing ones NULL';

/** How the columns of files fit the table that they are appended to. */
export interface AppendTarget {
  /** The columns of the table that the files have. */
  readonly columns: readonly LoadColumn[];
  /** Names of columns that only the files have. */
  readonly added: readonly string[];
}

/**
 * Finds the columns of an existing table for those of files. Rejects with a ServiceError for a table that does not exist,
 * for a view, and for other columns without `unionByName`.
 */
export async function findAppendTarget(
  { table, files, settings }: TableToLoad,
  names: readonly string[],
  query: RunQuery,
): Promise<AppendTarget> {
  const rows = await query<readonly [boolean, string, string]>(printExisting(table));
  if (rows.length === 0) throw loadErrors.noTable(table);
  if (rows.some(([isTable]) => !isTable)) throw loadErrors.notTable(table);
  const columns = rows.map(([, name, type]) => ({ name, type }));
  const found = names.map((name) => ({ name }));
  const missing = columns.filter(({ name }) => findNamedColumn(found, name) === undefined);
  const extra = found.filter(({ name }) => findNamedColumn(columns, name) === undefined);
  if (missing.length + extra.length > 0 && !settings.unionByName) {
    throw loadErrors.otherColumns(
      elementAt(files, 0).name,
      table,
      { missing, extra, others: [] },
      APPEND_ADVICE,
    );
  }
  return {
    columns: columns.filter((column) => !missing.includes(column)),
    added: extra.map(({ name }) => name),
  };
}

/** Rejects with a FailedRun for a table that already exists. */
export async function refuseTaken({ table, isEach }: TableToLoad, query: RunQuery): Promise<void> {
  const rows = await query(printExisting(table));
  if (rows.length === 0) return;
  const replace = '--replace replaces it';
  throw refuseData(
    `there is already a table ${table}`,
    isEach ? replace : `${replace}; --append adds rows to it; --table sets another name`,
  );
}
