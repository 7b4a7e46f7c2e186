import type { EditorDialect } from '../../../language/sql-keywords.ts';

/** What the shown text runs on, and whether names can be inserted. */
export interface RunTarget {
  /** The name of the connection; null without one. */
  readonly connection: string | null;
  readonly dialect: EditorDialect;
  readonly isReadOnly: boolean;
}

/** The state of the panel of tables, which stays while the panel is closed or the page has another size. */
export interface TablesView {
  /** Undefined for all tables. */
  readonly search: string | undefined;
  /** The keys of the rows that were opened or closed. */
  readonly toggled: ReadonlySet<string>;
}
