import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { openQueryLog } from '../../../src/query-log/query-log.ts';
import { openWorkspace, type Workspace } from '../../../src/workspace/instance/open-workspace.ts';
import { createHome } from '../../../src/workspace/setup/create-home.ts';

/** Names that have caused errors in archive formats. */
export const AWKWARD_NAMES = [
  'with space',
  'ünï-日本-🦆',
  'new\nline',
  `${'long'.repeat(60)}/${'longer'.repeat(30)}.csv`,
  '-rf',
  'a=b\\c"d',
];

const TABLES = `
  CREATE SCHEMA s2;
  CREATE TYPE z AS ENUM ('calm', 'cross');
  CREATE TYPE chain AS STRUCT (mood z);
  CREATE SEQUENCE seq START 5 INCREMENT 2;
  CREATE TABLE parent (id INT PRIMARY KEY, n TEXT UNIQUE NOT NULL CHECK (length(n) > 0), d INT DEFAULT nextval('seq'));
  CREATE TABLE a_child (id INT, p INT REFERENCES parent (id), twice INT GENERATED ALWAYS AS (id * 2) VIRTUAL);
  CREATE TABLE nodes (id INT PRIMARY KEY, up INT REFERENCES nodes (id));
  CREATE TABLE s2.t (c chain, l INT[], m MAP(TEXT, INT));
  INSERT INTO parent (id, n) VALUES (1, 'a'), (2, 'b');
  INSERT INTO a_child (id, p) VALUES (1, 1);
  INSERT INTO nodes VALUES (1, NULL);
  INSERT INTO nodes VALUES (2, 1);
  INSERT INTO s2.t VALUES ({'mood': 'calm'}, [1, 2], MAP {'k': 1});
  CREATE INDEX by_id ON a_child (id);
  CREATE VIEW v AS SELECT * FROM parent;
  CREATE MACRO add1(a) AS a + 1;
  CREATE MACRO rows_of(a) AS TABLE SELECT * FROM parent WHERE id = a;
  COMMENT ON TABLE parent IS 'a comment';
`;

/** The metadata of a DuckDB file, and the rows of every table. */
const SURVEY = `
  SELECT to_json([
    (SELECT string_agg(sql || coalesce(comment, ''), '' ORDER BY schema_name, table_name) FROM duckdb_tables()),
    (SELECT string_agg(sql, '' ORDER BY view_name) FROM duckdb_views() WHERE NOT internal),
    (SELECT string_agg(sql, '' ORDER BY index_name) FROM duckdb_indexes()),
    (SELECT string_agg(constraint_text, '' ORDER BY table_name, constraint_index) FROM duckdb_constraints()),
    (SELECT string_agg(sql || start_value || ' ' || last_value, '' ORDER BY sequence_name) FROM duckdb_sequences()),
    (SELECT string_agg(type_name || logical_type, '' ORDER BY type_name) FROM duckdb_types() WHERE NOT internal),
    (SELECT string_agg(function_name || macro_definition, '' ORDER BY function_name) FROM duckdb_functions() WHERE NOT internal),
    (SELECT string_agg(p::TEXT, '' ORDER BY id) FROM parent p), (SELECT string_agg(c::TEXT, '') FROM a_child c),
    (SELECT string_agg(n::TEXT, '' ORDER BY id) FROM nodes n), (SELECT string_agg(t::TEXT, '') FROM s2.t t)
  ]) AS survey
`;

/** Runs SQL on the home's database, and returns the body of the response. */
export async function runSql(home: string, text: string): Promise<string> {
  return withWorkspace(home, async (workspace) => {
    const parts: Uint8Array[] = [];
    const outcome = await workspace.run(
      {
        target: { kind: 'sql', source: { name: 'test', text } },
        params: {},
        overrides: {},
        connection: 'duckdb',
        format: 'csv',
      },
      { write: (bytes) => void parts.push(Buffer.from(bytes)) },
      new AbortController().signal,
    );
    if (outcome.status === 'failed') throw new Error(outcome.error.message);
    return Buffer.concat(parts).toString('utf8');
  });
}

/** The content of the home's database. */
export function surveyDatabase(home: string): Promise<string> {
  return runSql(home, SURVEY);
}

/** Every row of every table of the home's catalog. */
export function dumpCatalog(home: string): Record<string, unknown[]> {
  const database = new Sqlite(path.join(home, 'catalog.db'), { readonly: true });
  try {
    const tables = database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all();
    return Object.fromEntries(
      tables.map((table) => [table, database.prepare(`SELECT * FROM "${table}" ORDER BY 1, 2`).all()]),
    );
  } finally {
    database.close();
  }
}

export async function withWorkspace<T>(
  home: string,
  use: (workspace: Workspace) => Promise<T> | T,
): Promise<T> {
  const workspace = openWorkspace({ home });
  try {
    return await use(workspace);
  } finally {
    await workspace.close();
  }
}

/** Creates a home with only an administrator. */
export async function makePlainHome(home: string): Promise<void> {
  await createHome(home, { userName: 'admin', email: 'admin@localhost', password: null });
}

/** Creates a home with some of everything, and returns a valid token. */
export async function fillHome(home: string): Promise<string> {
  await makePlainHome(home);
  const token = await withWorkspace(home, async ({ catalog, connections, accounts, principal }) => {
    catalog.createFolder(principal, { parentPath: '@Shared', name: 'Zoé' });
    catalog.createAsset(principal, { parentPath: '@Shared/Zoé', name: 'a', content: 'SELECT 1' });
    catalog.updateAsset(principal, '@Shared/Zoé/a', '*', { content: 'SELECT 2 -- 🦆' });
    await accounts.users.create(principal, 'ada', { email: 'ada@example.org' });
    const options = { host: 'localhost', user: 'u', database: 'd' };
    connections.create(principal, {
      name: 'pg',
      kind: 'postgresql',
      options,
      secrets: { password: 'hunter2' },
    });
    return accounts.tokens.create(principal, { name: 'ci' }).token;
  });
  await runSql(home, TABLES);
  for (const name of AWKWARD_NAMES) {
    const file = path.join(home, 'files', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, name.repeat(100));
  }
  mkdirSync(path.join(home, 'files', 'empty'));
  writeFileSync(path.join(home, 'publish', 'nothing.csv'), '');
  writeFileSync(path.join(home, 'published.jsonl'), '["nothing.csv","somebody"]\n');
  writeFileSync(path.join(home, 'publish', '.quern-00000000-1-00000000-0000-0000-0000-000000000000'), 'junk');
  const log = {
    file: path.join(home, 'queries.db'),
    days: 30,
    clock: () => new Date(),
    warn: () => undefined,
  };
  openQueryLog(log).close();
  writeFileSync(path.join(home, 'config.toml'), '[server]\n');
  return token;
}
