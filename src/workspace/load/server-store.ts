import { randomBytes } from 'node:crypto';
import type { Sink } from '../../engine/result/columns/sink.ts';
import type { FormatName } from '../../engine/result/formats.ts';
import { printRowTexts } from '../../engine/run/load/server-rows.ts';
import {
  nameHidden,
  printAddColumns,
  printCopyRows,
  printCountRows,
  printCountSchemas,
  printCountValues,
  printCreateHidden,
  printCreateSchema,
  printDropColumn,
  printDropHidden,
  printDropSchema,
  printFindServerTable,
  printInsertRows,
  printPublishTables,
  type StagedTable,
  toServerTable,
} from '../../engine/run/load/server-statements.ts';
import { readServerType, type ServerKind, toServerType } from '../../engine/run/load/server-types.ts';
import type { TableToWrite } from '../../engine/run/load/write-table.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { createJsonCollector } from '../api/json-result.ts';
import { loadErrors } from './errors.ts';
import { FailedRun } from './failed-run.ts';
import type { ExistingTable, TableStore } from './table-store.ts';
import type { RunQuery } from './table-to-load.ts';

/** Runs SQL, and passes the bytes of its result to a sink. */
export type RunSql = (
  text: string,
  format: FormatName,
  sink: Sink,
  signal: AbortSignal,
) => Promise<ExecutionOutcome>;

/** A database that gets rows from the files. */
export interface Server {
  readonly kind: ServerKind;
  /** Runs SQL in it. */
  readonly run: RunSql;
  /** Runs COPY FROM STDIN in it, with rows. */
  readonly copy: (text: string, rows: string, signal: AbortSignal) => Promise<ExecutionOutcome>;
  /** Runs SQL in the DuckDB database that reads the files. */
  readonly read: RunSql;
  /** Throws a FailedRun if a file has changed. */
  readonly checkUnchanged: () => void;
  readonly signal: AbortSignal;
}

/**
 * A database other than DuckDB. Rows are inserted into hidden tables, which then take the place of their targets, or are
 * added to them by one statement.
 */
export function createServerStore(server: Server): TableStore {
  const { kind } = server;
  return {
    nameType: (type) => toServerType(kind, type),
    printChangeType: () => null,
    findTable: (table) => findServerTable(server, table),
    write: (tables) => writeTables(server, tables),
  };
}

/** Throws a FailedRun without positions, which refer to generated SQL. */
function checkDone(outcome: ExecutionOutcome): void {
  if (outcome.status === 'failed') throw new FailedRun({ ...outcome.error, diagnostics: [] });
}

function createServerQuery({ run }: Pick<Server, 'run'>, signal: AbortSignal): RunQuery {
  return async <Row>(text: string) => {
    const collector = createJsonCollector();
    const outcome = await run(text, 'json', collector, signal);
    checkDone(outcome);
    return collector.read<Row>().data;
  };
}

/** Runs statements without rows. */
async function runAll({ run }: Pick<Server, 'run'>, text: string, signal: AbortSignal): Promise<void> {
  checkDone(await run(text, 'json', { write: () => undefined }, signal));
}

async function findServerTable(server: Server, table: string): Promise<ExistingTable | null> {
  const { kind, signal } = server;
  const query = createServerQuery(server, signal);
  const text = printFindServerTable(kind, toServerTable(kind, table));
  const rows = await query<readonly [number, string, string]>(text);
  if (rows.length === 0) return null;
  const columns = rows.map(([, name, serverType]) => {
    const held = readServerType(kind, serverType);
    if (held === null) throw loadErrors.columnTypeNotLoaded(table, name, serverType);
    return { ...held, name, serverType };
  });
  return { isTable: rows.every(([isTable]) => Number(isTable) === 1), columns };
}

/** Ends the work of a load that failed, also if it was cancelled. */
const CLEANUP_MS = 30_000;

async function writeTables(server: Server, tables: readonly TableToWrite[]) {
  const { kind, signal } = server;
  const created = await createSchemas(server, tables);
  const staged: StagedTable[] = [];
  const changed: StagedTable[] = [];
  try {
    for (const table of tables) {
      const target = toServerTable(kind, table.table);
      const exists = table.mode === 'replace' && (await findReplaced(server, table.table));
      const hidden = nameHidden(target, randomBytes(8).toString('hex'));
      const one = { target, hidden, columns: table.columns, mode: table.mode, exists, added: table.added };
      staged.push(one);
      await runAll(server, printCreateHidden(kind, one), signal);
      await insertRows(server, table, one);
      await checkCount(server, one, table.rows);
    }
    server.checkUnchanged();
    for (const one of staged) {
      const adds = printAddColumns(kind, one);
      if (adds.length > 0) changed.push(one);
      for (const add of adds) await runAll(server, add, signal);
    }
    await runAll(server, printPublishTables(kind, staged), signal);
  } catch (error) {
    await cleanUp(server, staged, created);
    for (const one of changed) await dropEmptyColumns(server, one);
    throw error;
  }
  return Promise.all(
    tables.map(async ({ table }) => {
      const found = await findServerTable(server, table);
      return (found?.columns ?? []).map(({ name, serverType = '' }) => ({ name, type: serverType }));
    }),
  );
}

