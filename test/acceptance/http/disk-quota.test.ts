import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../support/http.ts';
import { createToken, runQuern, type Shared } from '../../support/server.ts';
import { rowsOf, runScript, runSql, startWith, storeScript } from './executing.ts';

const MEGABYTE = 1024 * 1024;
const QUOTA = 64 * MEGABYTE;

const FULL = {
  status: 422,
  body: {
    message: 'The database duckdb is full',
    code: 'database_full',
    hints: [expect.stringMatching(/DELETE|Delete rows/)],
  },
};

/** Numbers that do not compress: about 8 bytes a row. */
const noise = (rows: number) => `SELECT hash(range) AS h FROM range(${rows})`;

const startLimited = () => startWith('exec_disk = "64MiB"');

/** The disk space of the database in bytes: the size of its file is an upper bound. */
function readFiles({ server }: Shared): number {
  const file = path.join(server.cwd, '.quern/db/main.duckdb');
  const size = (name: string) => statSync(name, { throwIfNoEntry: false })?.size ?? 0;
  return size(file) + size(`${file}.wal`);
}

async function fill(admin: Client): Promise<void> {
  for (let i = 0; ; i += 1) {
    const answer = await runSql(admin, `CREATE TABLE fill_${i} AS ${noise(1_500_000)}`);
    if (answer.status !== 200) {
      expect(answer).toMatchObject(FULL);
      return;
    }
  }
}

it('interrupts a statement that takes a database over its quota, and changes nothing', async () => {
  const shared = await startLimited();
  const { admin } = shared;
  rowsOf(await runSql(admin, 'CREATE TABLE kept AS SELECT 42 AS x'));
  expect(await runSql(admin, `CREATE TABLE big AS ${noise(2_000_000_000)}`)).toMatchObject(FULL);
  expect(readFiles(shared)).toBeLessThan(4 * QUOTA);
  expect(await runSql(admin, 'FROM big')).toMatchObject({ status: 422, body: { code: 'sql_error' } });
  rowsOf(await runSql(admin, 'INSERT INTO kept VALUES (43)'));
  expect(rowsOf(await runSql(admin, 'SELECT sum(x)::INT FROM kept'))).toEqual([[85]]);
});

it.each([
  ['rows of one statement', ['INSERT INTO wide SELECT repeat(md5(range::VARCHAR), 300) FROM range(20000)']],
  [
    'the statements of a transaction',
    [
      'BEGIN',
      'INSERT INTO wide SELECT repeat(md5(range::VARCHAR), 300) FROM range(5000)',
      'INSERT INTO wide SELECT repeat(md5(range::VARCHAR), 300) FROM range(15000)',
      'COMMIT',
    ],
  ],
  ['changed rows', ['UPDATE wide SET s = repeat(md5(random()::VARCHAR), 40000)']],
  [
    'a plan that runs',
    ['EXPLAIN ANALYZE INSERT INTO wide SELECT repeat(md5(range::VARCHAR), 300) FROM range(20000)'],
  ],
  [
    'rows that are returned',
    ['INSERT INTO wide SELECT repeat(md5(range::VARCHAR), 300) FROM range(20000) RETURNING length(s)'],
  ],
  [
    'a PIVOT',
    [
      'INSERT INTO wide SELECT repeat(x, 10) || md5(n::VARCHAR) FROM (PIVOT (SELECT range % 2 AS k, range AS v, repeat(md5(range::VARCHAR), 30) AS x, range AS n FROM range(20000)) ON k USING sum(v) GROUP BY x, n)',
    ],
  ],
  [
    'a comment about PIVOT',
    ['INSERT INTO wide /* pivot */ SELECT repeat(md5(range::VARCHAR), 300) FROM range(20000)'],
  ],
])('counts data in memory until the commit: %s', async (_, statements) => {
  const shared = await startLimited();
  const { admin } = shared;
  rowsOf(await runSql(admin, "CREATE TABLE wide AS SELECT 'x' || range AS s FROM range(100)"));
  const script = await storeScript(admin, `${statements.join(';\n')};`);
  expect(await runScript(admin, script)).toMatchObject(FULL);
  expect(readFiles(shared)).toBeLessThan(QUOTA);
  expect(rowsOf(await runSql(admin, 'SELECT count(*)::INT, max(length(s))::INT FROM wide'))).toEqual([
    [100, 3],
  ]);
});

