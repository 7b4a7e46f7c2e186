import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { Client } from '../../support/http.ts';
import { CLUSTER_COMMAND_MS } from '../../support/patience.ts';
import { quernProcess } from '../../support/quern.ts';
import type { ServerOptions } from '../../support/servers.ts';
import { hasCluster } from '../../support/trino/use-cluster.ts';
import { rowsOf, runSql } from '../http/executing.ts';

/** A database that the warehouse runs on. */
export interface Platform {
  readonly name: string;
  readonly kind: 'duckdb' | 'postgresql' | 'mysql' | 'trino';
  /** The folder of a copy of the project with a separate home, which has all connections. */
  readonly cwd: string;
}

/** The platforms of this machine, and how to install the others. */
export const PLATFORMS = [
  { name: 'DuckDB', kind: 'duckdb', isThere: true, install: '' },
  {
    name: 'PostgreSQL',
    kind: 'postgresql',
    isThere: inject('postgresql') !== null,
    install: 'apt-get install postgresql',
  },
  {
    name: 'MariaDB',
    kind: 'mysql',
    isThere: inject('mariadb') !== null,
    install: 'apt-get install mariadb-server',
  },
  { name: 'Trino', kind: 'trino', isThere: hasCluster, install: 'test/trino/install.sh' },
] as const;

const SCHEMAS = ['landing', 'mart', 'finance'];
/** In the catalog `memory`. */
const SCRATCH = `warehouse_${randomUUID().slice(0, 8)}`;

/** The body of a request that creates the connection to a server, which has the name of its kind. */
export function toConnection(kind: Platform['kind'], { password, ...options }: ServerOptions) {
  return { name: kind, kind, options, secrets: { password } };
}

/** The body of a request that creates the connection to a cluster. */
export function toLake({ host, httpPort }: { readonly host: string; readonly httpPort: number }) {
  const catalogs = { catalog: 'iceberg', scratch_schema: `memory.${SCRATCH}` };
  const options = { host, port: String(httpPort), user: 'test', ...catalogs };
  return { name: 'trino', kind: 'trino', options };
}

/** Runs statements on a connection, and expects success. */
export async function change(
  client: Client,
  kind: Platform['kind'],
  ...statements: readonly string[]
): Promise<void> {
  for (const sql of statements) rowsOf(await runSql(client, sql, { connection: { name: kind } }));
}

/** Creates the schema for rows that blocks store. */
export const createScratch = (client: Client) => change(client, 'trino', `CREATE SCHEMA memory.${SCRATCH}`);

/** Drops the schemas of the warehouse, on servers that other tests use. */
export async function dropSchemas(client: Client, { kind }: Platform): Promise<void> {
  if (kind === 'mysql') await change(client, kind, ...SCHEMAS.map((name) => `DROP SCHEMA IF EXISTS ${name}`));
  if (kind === 'trino') {
    const drops = SCHEMAS.map((name) => `DROP SCHEMA IF EXISTS ${name} CASCADE`);
    await change(client, kind, ...drops, `DROP SCHEMA IF EXISTS memory.${SCRATCH} CASCADE`);
  }
}

/** The output of a command. */
export interface Output {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the project, in a process: those of the platforms run at the same time. */
export async function run(args: readonly string[], { cwd, kind }: Platform): Promise<Output> {
  const { exitCode, stdout, stderr } = await quernProcess([...args, '--connection', kind], {
    cwd,
    limitMs: CLUSTER_COMMAND_MS,
  });
  return { exitCode, stdout: String(stdout), stderr: String(stderr) };
}

/**
 * The output without what differs from run to run: seconds, and the order in which simultaneous publications end; and
 * with one kind of quotes around names. PostgreSQL drops views with the tables that they read, and creates them again.
 */
export function toComparable({ stderr, ...output }: Output) {
  const published = stderr
    .replace(/, [\d.]+ s\)/g, ')')
    .replaceAll('(create', '(replace')
    .replaceAll('`', '"')
    .split('\n')
    .sort();
  return { ...output, published };
}
