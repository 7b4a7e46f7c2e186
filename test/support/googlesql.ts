import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { credentials, loadPackageDefinition, type ServiceClientConstructor } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { findPort } from './find-port.ts';
import { PATIENCE_MS } from './patience.ts';

/** The engine is as large as all other dependencies together, so it is installed separately. */
const PACKAGE = path.join(
  import.meta.dirname,
  '../googlesql/node_modules/@fivetrandevelopers/zetasql/lib/zetasql',
);

const TYPES = {
  STRING: 'TYPE_STRING',
  INT64: 'TYPE_INT64',
  NUMERIC: 'TYPE_NUMERIC',
  BIGNUMERIC: 'TYPE_BIGNUMERIC',
  FLOAT64: 'TYPE_DOUBLE',
  DATE: 'TYPE_DATE',
  TIMESTAMP: 'TYPE_TIMESTAMP',
  DATETIME: 'TYPE_DATETIME',
  BOOL: 'TYPE_BOOL',
} as const;

/** A type of GoogleSQL that the tests use. */
export type GoogleType = keyof typeof TYPES;

/** A value; numbers of NUMERIC and BIGNUMERIC are unscaled, timestamps are microseconds since 1970-01-01. */
type GoogleValue = null | string | boolean | number | bigint;

interface GoogleColumn {
  readonly name: string;
  readonly type: GoogleType;
}

/** A table, and its rows as SQL expressions, in the order of its columns. */
export interface GoogleTable {
  readonly name: string;
  readonly columns: readonly GoogleColumn[];
  readonly rows: readonly (readonly string[])[];
}

export interface GoogleRows {
  readonly columns: readonly GoogleColumn[];
  readonly rows: readonly (readonly GoogleValue[])[];
}

/** GoogleSQL's reference engine: it checks a query as BigQuery does, and evaluates it over tables in memory. */
export interface GoogleSql {
  /** Replaces all tables. */
  load(tables: readonly GoogleTable[]): Promise<void>;
  /** Rejects with the engine's message about a query. */
  run(sql: string): Promise<GoogleRows>;
  stop(): void;
}

type Json = Readonly<Record<string, unknown>>;
type Call = (request: Json) => Promise<Json>;

/**
 * The program for this platform, from the package that contains one for each platform; null without such a
 * program.
 */
function findProgram(): string | null {
  const arm = process.arch === 'arm64' ? '_arm' : '';
  const known = ['linux', 'darwin'].includes(process.platform) && ['x64', 'arm64'].includes(process.arch);
  const program = path.join(PACKAGE, `remote_server${arm}${process.platform === 'darwin' ? '' : '.so'}`);
  return known && existsSync(program) ? program : null;
}

/** Starts the engine; prints the reason and returns null if it cannot run here. */
export async function startGoogleSql(): Promise<GoogleSql | null> {
  if (!existsSync(PACKAGE)) return skip('`npm ci --prefix test/googlesql --ignore-scripts` installs it');
  const program = findProgram();
  if (program === null) return skip(`there is no program for ${process.platform} ${process.arch}`);
  const address = `127.0.0.1:${await findPort()}`;
  const child = spawn(program, address.split(':'), { stdio: 'ignore' });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`it ended with ${code ?? signal}`));
  });
  const client = createClient(program, address);
  const ready = promisify(client.waitForReady.bind(client))(Date.now() + PATIENCE_MS).then(() => null);
  const problem = await Promise.race([ready, ended]).catch((error: Error) => error.message);
  if (problem !== null) {
    child.kill();
    client.close();
    return skip(problem);
  }
  return createEngine(client, child);
}

function skip(reason: string): null {
  process.stderr.write(
    `tests of BigQuery's SQL are skipped: GoogleSQL's reference engine does not run: ${reason}\n`,
  );
  return null;
}

type Client = InstanceType<ServiceClientConstructor>;

function createClient(program: string, address: string): Client {
  const definition = loadSync('local_service.proto', {
    includeDirs: [path.join(path.dirname(program), 'protos')],
    longs: String,
    enums: String,
  });
  const { zetasql } = loadPackageDefinition(definition) as unknown as {
    zetasql: { local_service: { ZetaSqlLocalService: ServiceClientConstructor } };
  };
  return new zetasql.local_service.ZetaSqlLocalService(address, credentials.createInsecure());
}

