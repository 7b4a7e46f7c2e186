import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Connection, DatabaseError } from '../../../../../src/engine/connection/contract/connection.ts';
import { rotate, share } from '../../../../support/rotation.ts';
import { never, query } from '../../results.ts';
import { makeSandboxedHome, readSettings, type SandboxedHome } from './sandbox.ts';

/** Statements that a server must not run; HOME, MAIN and OTHER are placeholders of paths of the test. */
const REFUSED = [
  "COPY (SELECT 42) TO 'MAIN'",
  "COPY (SELECT 42) TO 'MAIN.wal'",
  "COPY (SELECT 42) TO 'HOME/files/x.csv'",
  "COPY (SELECT 42) TO 'HOME/staging/x.csv'",
  "COPY (SELECT 42) TO 'HOME/tmp/x.csv'",
  "COPY t TO 'HOME/staging' (FORMAT parquet, PARTITION_BY a)",
  "COPY t FROM 'HOME/files/a.csv'",
  'COPY FROM DATABASE main TO temp',
  "EXPORT DATABASE 'HOME/staging/x'",
  "IMPORT DATABASE 'HOME/files/sub'",
  "ATTACH 'MAIN' AS again",
  "ATTACH IF NOT EXISTS 'OTHER' AS other",
  "ATTACH ':memory:' AS other",
  'DETACH main',
  'LOAD json',
  "LOAD 'HOME/files/x.duckdb_extension'",
  'INSTALL httpfs',
  'FORCE INSTALL httpfs',
  'UPDATE EXTENSIONS',
  'CALL enable_logging()',
  'CALL pragma_version()',
  'PRAGMA enable_profiling',
  "PRAGMA enable_profiling = 'json'",
  'PRAGMA enable_verification',
  'PRAGMA threads = 1',
  'PRAGMA force_checkpoint',
  "PRAGMA import_database('HOME/files')",
  'SET threads = 1',
  'SET GLOBAL threads = 1',
  "SET SESSION streaming_buffer_size = '1GB'",
  "SET checkpoint_threshold = '1TB'",
  "SET profiling_output = 'HOME/files/profile.json'",
  "SET schema = 'temp'",
  "SET TIME ZONE 'Europe/Berlin'",
  'RESET threads',
  'RESET VARIABLE x',
  'CHECKPOINT',
  'FORCE CHECKPOINT main',
  'VACUUM',
  'VACUUM ANALYZE t',
  'TRUNCATE t',
  "COMMENT ON TABLE t IS 'x'",
  'PREPARE q AS SELECT 1',
  'EXECUTE q',
  'DEALLOCATE q',
  "CREATE SECRET s (TYPE http, BEARER_TOKEN 'x')",
  'CREATE OR REPLACE PERSISTENT SECRET s (TYPE http)',
  'CREATE TEMPORARY SECRET IF NOT EXISTS s (TYPE http)',
  'DROP SECRET IF EXISTS s',
  'ALTER DATABASE main SET ALIAS TO other',
  'FROM enable_logging()',
  `SELECT * FROM "enable_logging"(storage := 'file', storage_path := 'HOME/files/log')`,
  'FROM system.main.disable_logging()',
  'FROM truncate_duckdb_logs()',
  'FROM duckdb_logs',
  'FROM duckdb_logs()',
  "FROM duckdb_logs_parsed('QueryLog')",
  "SELECT write_log('x')",
  "SELECT ('x').write_log()",
  "FROM query('SELECT * FROM enable_logging()')",
  "FROM query_table('HOME/secret.csv')",
  "FROM json_execute_serialized_sql(json_serialize_sql('FROM enable_logging()'))",
  "SELECT json_serialize_plan('FROM enable_logging()')",
  "FROM enable_profiling(save_location := 'HOME/files/profile.json')",
  'FROM enable_peg_parser()',
  'FROM checkpoint()',
  'FROM force_checkpoint()',
  "FROM histogram('HOME/secret.csv', secret)",
  "FROM histogram_values('HOME/secret.csv', secret)",
  'FROM duckdb_secrets()',
  "FROM which_secret('s3://x', 's3')",
  "FROM sql_auto_complete('FROM ')",
  "FROM read_blob('MAIN')",
  "FROM read_blob('MAIN' || '.wal')",
  "FROM read_text('HOME/secret.csv')",
  "FROM read_csv('HOME/files/../secret.csv')",
  "FROM read_csv(['HOME/files/a.csv', 'HOME/secret.csv'])",
  "FROM read_csv(getvariable('x'))",
  "FROM read_duckdb('MAIN')",
  "FROM glob('HOME/*')",
  "FROM parquet_metadata('HOME/staging/x.parquet')",
  "FROM 'HOME/secret.csv'",
  'FROM "HOME/secret.csv"',
  "FROM 'MAIN'",
  "FROM t, 'OTHER'",
] as const;

