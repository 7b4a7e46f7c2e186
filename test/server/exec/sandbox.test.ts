import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { covers } from './rows.ts';
import { createExecWorld, rowsOf } from './world.ts';

it(covers('statement gate'), async () => {
  const { home, sql, put, script, exec } = await createExecWorld();
  const database = path.join(home, 'db/main.duckdb');
  const refused = [
    `COPY (SELECT 42) TO '${database}'`,
    `EXPLAIN ANALYZE COPY (SELECT 42) TO '${database}'`,
    `SELECT * FROM read_text('/etc/passwd')`,
    `SELECT * FROM '/etc/passwd'`,
    `ATTACH '${home}/catalog.db' AS c (TYPE sqlite)`,
    'INSTALL httpfs',
    "SET memory_limit = '1TB'",
    'PRAGMA enable_profiling',
    'CALL enable_logging()',
    "SELECT 1; SELECT * FROM query('SELECT 1')",
  ];
  await sql('CREATE TABLE kept AS SELECT 7 AS x');
  await put('@Shared/bad/block', `#+src sql Bad()\n#+begin\nSELECT * FROM read_text('/etc/passwd')\n#+end`);
  for (const [at, text] of refused.entries()) {
    await put(`@Shared/bad/script${at}`, text);
    for (const answer of [await sql(text), await script(`@Shared/bad/script${at}`)]) {
      expect({ text, status: answer.status }).toEqual({ text, status: 422 });
      expect((answer.body as { detail: string }).detail).toMatch(
        /^(sql|@Shared\/bad\/script\d+):1:\d+: error: /,
      );
    }
  }
  const bad = { package: '@Shared/bad', block_name: 'Bad', connection: { name: 'duckdb' } };
  expect((await exec('block', bad)).status).toBe(422);
  expect(rowsOf(await sql('SELECT x FROM kept'))).toEqual([[7]]);
  expect(readFileSync(database).subarray(8, 12).toString()).toBe('DUCK');
});

it('an execution can read files of the folder for files', async () => {
  const { home, sql } = await createExecWorld();
  mkdirSync(path.join(home, 'files'), { recursive: true });
  writeFileSync(path.join(home, 'files/some.csv'), 'a,b\n1,x\n');
  expect(rowsOf(await sql(`SELECT * FROM '${home}/files/some.csv'`))).toEqual([[1, 'x']]);
  expect((await sql(`SELECT * FROM '${home}/files/../catalog.db'`)).status).toBe(422);
});

it('an execution can publish files, and only into their folder', async () => {
  const { home, put, script } = await createExecWorld();
  const publish = (target: string) =>
    `#+import "std/publication"\n#+src sql Out()\n#+meta { :publication { :type "csv", :path "${target}" } }\n` +
    '#+begin\nSELECT 1 AS x\n#+end\n{{ publication.Run(blocks=[Out]) }};\n';
  await put('@Shared/out/good', publish('daily.csv'));
  await put('@Shared/away/bad', publish('../away.csv'));
  expect((await script('@Shared/out/good')).status).toBe(200);
  expect(readFileSync(path.join(home, 'publish/daily.csv'), 'utf8')).toBe('1\n');
  expect((await script('@Shared/away/bad')).status).toBe(422);
  expect(existsSync(path.join(home, 'away.csv'))).toBe(false);
});