async function createEngine(client: Client, child: ChildProcess): Promise<GoogleSql> {
  const call = (name: string): Call => promisify(client[name]!.bind(client));
  // The features of BigQuery: no types such as INT32, and timestamps in UTC.
  const language = {
    ...(await call('GetLanguageOptions')({ maximumFeatures: true })),
    productMode: 'PRODUCT_EXTERNAL',
  };
  const options = { languageOptions: language, defaultTimezone: 'UTC' };
  let catalog: Json = {};
  let contents: Json = {};
  const evaluate = async (sql: string) => {
    const request = { sql, options, simpleCatalog: catalog, tableContent: contents };
    return (await call('EvaluateQuery')(request).catch(rethrow)) as unknown as Response;
  };
  const load = async (tables: readonly GoogleTable[]) => {
    catalog = { name: 'tests', builtinFunctionOptions: { languageOptions: language } };
    contents = {};
    const filled = await Promise.all(tables.map(async (table) => evaluate(printTable(table))));
    catalog = {
      ...catalog,
      table: tables.map(({ name, columns }) => ({
        name,
        column: columns.map((own) => ({ name: own.name, type: { typeKind: TYPES[own.type] } })),
      })),
    };
    contents = Object.fromEntries(tables.map(({ name }, at) => [name, filled[at]!.content]));
  };
  await load([]);
  return {
    load,
    async run(sql) {
      return readResponse(await evaluate(sql));
    },
    stop() {
      client.close();
      child.kill();
    },
  };
}

function rethrow(error: Error & { readonly details?: string }): never {
  throw new Error(error.details ?? error.message);
}

/** A query with the rows of a table. */
function printTable({ columns, rows }: GoogleTable): string {
  const cast = (row: readonly string[]) =>
    columns.map(({ name, type }, at) => `CAST(${row[at]} AS ${type}) AS \`${name}\``).join(', ');
  if (rows.length > 0) return rows.map((row) => `SELECT ${cast(row)}`).join(' UNION ALL\n');
  return `SELECT ${cast(columns.map(() => 'NULL'))} FROM UNNEST([1]) LIMIT 0`;
}

type Cell = Readonly<Record<string, unknown>>;

interface Response {
  readonly content?: {
    readonly tableData?: { readonly row?: readonly { readonly cell?: readonly Cell[] }[] };
  };
  readonly prepared: {
    readonly columns?: readonly { readonly name: string; readonly type: { readonly typeKind: string } }[];
  };
}

function readResponse({ content, prepared }: Response): GoogleRows {
  const columns = (prepared.columns ?? []).map(({ name, type }) => ({ name, type: toType(type.typeKind) }));
  const rows = (content?.tableData?.row ?? []).map(({ cell = [] }) =>
    columns.map(({ type }, at) => readCell(cell[at] ?? {}, type)),
  );
  return { columns, rows };
}

function toType(kind: string): GoogleType {
  const found = (Object.keys(TYPES) as GoogleType[]).find((type) => TYPES[type] === kind);
  if (found === undefined) throw new Error(`the tests have no values of ${kind}`);
  return found;
}

const READERS: Readonly<Record<GoogleType, readonly [key: string, read: (value: never) => GoogleValue]>> = {
  STRING: ['stringValue', (value: string) => value],
  INT64: ['int64Value', (value: string) => BigInt(value)],
  NUMERIC: ['numericValue', readInteger],
  BIGNUMERIC: ['bignumericValue', readInteger],
  FLOAT64: ['doubleValue', (value: number) => value],
  DATE: ['dateValue', (value: number) => value],
  TIMESTAMP: [
    'timestampValue',
    ({ seconds = '0', nanos = 0 }: { seconds?: string; nanos?: number }) =>
      BigInt(seconds) * 1_000_000n + BigInt(nanos) / 1000n,
  ],
  DATETIME: [
    'datetimeValue',
    ({
      bitFieldDatetimeSeconds: bits = '0',
      nanos = 0,
    }: {
      bitFieldDatetimeSeconds?: string;
      nanos?: number;
    }) => readCivilSeconds(BigInt(bits)) * 1_000_000n + BigInt(nanos) / 1000n,
  ],
  BOOL: ['boolValue', (value: boolean) => value],
};

/** Seconds since 1970-01-01 of a year, a month and so on that are packed into bit fields. */
function readCivilSeconds(bits: bigint): bigint {
  const take = (from: bigint, count: bigint) => Number((bits >> from) & ((1n << count) - 1n));
  // `Date.UTC` would read the year 1 as 1901.
  const day = new Date(0).setUTCFullYear(take(26n, 14n), take(22n, 4n) - 1, take(17n, 5n));
  return BigInt(day) / 1000n + BigInt((take(12n, 5n) * 60 + take(6n, 6n)) * 60 + take(0n, 6n));
}

function readCell(cell: Cell, type: GoogleType): GoogleValue {
  const [key, read] = READERS[type];
  return cell[key] === undefined ? null : read(cell[key] as never);
}

/** Two's complement with the lowest byte first, in the fewest bytes. */
function readInteger(bytes: Buffer): bigint {
  const unsigned = BigInt(`0x0${Buffer.from(bytes).reverse().toString('hex')}`);
  return BigInt.asIntN(bytes.length * 8, unsigned);
}
