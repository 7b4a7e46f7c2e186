import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { makeHome, quern } from '../../support/quern.ts';
import { waitUntil } from '../../support/waiting.ts';

const server = inject('postgresql');
const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');

describe.skipIf(server === null)('a PostgreSQL connection', () => {
  let cwd: string;
  const run = (...args: string[]) => quern([...args, '--connection', 'pg'], { cwd });

  beforeEach(async () => {
    cwd = await makeHome();
    const { password, ...options } = server!;
    const set = Object.entries(options).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    const args = [
      'connections',
      'add',
      'pg',
      '--kind',
      'postgresql',
      ...set,
      '--secret',
      'password=env:SECRET',
    ];
    const { exitCode, stderr } = await quern(args, { cwd, env: { SECRET: password } });
    if (exitCode !== 0) throw new Error(String(stderr));
  });

  /** The queries with a marker that the server is working on, according to its process list. */
  async function countRunning(mark: string): Promise<number> {
    const sql = `SELECT count(*)::int FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%${mark}%'`;
    const { stdout } = await run('sql', sql, '--format', 'json');
    return JSON.parse(String(stdout)).result.data[0][0];
  }

  it('is tested by name', async () => {
    const { stdout, exitCode } = await quern(['connection', 'test', 'pg'], { cwd });
    expect([exitCode, String(stdout)]).toEqual([0, expect.stringMatching(/^pg {2}PostgreSQL \d+/)]);
  });

  it.each(['SIGINT', 'SIGKILL'] as const)('is released by a query that ends with %s', async (signal) => {
    const mark = `marked_${signal.toLowerCase()}`;
    const sql = `SELECT pg_sleep(3600) AS ${mark}`;
    const child = spawn(process.execPath, [bin, 'sql', sql, '--connection', 'pg'], { cwd, stdio: 'ignore' });
    const ended = once(child, 'exit');
    await waitUntil(async () => (await countRunning(mark)) > 0);
    child.kill(signal);
    await ended;
    expect(await waitUntil(async () => (await countRunning(mark)) === 0)).toBe(true);
  });

  it('stops a query that takes too long', async () => {
    const { exitCode, stderr } = await run('sql', 'SELECT pg_sleep(3600) AS too_long', '--timeout', '1');
    expect([exitCode, String(stderr)]).toEqual([5, expect.stringContaining('past its time limit')]);
    expect(await countRunning('too_long')).toBe(0);
  });

  it.each(['csv', 'json', 'ndjson', 'markdown', 'arrow', 'parquet'])(
    'has the output format %s',
    async (format) => {
      const file = path.join(cwd, `answer.${format}`);
      const sql =
        "SELECT i, i / 3.0 AS third, DATE '2024-01-01' + i AS d, 'é' || i AS s FROM generate_series(1, 5000) AS t(i)";
      const { exitCode, stderr } = await run('sql', sql, '--format', format, '--output', file);
      expect([exitCode, String(stderr)]).toEqual([0, expect.any(String)]);
      if (format !== 'parquet' && format !== 'csv') return;
      const read = `SELECT count(*)::INT, sum(i)::INT, max(s), count(DISTINCT d)::INT FROM '${file}'`;
      const { stdout } = await quern(['sql', read, '--format', 'json'], { cwd });
      expect(JSON.parse(String(stdout)).result.data).toEqual([[5000, 12_502_500, 'é999', 5000]]);
    },
  );

  it('runs blocks, tests and publications', async () => {
    writeFileSync(
      path.join(cwd, 'all.sql'),
      `#+import "std/publication"
#+import "std/test"
#+src sql Numbers(n) #+begin SELECT i FROM generate_series(1, {{ n }}) AS t(i) #+end
#+src sql Dice() #+begin SELECT random() AS r #+end
#+src sql Kept() #+begin CREATE TEMP TABLE own AS SELECT * FROM {{ Numbers(3) }}; SELECT i * 2 AS i FROM own #+end
#+src sql Total() #+meta { :publication { :type "table", :schema "Mart", :name "Total", :primary_key ["i"] } }
#+begin SELECT i, NULL AS nothing FROM {{ Numbers(10) }} #+end
#+src sql Shown() #+meta { :publication { :type "view", :schema "Mart", :name "a view" } }
#+begin SELECT count(*) AS n FROM {{ Total() }} JOIN {{ Numbers(5) }} USING (i) #+end
#+test sql Same() #+begin SELECT 1 FROM {{ Dice() }} AS a, {{ Dice() }} AS b WHERE a.r <> b.r #+end
#+test sql Doubled() #+begin SELECT i FROM {{ Kept() }} EXCEPT SELECT 2 * i FROM {{ Numbers(3) }} #+end
{{ publication.Run(blocks=[Shown, Total], parallel=2) }};
{{ publication.Run(blocks=[Shown, Total]) }};
{{ test.Run(tests=[Same, Doubled]) }};
`,
    );
    const { exitCode, stdout, stderr } = await run('exec', 'all.sql', '--format', 'json');
    expect([exitCode, String(stderr)]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(String(stdout)).stats).toMatchObject({ tests: 2, failed: 0 });
    const read = await run('sql', 'SELECT n::int FROM Mart."a view"', '--format', 'json');
    expect(JSON.parse(String(read.stdout)).result.data).toEqual([[5]]);
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
    expect(String(stderr)).toContain('column "nothing" does not exist');
  });

  it('starts in the schema of an override, and refuses other overrides', async () => {
    await run('sql', 'CREATE SCHEMA IF NOT EXISTS elsewhere');
    const { stdout } = await run(
      'sql',
      'SELECT current_schema()',
      '--format',
      'csv',
      '--override',
      'schema=elsewhere',
    );
    expect(String(stdout)).toBe('current_schema\nelsewhere\n');
    const refused = await run('sql', 'SELECT 1', '--override', 'host=other');
    expect([refused.exitCode, String(refused.stderr)]).toEqual([
      expect.any(Number),
      expect.stringContaining('Override not allowed: host'),
    ]);
  });

  it('runs blocks for a user with read access, if they write nothing', async () => {
    const admin = [
      'DROP DATABASE IF EXISTS read_only',
      'CREATE DATABASE read_only',
      'REVOKE ALL ON DATABASE read_only FROM PUBLIC',
      'DROP ROLE IF EXISTS analyst',
      "CREATE ROLE analyst LOGIN PASSWORD 'reads only'",
      'GRANT CONNECT ON DATABASE read_only TO analyst',
    ];
    for (const statement of admin) expect((await run('sql', statement)).exitCode).toBe(0);
    const { host, port } = server!;
    const set = Object.entries({ host, port, user: 'analyst', database: 'read_only' });
    const args = ['connection', 'create', 'ro', '--kind', 'postgresql', '--secret', 'password'];
    await quern([...args, ...set.flatMap(([name, value]) => ['--set', `${name}=${value}`])], {
      cwd,
      input: 'reads only\n',
    });
    writeFileSync(
      path.join(cwd, 'reads.sql'),
      `#+src sql Dice() #+begin SELECT random() AS r #+end
#+src sql Two() #+begin SELECT a.r AS one, b.r AS other FROM {{ Dice() }} AS a, {{ Dice() }} AS b #+end
SELECT one = other AS same FROM {{ Two() }}`,
    );
    const reads = await quern(['exec', 'reads.sql', '--connection', 'ro', '--format', 'json'], { cwd });
    expect([reads.exitCode, String(reads.stderr)]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(String(reads.stdout)).result.data).toEqual([[true]]);
    writeFileSync(
      path.join(cwd, 'writes.sql'),
      `#+src sql Steps() #+begin SELECT 1; SELECT 2 AS x #+end
SELECT * FROM {{ Steps() }}`,
    );
    const writes = await quern(['exec', 'writes.sql', '--connection', 'ro'], { cwd });
    expect([writes.exitCode, String(writes.stderr)]).toEqual([
      3,
      expect.stringContaining('permission denied to create temporary tables in database "read_only"'),
    ]);
  });

  it('reports the error when the server is down', async () => {
    const args = [
      'connection',
      'create',
      'down',
      '--kind',
      'postgresql',
      '--set',
      'user=x',
      '--set',
      'port=1',
    ];
    await quern(args, { cwd });
    const { exitCode, stderr } = await quern(['sql', 'SELECT 1', '--connection', 'down'], { cwd });
    expect([exitCode, String(stderr)]).toEqual([
      expect.any(Number),
      expect.stringContaining('Nothing answers at localhost:1'),
    ]);
    expect(exitCode).not.toBe(0);
  });
});
