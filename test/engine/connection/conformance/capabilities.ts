/** What a driver can do. The suite runs the tests that apply to it, and `docs/reference/drivers.md` shows the same table. */
export interface Capabilities {
  /** Sessions have temporary tables. */
  readonly temporaryTables: boolean;
  /** A transaction can take back changes of rows. */
  readonly transactions: boolean;
  /** The database runs elsewhere, and lists the statements that it runs. */
  readonly isServer: boolean;
  /** Published tables have a primary key that the database enforces. */
  readonly primaryKeys: boolean;
  /** Other sessions see a replaced table either before or after the replacement, and never without it. */
  readonly atomicReplacement: boolean;
  /** A view can be read after the table that it reads has been replaced. */
  readonly lastingViews: boolean;
  /** The database itself makes sessions wait that publish to the same target. */
  readonly waits: boolean;
}

const SERVER: Capabilities = {
  temporaryTables: true,
  transactions: true,
  isServer: true,
  primaryKeys: true,
  atomicReplacement: true,
  lastingViews: true,
  waits: true,
};

/** By driver. */
export const CAPABILITIES = {
  // Sessions of one process wait for the locks of its publications.
  DuckDB: { ...SERVER, isServer: false, waits: false },
  PostgreSQL: SERVER,
  MariaDB: SERVER,
  // With tables of Iceberg.
  Trino: {
    ...SERVER,
    temporaryTables: false,
    transactions: false,
    primaryKeys: false,
    waits: false,
  },
} as const satisfies Readonly<Record<string, Capabilities>>;

/** The text of each capability in `docs/reference/drivers.md`. */
export const CAPABILITY_TEXTS: Readonly<Record<keyof Capabilities, string>> = {
  isServer: 'is a server, which lists the statements that it runs',
  temporaryTables: 'temporary tables of a session',
  transactions: 'transactions that take back changes of rows',
  primaryKeys: 'primary keys of published tables, which the database enforces',
  atomicReplacement: 'a replaced table is complete for other sessions at any time',
  lastingViews: 'views remain when the table that they read is replaced',
  waits: 'sessions wait for each other when they publish the same table',
};
