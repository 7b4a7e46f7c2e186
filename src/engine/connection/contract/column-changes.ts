/** What happens when the columns of new rows differ from those of their table (docs/reference/publishing.md#other-columns). */
export type SchemaChange = 'fail' | 'append' | 'sync' | 'ignore';

/** A column with its type, as the database prints it. */
export interface TypedColumn {
  readonly name: string;
  readonly type: string;
  /** Whether the database itself gives the column a value; new rows may lack it. */
  readonly isFilled?: boolean;
  /** The collation of a text, where the statement that adds a column needs it. */
  readonly collation?: string | null;
}

/** A column of a table that gets the wider type of the new rows. */
export interface WidenedColumn extends TypedColumn {
  /** The type that the table has today. */
  readonly from: string;
}

/** The columns of a table that change; the names are those of the table. */
export interface TableChanges {
  readonly added: readonly TypedColumn[];
  readonly widened: readonly WidenedColumn[];
  readonly dropped: readonly TypedColumn[];
}

/**
 * The differences between new rows and their table, and what happens with each: nothing has been changed yet. `refused` are
 * the reasons why the rows cannot be stored.
 */
export interface ColumnChanges extends TableChanges {
  /** The columns of the new rows that are stored, in their order. */
  readonly written: readonly { readonly query: string; readonly table: string }[];
  /** Columns of the table that the query lacks; they are NULL in each row that is written. */
  readonly nulled: readonly TypedColumn[];
  /** Columns of the table that the query lacks; they stay as they are. */
  readonly untouched: readonly TypedColumn[];
  /** Columns of the new rows that are not stored. */
  readonly ignored: readonly TypedColumn[];
  readonly refused: readonly string[];
  /** Whether another `:on_schema_change` could accept the rows. */
  readonly isPolicy: boolean;
}

/** The columns of the table that a written row has, with or without a value. */
export function listMerged({ written, nulled }: ColumnChanges): readonly string[] {
  return [...written.map(({ table }) => table), ...nulled.map(({ name }) => name)];
}
