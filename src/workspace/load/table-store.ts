import type { LoadColumn } from '../../engine/run/load/columns.ts';
import { printExisting, printWrites, type TableToWrite } from '../../engine/run/load/write-table.ts';
import { quoteName } from '../../engine/text/sql-quote.ts';
import type { LoadedTable } from '../api/workspace-api.ts';
import type { RunQuery } from './table-to-load.ts';

/** A column of an existing table; the type is undefined where the database checks numbers of any size. */
export interface ExistingColumn extends Omit<LoadColumn, 'type'> {
  readonly type: string | undefined;
}

/** A table or view that exists. */
export interface ExistingTable {
  readonly isTable: boolean;
  readonly columns: readonly ExistingColumn[];
}

/** A database that tables are loaded into. */
export interface TableStore {
  /** How the database names a type. */
  nameType(type: string): string;
  /** The SQL that changes the type of a column; null without one that keeps all else. */
  printChangeType(table: string, column: string, type: string): string | null;
  /** Resolves with null without a table or view. Rejects with a FailedRun. */
  findTable(table: string): Promise<ExistingTable | null>;
  /** Writes all tables or none, and resolves with the columns of each. Rejects with a FailedRun. */
  write(tables: readonly TableToWrite[]): Promise<readonly LoadedTable['columns'][]>;
}

/** The DuckDB database in which the files are read. */
export function createDuckDbStore(query: RunQuery): TableStore {
  return {
    nameType: (type) => type,
    printChangeType: (table, column, type) => `ALTER TABLE ${table} ALTER ${quoteName(column)} TYPE ${type}`,
    async findTable(table) {
      const rows = await query<readonly [boolean, string, string]>(printExisting(table));
      if (rows.length === 0) return null;
      const columns = rows.map(([, name, type]) => ({ name, type }));
      return { isTable: rows.every(([isTable]) => isTable), columns };
    },
    async write(tables) {
      const rows = await query<readonly [number, string, string, number]>(printWrites(tables));
      return tables.map((_, at) =>
        rows.filter(([table]) => table === at).map(([, name, type]) => ({ name, type })),
      );
    },
  };
}