async function findReplaced(server: Server, table: string): Promise<boolean> {
  const found = await findServerTable(server, table);
  if (found !== null && !found.isTable) throw loadErrors.notReplaceable(table);
  return found !== null;
}

/** Creates the schemas that are missing, and resolves with their names. */
async function createSchemas(server: Server, tables: readonly TableToWrite[]): Promise<readonly string[]> {
  const { kind, signal } = server;
  const query = createServerQuery(server, signal);
  const names = new Set(tables.flatMap(({ table }) => toServerTable(kind, table).schema ?? []));
  const created: string[] = [];
  for (const name of names) {
    const [row] = await query<readonly [number]>(printCountSchemas(kind, name));
    if (Number(row?.[0] ?? 0) > 0) continue;
    await runAll(server, printCreateSchema(kind, name), signal);
    created.push(name);
  }
  return created;
}

async function checkCount(server: Server, table: StagedTable, rows: number): Promise<void> {
  const query = createServerQuery(server, server.signal);
  const [row] = await query<readonly [number]>(printCountRows(server.kind, table));
  if (Number(row?.[0]) !== rows) throw loadErrors.otherCount(rows, Number(row?.[0]));
}

/** Drops what a failed load has made; the error of the load matters more than one of these. */
async function cleanUp(
  server: Server,
  staged: readonly StagedTable[],
  schemas: readonly string[],
): Promise<void> {
  const { kind } = server;
  const signal = AbortSignal.timeout(CLEANUP_MS);
  const drops = [
    ...staged.map((table) => printDropHidden(kind, table)),
    ...schemas.flatMap((schema) => printDropSchema(kind, schema)),
  ];
  for (const drop of drops) await runAll(server, drop, signal).catch(() => undefined);
}

/** Drops the columns that a failed load has added, unless they have values. */
async function dropEmptyColumns(server: Server, table: StagedTable): Promise<void> {
  const signal = AbortSignal.timeout(CLEANUP_MS);
  const query = createServerQuery(server, signal);
  for (const { name } of table.added) {
    const rows = await query<readonly [number]>(printCountValues(server.kind, table, name)).catch(() => []);
    if (Number(rows[0]?.[0] ?? 1) > 0) continue;
    await runAll(server, printDropColumn(server.kind, table, name), signal).catch(() => undefined);
  }
}

/** The maximum of the text of rows in one statement, in characters. */
const MAX_TEXT: Readonly<Record<ServerKind, number>> = {
  postgresql: 16_000_000,
  mysql: 1_000_000,
  trino: 250_000,
};

async function insertRows(server: Server, { query }: TableToWrite, table: StagedTable): Promise<void> {
  const { kind, read, signal } = server;
  const batches = new RowBatches(MAX_TEXT[kind], async (rows) => {
    if (kind !== 'postgresql') return runAll(server, printInsertRows(kind, table, rows), signal);
    checkDone(await server.copy(printCopyRows(table), `${rows.join('\n')}\n`, signal));
  });
  const outcome = await read(printRowTexts(kind, query, table.columns), 'ndjson', batches, signal).catch(
    (error: unknown) => {
      throw batches.failure ?? error;
    },
  );
  if (batches.failure !== undefined) throw batches.failure;
  checkDone(outcome);
  await batches.end();
}

/** Collects rows from lines of JSON, and inserts them in batches. */
class RowBatches implements Sink {
  /** Why an insert has failed. */
  failure: unknown;
  #rest = '';
  #rows: string[] = [];
  #size = 0;
  readonly #decoder = new TextDecoder();
  readonly #maxText: number;
  readonly #insert: (rows: readonly string[]) => Promise<void>;

  constructor(maxText: number, insert: (rows: readonly string[]) => Promise<void>) {
    this.#maxText = maxText;
    this.#insert = insert;
  }

  async write(bytes: Uint8Array): Promise<void> {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) await this.#take(line);
  }

  async end(): Promise<void> {
    if (this.#rest !== '') await this.#take(this.#rest);
    await this.#flush();
  }

  async #take(line: string): Promise<void> {
    if (line === '') return;
    const { r }: { readonly r: string } = JSON.parse(line);
    if (this.#size + r.length > this.#maxText) await this.#flush();
    this.#rows.push(r);
    this.#size += r.length;
  }

  async #flush(): Promise<void> {
    if (this.#rows.length === 0) return;
    const rows = this.#rows;
    this.#rows = [];
    this.#size = 0;
    try {
      await this.#insert(rows);
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}
