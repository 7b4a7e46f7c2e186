import { randomUUID } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import type { Connection, ConnectionKind } from '../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../src/engine/connection/drivers.ts';
import { trinoDriver } from '../../../src/engine/connection/trino/driver.ts';
import { FORMATS } from '../../../src/engine/result/formats.ts';
import { createAnswer } from '../../../src/engine/run/outcome/answer.ts';
import { createNanoClock, startStopwatch } from '../../../src/engine/run/outcome/clock.ts';
import { createStatementCount } from '../../../src/engine/run/outcome/statement-count.ts';
import { StatementError } from '../../../src/engine/run/outcome/statement-error.ts';
import type { TestResult } from '../../../src/engine/run/outcome/test-report.ts';
import { createWarnings } from '../../../src/engine/run/outcome/warnings.ts';
import { askNoOwner } from '../../../src/engine/run/publish/ask-owner.ts';
import {
  createPublicationLog,
  type PublicationLog,
} from '../../../src/engine/run/publish/publication-log.ts';
import { createPublishLocks } from '../../../src/engine/run/publish/publish-locks.ts';
import { runScript } from '../../../src/engine/run/run-script.ts';
import { loadProgram } from '../../../src/engine/script/load/load-program.ts';
import { createParseCache } from '../../../src/engine/script/load/parse-cache.ts';
import type { Params } from '../../../src/engine/script/params/params.ts';
import { NO_ENVIRONMENT } from '../../../src/engine/script/values/environment.ts';
import { type Diagnostic, DiagnosticError, type Warning } from '../../../src/engine/text/diagnostic.ts';
import { LEXICAL_RULES } from '../../../src/engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../../src/engine/text/sql-dialect.ts';
import { notNull } from '../../../src/invariants/must.ts';
import { makeFolder } from '../../support/quern.ts';
import { rotate } from '../../support/rotation.ts';
import type { ClusterOptions } from '../../support/trino/cluster.ts';
import { hasCluster, useCluster } from '../../support/trino/use-cluster.ts';
import { never, query } from '../connection/results.ts';
import { openMemory, stats } from '../result/encode.ts';

/** A package's files by their names; `main.sql` is the script that runs. A single string is `main.sql`. */
export type Script = string | Readonly<Record<string, string>>;

export interface RunOptions {
  readonly params?: Params;
  readonly signal?: AbortSignal;
  readonly log?: PublicationLog;
  /** Other packages, by the name under which the script imports them. */
  readonly packages?: Readonly<Record<string, Script>>;
}

export interface ScriptOutcome {
  /** Null if the script has no result set, or ran tests. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly tests: readonly TestResult[] | null;
  readonly warnings?: readonly Warning[];
}

export interface ScriptSession {
  readonly connection: Connection;
  /** The name of its schema. */
  readonly schema: string;
  /** Runs a script in the session. */
  run(script: Script, options?: RunOptions): Promise<ScriptOutcome>;
  /** The rows of one SQL statement, without the script language. */
  query(sql: string): ReturnType<typeof query>;
  /** The names of the existing temporary objects, in order. */
  listTemporary(): Promise<readonly string[]>;
}

/** The kinds of connections, and whether this machine has a server of each. */
const KINDS = [
  { kind: 'duckdb', isThere: true },
  { kind: 'postgresql', isThere: inject('postgresql') !== null },
  { kind: 'mysql', isThere: inject('mariadb') !== null },
] as const;

let cluster: (() => ClusterOptions) | null = null;

/** The kinds and Trino, for a file of tests; it leases the cluster. */
export function useKinds() {
  if (hasCluster) cluster = useCluster();
  return [...KINDS, { kind: 'trino', isThere: hasCluster }] as const;
}

/** DuckDB, and those of the other databases that this run takes. */
export function useSomeKinds() {
  const kinds = useKinds();
  const own = rotate(kinds.filter(({ kind }) => kind !== 'duckdb'));
  return kinds.filter((one) => one.kind === 'duckdb' || own.includes(one));
}

/**
 * A session that ends with the test, in a database in memory or a separate schema. `front` wraps it in another session,
 * for scripts in PostgreSQL's dialect.
 */
export async function openScriptSession(
  kind: ConnectionKind = 'duckdb',
  front?: (connection: Connection) => Connection,
): Promise<ScriptSession> {
  const { connection, schema } = await OPEN[kind]();
  const taken =
    front === undefined
      ? { connection, kind }
      : { connection: front(connection), kind: 'postgresql' as const };
  const spoolDirectory = makeFolder();
  return {
    connection,
    schema,
    run: (script, options = {}) => run(script, options, taken, spoolDirectory),
    query: (sql) => query(connection, sql),
    async listTemporary() {
      const objects = await connection.relations.listTemporary(never);
      return objects.map(({ name }) => name).sort();
    },
  };
}

async function openDuckdb() {
  const connection = await openMemory();
  onTestFinished(() => connection.close());
  return { connection, schema: 'main' };
}

