import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DuckDBConnection } from '@duckdb/node-api';
import { onTestFinished, vi } from 'vitest';
import type { Connection, Sandbox } from '../../../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../../../src/engine/connection/drivers.ts';
import { Engine } from '../../../../../src/engine/connection/duckdb/instance/engine.ts';
import { makeFolder } from '../../../../support/quern.ts';
import { never, query } from '../../results.ts';

/** A server's home, with a database whose sessions are locked down. */
export interface SandboxedHome {
  readonly home: string;
  readonly file: string;
  readonly sandbox: Sandbox;
  /** A session behind the gate, which ends with the test. */
  connect(): Promise<Connection>;
  /** A session without a sandbox, as on the command line. */
  connectFreely(): Promise<Connection>;
  /**
   * Every file below the home except those of the database and of its spill folder, with a hash of its
   * content.
   */
  list(): readonly string[];
}

/** The content of `files/`: a table as CSV, one in a folder, and another one as JSON. */
const FILES: Readonly<Record<string, string>> = {
  'a.csv': 'x,y\n1,2\n',
  'sub/b.csv': 'x,y\n3,4\n',
  'q.json': '{"a": 1}\n',
};

export function makeSandboxedHome(): SandboxedHome {
  const home = makeFolder();
  for (const folder of ['files/sub', 'staging', 'tmp', 'db', 'publish']) {
    mkdirSync(path.join(home, folder), { recursive: true });
  }
  for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(home, 'files', name), text);
  writeFileSync(path.join(home, 'secret.csv'), 'secret\n42\n');
  const file = path.join(home, 'db/main.duckdb');
  const sandbox: Sandbox = {
    files: path.join(home, 'files'),
    staging: path.join(home, 'staging'),
    temp: path.join(home, 'tmp'),
    memoryLimit: '400MB',
    maxTempSize: '1GB',
  };
  const open = async (own: { readonly sandbox?: Sandbox }): Promise<Connection> => {
    const driver = await loadDriver('duckdb');
    const spec = {
      name: 'test',
      kind: 'duckdb',
      options: { file, threads: '2' },
      overrides: {},
      ...own,
    } as const;
    const connection = await driver.connect(spec, never);
    onTestFinished(() => connection.close());
    return connection;
  };
  return {
    home,
    file,
    sandbox,
    connect: () => open({ sandbox }),
    connectFreely: () => open({}),
    list: () => listFiles(home).filter((entry) => !/^(?:db|tmp)\//.test(entry)),
  };
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const hash = entry.isFile() ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'no file';
      return `${path.relative(folder, file)} ${hash}`;
    })
    .sort();
}

/**
 * Runs a query without the gate: on the native connection, which a statement of the session reveals; one at a
 * time.
 */
export async function queryPastGate(
  connection: Connection,
  sql: string,
): Promise<readonly (readonly unknown[])[]> {
  const step = vi.spyOn(Engine.prototype, 'step');
  await query(connection, 'SELECT 1');
  const { connection: native } = step.mock.contexts[0] as Engine;
  step.mockRestore();
  return (await new DuckDBConnection(native).runAndReadAll(sql)).getRows();
}

/** All settings of a session; a test compares them to find a change. */
export function readSettings(connection: Connection): ReturnType<typeof queryPastGate> {
  // Counters of queries and measures of the machine differ each time.
  return queryPastGate(
    connection,
    "SELECT name, value FROM duckdb_settings() WHERE name <> 'max_temp_directory_size' ORDER BY name",
  );
}