/** How a statement can be hidden; each wrapper makes texts that the test runs one after another. */
const WRAPPERS: Readonly<Record<string, (statement: string) => readonly string[]>> = {
  plain: (own) => [own],
  explained: (own) => [`EXPLAIN ${own}`, `EXPLAIN (ANALYZE, FORMAT json) ${own}`],
  analyzed: (own) => [`EXPLAIN ANALYZE ${own}`],
  prepared: (own) => [`PREPARE p AS ${own}`, 'EXECUTE p', 'EXPLAIN ANALYZE EXECUTE p'],
  commented: (own) => [`/* /* SELECT */ 1 */ -- it's\n${own}`, `\u2003\t\ufeff${own}`],
  second: (own) => [`SELECT 1; ${own}`, `SELECT ';' ; ; ${own}`, `SELECT $$ $$; ${own}`],
  macro: (own) => [`CREATE OR REPLACE MACRO m() AS TABLE ${own}`, 'FROM m()', `CREATE MACRO n() AS (${own})`],
  view: (own) => [`CREATE OR REPLACE VIEW v AS ${own}`, 'FROM v'],
  table: (own) => [`CREATE OR REPLACE TEMP TABLE x AS ${own}`, `INSERT INTO t ${own}`],
  expression: (own) => [`WITH c AS (${own}) FROM c`, `SELECT * FROM (${own})`, `SELECT (${own})`, `(${own})`],
  described: (own) => [`DESCRIBE ${own}`, `SUMMARIZE (${own})`],
};

/** The gate refuses these even where the database does not recognize them: no wrapper hides them. */
async function runAll(connection: Connection, texts: readonly string[]): Promise<readonly string[]> {
  const passed: string[] = [];
  for (const text of texts) {
    try {
      await query(connection, text);
      passed.push(text);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
    }
  }
  return passed;
}

const SETUP = [
  'CREATE TABLE t (a INTEGER)',
  'INSERT INTO t VALUES (1)',
  "CREATE TABLE precious AS SELECT range AS id, 'row ' || range AS text FROM range(5000)",
  "SET VARIABLE x = 'HOME/secret.csv'",
];
const PRECIOUS = 'SELECT count(*), sum(id), max(text) FROM precious';

function fill(text: string, { home, file }: SandboxedHome): string {
  const other = path.join(home, 'db/other.duckdb');
  return text.replaceAll('HOME', home).replaceAll('MAIN', file).replaceAll('OTHER', other);
}

/** Two sessions: damage by one to the other is visible in the second. */
async function open(home: SandboxedHome) {
  const [connection, witness] = [await home.connect(), await home.connect()];
  return {
    connection,
    witness,
    async close() {
      await connection.close();
      await witness.close();
    },
  };
}

describe('a sandboxed database', () => {
  it.each(REFUSED)('does not run %j', async (statement) => {
    const home = makeSandboxedHome();
    const { connection, close } = await open(home);
    await expect(connection.run(fill(statement, home), never)).rejects.toMatchObject({ code: 'gate' });
    await close();
  });

  it.each(rotate(REFUSED))('does not run %j in any wrapper', async (statement) => {
    const home = makeSandboxedHome();
    const { connection, witness, close } = await open(home);
    for (const text of SETUP) await query(connection, fill(text, home));
    const [files, settings, other] = [
      home.list(),
      await readSettings(connection),
      await readSettings(witness),
    ];
    const own = fill(statement, home);
    for (const [name, wrap] of Object.entries(WRAPPERS)) {
      const texts = wrap(own);
      const passed = await runAll(connection, texts);
      // The other statements of a wrapper are harmless, or refer to objects that were not created.
      expect(
        passed.filter((text) => text.includes(own)),
        name,
      ).toEqual([]);
      expect(home.list(), name).toEqual(files);
      expect(await readSettings(connection), name).toEqual(settings);
      expect(await readSettings(witness), name).toEqual(other);
    }
    expect(existsSync(path.join(home.home, 'db/other.duckdb'))).toBe(false);
    await close();
    const again = await open(home);
    expect(await query(again.connection, PRECIOUS)).toEqual([[5000n, 12497500n, 'row 999']]);
    expect(await query(again.witness, 'SELECT * FROM t')).toEqual([[1]]);
    await again.close();
  });

  it('is unchanged after any sequence of words', { timeout: 300_000 }, async () => {
    const home = makeSandboxedHome();
    writeFileSync(path.join(home.home, 'files/x.sql'), 'SELECT 1');
    const { connection, witness, close } = await open(home);
    for (const text of SETUP) await query(connection, fill(text, home));
    const [files, settings] = [home.list(), await readSettings(witness)];
    const words = [
      ...new Set(REFUSED.flatMap((text) => fill(text, home).match(/'[^']*'|"[^"]*"|\w+|[^\s\w]/g) ?? [])),
      ...'EXPLAIN ANALYZE ( ) , ; WITH AS MATERIALIZED x TABLE VIEW MACRO CREATE OR REPLACE VALUES'.split(
        ' ',
      ),
      ...['/*', '*/', '--', '\n', '$$', "E'", "'", '"', '\u00a0', '::', '||'],
    ];
    const pieces = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...words) },
      { weight: 1, arbitrary: fc.constantFrom(...REFUSED.map((text) => fill(text, home))) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('SELECT 1', 'FROM t', 'SELECT * FROM (', 'EXPLAIN ANALYZE', '('),
      },
    );
    const passed: string[] = [];
    const texts = fc.array(pieces, { minLength: 1, maxLength: 9 }).map((parts) => parts.join(' '));
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        passed.push(...(await runAll(connection, [text])));
        await runAll(connection, ['ROLLBACK']);
        expect(home.list()).toEqual(files);
      }),
      { numRuns: share(4000) },
    );
    expect(passed.length).toBeGreaterThan(10);
    expect(await readSettings(witness)).toEqual(settings);
    await close();
    const again = await open(home);
    expect(await query(again.connection, PRECIOUS)).toEqual([[5000n, 12497500n, 'row 999']]);
    await again.close();
  });
});