/** A schema for tables, and another for the rows of blocks. */
async function openTrino(catalog = 'iceberg') {
  const { host, httpPort } = notNull(cluster)();
  const schema = `own_${randomUUID().slice(0, 8)}`;
  const options = { host, port: String(httpPort), user: 'test', catalog, scratch_schema: `memory.${schema}` };
  const connect = () => trinoDriver.connect({ name: 'test', kind: 'trino', options, overrides: {} }, never);
  const connection = await connect();
  await query(connection, `CREATE SCHEMA ${schema}`);
  await query(connection, `CREATE SCHEMA memory.${schema}`);
  await query(connection, `USE ${schema}`);
  onTestFinished(async () => {
    await connection.close();
    const other = await connect();
    // What a test does not leave in the schema for the rows of blocks.
    await query(other, `DROP SCHEMA memory.${schema}`);
    await query(other, `DROP SCHEMA ${schema} CASCADE`);
    await other.close();
  });
  return { connection, schema };
}

const OPEN = {
  duckdb: openDuckdb,
  postgresql: () => openServer('postgresql'),
  mysql: () => openServer('mysql'),
  trino: openTrino,
};

async function openServer(kind: 'postgresql' | 'mysql') {
  const driver = await loadDriver(kind);
  const options = inject(kind === 'mysql' ? 'mariadb' : kind)!;
  const connect = () => driver.connect({ name: 'test', kind, options, overrides: {} }, never);
  const connection = await connect();
  const schema = `own_${randomUUID().slice(0, 8)}`;
  await query(connection, `CREATE SCHEMA ${schema}`);
  await query(connection, kind === 'mysql' ? `USE ${schema}` : `SET search_path = ${schema}`);
  onTestFinished(async () => {
    await connection.close();
    const other = await connect();
    await query(other, `DROP SCHEMA ${schema}${kind === 'mysql' ? '' : ' CASCADE'}`);
    await other.close();
  });
  return { connection, schema };
}

/** The snapshot of a package and its imports, without a folder or a catalog. */
export function toSnapshot(script: Script, packages: Readonly<Record<string, Script>> = {}) {
  const all = Object.entries({ main: script, ...packages });
  const imports = Object.fromEntries(
    Object.keys(packages).map((name) => [name, { kind: 'package', id: name } as const]),
  );
  return {
    needs: [{ id: 'main' }] as const,
    packages: all.map(([name, own]) => ({
      id: name,
      name: `acme/${name}`,
      files: toFiles(own),
      unreadable: [],
      imports,
    })),
  };
}

function toFiles(script: Script) {
  const files = typeof script === 'string' ? { 'main.sql': script } : script;
  return Object.entries(files).map(([name, text]) => ({ name, text }));
}

async function run(
  script: Script,
  { params = {}, signal = never, log = createPublicationLog(), packages = {} }: RunOptions,
  { connection, kind }: { readonly connection: Connection; readonly kind: ConnectionKind },
  spoolDirectory: string,
): Promise<ScriptOutcome> {
  const parts: Uint8Array[] = [];
  const sink = { write: (bytes: Uint8Array) => void parts.push(Buffer.from(bytes)) };
  const answer = createAnswer(sink, {
    createEncoder: FORMATS.json.create,
    encoder: {},
    maxRows: Number.POSITIVE_INFINITY,
    sendsAll: false,
    readStats: startStopwatch(createNanoClock()).read,
    spoolBytes: 1e9,
    spoolDirectory,
    yieldTurn: () => undefined,
  });
  const { warn, list } = createWarnings();
  try {
    const program = loadProgram(toSnapshot(script, packages), params, createParseCache());
    const tests = await runScript({
      connection,
      program,
      file: 'main.sql',
      dialect: SQL_DIALECT[kind],
      lexicalRules: LEXICAL_RULES[kind],
      answer,
      recorder: null,
      connectMore: async () => connection,
      clock: createNanoClock(),
      environment: NO_ENVIRONMENT,
      publishing: {
        directory: spoolDirectory,
        staging: null,
        quota: null,
        askOwner: askNoOwner,
        locks: createPublishLocks(),
        database: 'test',
      },
      signal,
      warn,
      log,
      count: createStatementCount(),
    });
    const warnings = list();
    await answer.finish(stats, { warnings });
    return {
      ...readBody(Buffer.concat(parts).toString()),
      tests,
      ...(warnings.length > 0 ? { warnings } : {}),
    };
  } finally {
    await answer.close();
  }
}

function readBody(text: string) {
  const { result } = JSON.parse(text) as {
    result: { columns: { name: string }[]; data: unknown[][] };
  };
  return { columns: result.columns.map(({ name }) => name), rows: result.data };
}

/** The position and message of the error with which a promise rejects. */
export async function readError(promise: Promise<unknown>): Promise<Diagnostic> {
  const error = await promise.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof StatementError) return error.diagnostic;
  if (error instanceof DiagnosticError) return error.diagnostics[0]!;
  throw error;
}

/** The rows of one script in a separate session. */
export async function rowsOf(script: Script, options: RunOptions = {}): Promise<ScriptOutcome['rows']> {
  const session = await openScriptSession();
  return (await session.run(script, options)).rows;
}

/** Blocks with different rows each time, and blocks with stable rows. */
export const CHANCE =
  '#+src sql Chance(n=1) #+begin SELECT range AS id, random() AS x FROM range({{ n }}) #+end\n';
export const SERIES = '#+src sql Series(n) #+begin SELECT range AS x FROM range({{ n }}) #+end\n';

/** Tests that pass, fail, and cannot run, with the import to run them. */
export const TESTS = `#+test sql Good() #+begin SELECT 1 WHERE false #+end
#+test sql Bad() #+begin SELECT range AS n, NULL AS none FROM range(7) #+end
#+test sql Broken() #+begin
  SELECT nope
#+end
`;
export const IMPORT_TEST = '#+import "std/test"\n';