it('reads and frees space in a full database, which then accepts new rows', async () => {
  const shared = await startLimited();
  const { admin } = shared;
  await fill(admin);
  expect(await runSql(admin, `INSERT INTO fill_0 ${noise(20_000_000)}`)).toMatchObject(FULL);
  expect(rowsOf(await runSql(admin, 'SELECT count(*)::INT FROM fill_0'))).toEqual([[1_500_000]]);
  const script = `CREATE TEMP TABLE own AS ${noise(1000)}; SELECT count(*)::INT FROM own;`;
  expect(rowsOf(await runScript(admin, await storeScript(admin, script)))).toEqual([[1_000]]);
  rowsOf(await runSql(admin, 'DELETE FROM fill_0'));
  rowsOf(await runSql(admin, 'DROP TABLE fill_1'));
  rowsOf(await runSql(admin, `CREATE TABLE again AS ${noise(2_500_000)}`));
});

it('warns that a database is nearly full until it no longer is', async () => {
  const shared = await startLimited();
  const { admin, server } = shared;
  const readWarnings = async () => {
    const answer = await fetch(`${server.url}/health/ready`);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { warnings?: readonly string[] }).warnings ?? [];
  };
  expect(await readWarnings()).toEqual([]);
  rowsOf(await runSql(admin, `CREATE TABLE a AS ${noise(4_000_000)}`));
  rowsOf(await runSql(admin, `CREATE TABLE b AS ${noise(3_650_000)}`));
  const reasons = ['a database, which the log names, almost exceeds its disk limit'];
  expect(await readWarnings()).toEqual(reasons);
  expect((await admin.send('GET', '/manage/server')).body).toMatchObject({
    health: expect.arrayContaining([{ part: 'disk', state: 'warning', reasons }]),
  });
  rowsOf(await runSql(admin, 'DROP TABLE b'));
  expect(await readWarnings()).toEqual([]);
});

/** A script that publishes the given number of random numbers, of about 20 bytes each. */
const publishing = (file: string, rows: number) =>
  `#+import "std/publication"\n#+src sql T() #+meta { :publication { :type "csv", :path "${file}", :options { :overwrite true } } } #+begin
SELECT hash(range) AS h FROM range(${rows})
#+end
{{ publication.Run(blocks=[T]) }};`;

const DONE = { status: 200 };

describe('published files', () => {
  it('of a user stay within the limit, and existing files remain', async () => {
    const shared = await startLimited();
    const { admin, server } = shared;
    const folder = path.join(server.cwd, '.quern/publish');
    const publish = async (file: string, rows: number) =>
      runScript(admin, await storeScript(admin, publishing(file, rows)));
    const refusal = {
      status: 422,
      body: {
        code: 'script_error',
        message: expect.stringMatching(/your published files are limited to 64 MB, and `/),
      },
    };
    expect(await publish('kept.csv', 100)).toMatchObject(DONE);
    const before = readFileSync(path.join(folder, 'kept.csv'), 'utf8');
    expect(await publish('kept.csv', 2_000_000_000)).toMatchObject(refusal);
    expect(readFileSync(path.join(folder, 'kept.csv'), 'utf8')).toBe(before);
    expect(await publish('a.csv', 2_000_000)).toMatchObject(DONE);
    expect(await publish('b.csv', 2_000_000)).toMatchObject(refusal);
    expect(readdirSync(folder).sort()).toEqual(['a.csv', 'kept.csv']);
    expect(readdirSync(path.join(server.cwd, '.quern/staging'))).toEqual([]);
    expect(await publish('a.csv', 2_100_000)).toMatchObject(DONE);
    rmSync(path.join(folder, 'a.csv'));
    expect(await publish('b.csv', 2_000_000)).toMatchObject(DONE);
  });

  it('of one user do not reduce the space of another user', async () => {
    const { admin, server } = await startLimited();
    await runQuern(server.cwd, 'user create ada --role editor');
    await runQuern(server.cwd, 'grant add user:ada use connection:duckdb');
    const ada = createClient(server.url, await createToken(server.cwd, 'ada'));
    expect(await runScript(admin, await storeScript(admin, publishing('a.csv', 2_500_000)))).toMatchObject(
      DONE,
    );
    const script = await storeScript(admin, publishing('b.csv', 2_500_000));
    expect(await runScript(admin, script)).toMatchObject({ status: 422 });
    expect(await runScript(ada, script)).toMatchObject(DONE);
  });
});
