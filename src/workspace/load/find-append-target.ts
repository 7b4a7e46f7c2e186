import { elementAt } from '../../invariants/must.ts';
import { loadErrors } from './errors.ts';
import { refuseData } from './failed-run.ts';
import { findNamedColumn } from './shape.ts';
import type { ExistingColumn, TableStore } from './table-store.ts';
import type { TableToLoad } from './table-to-load.ts';

const APPEND_ADVICE = '--union-by-name adds columns to the table, and leaves missing ones NULL';

/** How the columns of files fit the table that they are appended to. */
export interface AppendTarget {
  /** The columns of the table that the files have. */
  readonly columns: readonly ExistingColumn[];
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
  store: TableStore,
): Promise<AppendTarget> {
  const existing = await store.findTable(table);
  if (existing === null) throw loadErrors.noTable(table);
  if (!existing.isTable) throw loadErrors.notTable(table);
  const { columns } = existing;
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
export async function refuseTaken({ table, isEach }: TableToLoad, store: TableStore): Promise<void> {
  if ((await store.findTable(table)) === null) return;
  const replace = '--replace replaces it';
  throw refuseData(
    `there is already a table ${table}`,
    isEach ? replace : `${replace}; --append adds rows to it; --table sets another name`,
  );
}
