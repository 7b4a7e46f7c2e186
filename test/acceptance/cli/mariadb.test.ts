import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { makeHome, quern } from '../../support/quern.ts';
import { waitUntil } from '../../support/waiting.ts';

const server = inject('mariadb');
const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');

describe.skipIf(server === null)('a MariaDB connection', () => {
  let cwd: string;
  const run = (...args: string[]) => quern([...args, '--connection', 'shop'], { cwd });
  const rowsOf = async (sql: string) => {
    const { stdout } = await run('sql', sql, '--format', 'json');
    return JSON.parse(String(stdout)).result.data;
  };

  beforeEach(async () => {
    cwd = await makeHome();
    const { password, ...options } = server!;
    const set = Object.entries(options).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    const args = ['connection', 'create', 'shop', '--kind', 'mysql', ...set];
    const { exitCode, stderr } = await quern([...args, '--secret', 'password=env:SECRET'], {
      cwd,
      env: { SECRET: password },
    });
    if (exitCode !== 0) throw new Error(String(stderr));
  });

  /** The queries with a marker that the server is working on, according to its process list. */
  async function countRunning(mark: string): Promise<number> {
    const sql = `SELECT count(*) FROM information_schema.processlist WHERE id <> connection_id() AND info LIKE '%${mark}%'`;
    return Number((await rowsOf(sql))[0][0]);
  }

  it('is released by a query that is interrupted', async () => {
    const sql = 'SELECT sleep(3600) AS marked_sigint';
    const child = spawn(process.execPath, [bin, 'sql', sql, '--connection', 'shop'], {
      cwd,
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await waitUntil(async () => (await countRunning('marked_sigint')) > 0);
    child.kill('SIGINT');
    await ended;
    expect(await waitUntil(async () => (await countRunning('marked_sigint')) === 0)).toBe(true);
  });

  it('stops a query that takes too long', async () => {
    const { exitCode, stderr } = await run('sql', 'SELECT sleep(3600) AS too_long', '--timeout', '1');
    expect([exitCode, String(stderr)]).toEqual([5, expect.stringContaining('past its time limit')]);
    expect(await countRunning('too_long')).toBe(0);
  });

  it('runs blocks, tests and publications', async () => {
    writeFileSync(
      path.join(cwd, 'all.sql'),
      `#+import "std/publication"
#+import "std/test"
#+src sql Numbers(n) #+begin SELECT seq AS i FROM seq_1_to_1000 WHERE seq <= {{ n }} #+end
#+src sql Dice() #+begin SELECT rand() AS r #+end
#+src sql Kept() #+begin CREATE TEMPORARY TABLE own AS SELECT * FROM {{ Numbers(3) }}; SELECT i * 2 AS i FROM own #+end
#+src sql Total() #+meta { :publication { :type "table", :schema "shop_mart", :name "total", :primary_key ["i"] } }
#+begin SELECT i, NULL AS nothing FROM {{ Numbers(10) }} #+end
#+src sql Shown() #+meta { :publication { :type "view", :schema "shop_mart", :name "a view" } }
#+begin SELECT count(*) AS n, (SELECT r FROM {{ Dice() }}) AS r FROM {{ Total() }} JOIN {{ Numbers(5) }} USING (i) #+end
#+src sql File() #+meta { :publication { :type "csv", :path "numbers.csv", :options { :header true, :overwrite true } } }
#+begin SELECT i, concat('"', i) AS quoted FROM {{ Numbers(2) }} #+end
#+test sql Same() #+begin SELECT 1 FROM {{ Dice() }} AS a, {{ Dice() }} AS b WHERE a.r <> b.r #+end
#+test sql Doubled() #+begin SELECT i FROM {{ Kept() }} EXCEPT SELECT 2 * i FROM {{ Numbers(3) }} #+end
{{ publication.Run(blocks=[Shown, Total, File], parallel=2) }};
{{ publication.Run(blocks=[Shown, Total, File]) }};
{{ test.Run(tests=[Same, Doubled]) }};
`,
    );
    const { exitCode, stdout, stderr } = await run('exec', 'all.sql', '--format', 'json');
    expect([exitCode, String(stderr)]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(String(stdout)).stats).toMatchObject({ tests: 2, failed: 0 });
    expect(await rowsOf('SELECT n FROM shop_mart.`a view`')).toEqual([[5]]);
    expect(
      await rowsOf("SELECT count(*) FROM information_schema.tables WHERE table_name LIKE 'quern%'"),
    ).toEqual([[0]]);
  });

  it('refuses a view whose rows would differ from those of its blocks', async () => {
    writeFileSync(
      path.join(cwd, 'view.sql'),
      `#+import "std/publication"
#+src sql Dice() #+begin SELECT rand() AS r #+end
#+src sql Over() #+begin SELECT r FROM {{ Dice() }} #+end
#+src sql Shown() #+meta { :publication { :type "view", :name "shown" } }
#+begin SELECT a.r = b.r AS same FROM {{ Over() }} AS a JOIN {{ Over() }} AS b #+end
{{ publication.Run(blocks=[Shown]) }};
`,
    );
    const { exitCode, stderr } = await run('exec', 'view.sql');
    expect([exitCode, String(stderr)]).toEqual([3, expect.stringContaining('publish it as a table')]);
    expect(String(stderr)).toContain('view.sql:5:');
  });

  it('reports errors at the line of the block', async () => {
    writeFileSync(
      path.join(cwd, 'broken.sql'),
      `#+src sql Broken() #+begin
SELECT 1 AS x,
  nothing
#+end
SELECT * FROM {{ Broken() }}`,
    );
    const { exitCode, stderr } = await run('exec', 'broken.sql');
    expect([exitCode, String(stderr)]).toEqual([3, expect.stringContaining('broken.sql:3:3: error')]);
  });

  it('completes a change when only few of its rows are shown', async () => {
    await run('sql', 'CREATE TABLE shown (i INT)');
    const change = 'INSERT INTO shown SELECT seq FROM seq_1_to_200000 RETURNING i';
    for (const limit of ['0', '1']) {
      const { exitCode, stdout } = await run('sql', change, '--limit', limit, '--format', 'csv');
      expect([exitCode, String(stdout)]).toEqual([0, limit === '0' ? 'i\n' : 'i\n1\n']);
    }
    const { stdout } = await run('sql', 'SELECT count(*) AS n FROM shown', '--format', 'csv');
    expect(String(stdout)).toBe('n\n400000\n');
  });

  it.each(['csv', 'arrow', 'parquet'])('has the output format %s', async (format) => {
    const file = path.join(cwd, `answer.${format}`);
    const sql =
      "SELECT seq AS i, seq / 3 AS third, DATE '2024-01-01' + INTERVAL seq DAY AS d, concat('é', seq) AS s FROM seq_1_to_5000";
    const { exitCode, stderr } = await run('sql', sql, '--format', format, '--output', file);
    expect([exitCode, String(stderr)]).toEqual([0, expect.any(String)]);
    if (format === 'arrow') return;
    const read = `SELECT count(*)::INT, sum(i)::INT, max(s), count(DISTINCT d)::INT FROM '${file}'`;
    const { stdout } = await quern(['sql', read, '--format', 'json'], { cwd });
    expect(JSON.parse(String(stdout)).result.data).toEqual([[5000, 12_502_500, 'é999', 5000]]);
  });
});
