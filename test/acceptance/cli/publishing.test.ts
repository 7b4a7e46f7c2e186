import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasProc, readWork } from '../../support/processes.ts';
import { makeFolder, makeHome, quern } from '../../support/quern.ts';
import { readWhile, waitUntil, waitUntilWorked } from '../../support/waiting.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');
const warehouse = path.resolve(import.meta.dirname, '../../../fixtures/warehouse');

/** Runs a command and expects success. */
async function run(args: readonly string[], cwd: string): Promise<string> {
  const { exitCode, stdout, stderr } = await quern(args, { cwd });
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${exitCode}\n${stdout}\n${stderr}`);
  return String(stdout);
}

/** The rows of a query. */
async function query(sql: string, cwd: string): Promise<readonly (readonly unknown[])[]> {
  return JSON.parse(await run(['sql', sql, '--format', 'json'], cwd)).result.data;
}

describe('the warehouse', () => {
  it('is built, built again, extended and rebuilt, and all its tests pass', async () => {
    const cwd = path.join(makeFolder(), 'warehouse');
    cpSync(warehouse, cwd, { recursive: true });
    await run(['init', '--empty'], cwd);
    const facts = ['fact_sales', 'fact_returns', 'fact_inventory', 'dim_customer', 'sales_daily'];
    const count = async () => {
      const counts = facts.map((name) => `(SELECT count(*) FROM mart.${name})`);
      return (await query(`SELECT ${counts.join(', ')}`, cwd))[0]!.map(Number);
    };
    const exec = async (job: string) => {
      const { exitCode, stdout, stderr } = await quern(['exec', job], { cwd });
      expect([job, exitCode, `${stdout}\n${stderr}`]).toEqual([job, 0, expect.not.stringMatching(/FAIL/)]);
    };

    await exec('jobs/nightly.sql');
    const first = await count();
    expect(Math.min(...first)).toBeGreaterThan(0);
    await exec('jobs/nightly.sql');
    expect(await count()).toEqual(first);
    const runs = 'SELECT count(DISTINCT run_at) FROM mart.load_audit';
    expect((await query(runs, cwd)).flat().map(Number)).toEqual([2]);

    await exec('jobs/hourly.sql');
    const later = await count();
    expect(later[0]).toBeGreaterThan(first[0]!);
    expect(later[1]).toBe(first[1]! + 3);
    expect(later[2]).toBe(first[2]);

    await exec('jobs/full_refresh.sql');
    expect((await query(runs, cwd)).flat().map(Number)).toEqual([1]);
    const tests = await quern(['test'], { cwd });
    expect([tests.exitCode, `${tests.stdout}\n${tests.stderr}`]).toEqual([0, expect.any(String)]);

    const published = readdirSync(path.join(cwd, '.quern', 'publish')).sort();
    expect(published).toEqual(
      [
        'margins.csv.gz',
        'sales_monthly.csv',
        ...published.filter((name) => /^sales_\d{8}\.parquet$/.test(name)),
      ].sort(),
    );
    expect(published.length).toBeGreaterThanOrEqual(3);
    const [header] = readFileSync(path.join(cwd, '.quern', 'publish', 'sales_monthly.csv'), 'utf8').split(
      '\n',
    );
    expect(header).toBe('month_name;region;category;orders;revenue;margin');
  });
});

/** Starts a script in a separate process. */
function start(script: string, cwd: string) {
  const child = spawn(process.execPath, [bin, 'exec', script], {
    cwd,
    stdio: 'ignore',
    env: { ...process.env, HOME: cwd, QUERN_HOME: '' },
  });
  return { child, ended: once(child, 'exit') };
}

/** Runs a script in a separate process, and returns its processor time in milliseconds. */
async function measureWork(script: string, cwd: string): Promise<number> {
  const { child, ended } = start(script, cwd);
  let work = 0;
  await readWhile(ended, () => {
    work = Math.max(work, (readWork(child.pid!) || 0) * 10);
  });
  expect(child.exitCode).toBe(0);
  return work;
}

/** Starts a script and kills its process when `until` has ended. */
async function kill(
  script: string,
  cwd: string,
  until: (child: ChildProcess) => Promise<unknown>,
): Promise<void> {
  const { child, ended } = start(script, cwd);
  await until(child);
  child.kill('SIGKILL');
  await ended;
}

/** A home with scripts that publish a block, each with a different body. */
async function makeScripts(publication: string, bodies: Readonly<Record<string, string>>): Promise<string> {
  const cwd = await makeHome();
  for (const [name, body] of Object.entries(bodies)) {
    const folder = path.join(cwd, name);
    mkdirSync(folder);
    writeFileSync(
      path.join(folder, 'run.sql'),
      `#+import "std/publication"
#+src sql Target() #+meta { :publication { ${publication} } }
#+begin
${body}
#+end
{{ publication.Run(blocks=[Target]) }};
`,
    );
  }
  return cwd;
}

/** The shares of its work after which a process is killed: from its start to its end. */
const MOMENTS = Array.from({ length: 10 }, (_, i) => (i + 0.5) / 10);
const BIG = 'SELECT range AS id, hash(range) % 1000003 AS h FROM range(5000000)';
const SMALL = 'SELECT range AS id, 1::UBIGINT AS h FROM range(3)';

describe.skipIf(!hasProc)('a process that is killed while it publishes', () => {
  it('leaves the complete old or new table, and a valid home', async () => {
    const cwd = await makeScripts(':type "table", :name "target"', { small: SMALL, big: BIG });
    const sum = async () =>
      (await query('SELECT count(*)::TEXT, sum(id)::TEXT, sum(h)::TEXT FROM target', cwd))[0];
    const work = await measureWork('big/run.sql', cwd);
    const whole = await sum();
    await run(['exec', 'small/run.sql'], cwd);
    const old = await sum();
    expect(old).toEqual(['3', '3', '3']);
    for (const moment of MOMENTS) {
      await kill('big/run.sql', cwd, ({ pid }) => waitUntilWorked(pid!, moment * work));
      const found = await sum();
      expect([old, whole]).toContainEqual(found);
      if (found![0] !== '3') await run(['exec', 'small/run.sql'], cwd);
    }
    await run(['exec', 'big/run.sql'], cwd);
    expect(await sum()).toEqual(whole);
  });

  it('leaves the complete old or new file under its name', async () => {
    const publication = ':type "csv", :path "target.csv", :options { :overwrite true }';
    const cwd = await makeScripts(publication, { small: SMALL, big: BIG });
    const file = path.join(cwd, '.quern', 'publish', 'target.csv');
    const sum = () => createHash('sha256').update(readFileSync(file)).digest('hex');
    const work = await measureWork('big/run.sql', cwd);
    const whole = sum();
    await run(['exec', 'small/run.sql'], cwd);
    const old = sum();
    expect(old).not.toBe(whole);
    for (const moment of MOMENTS) {
      await kill('big/run.sql', cwd, ({ pid }) => waitUntilWorked(pid!, moment * work));
      const found = sum();
      expect([old, whole]).toContain(found);
      if (found !== old) await run(['exec', 'small/run.sql'], cwd);
    }
    await run(['exec', 'big/run.sql'], cwd);
    expect(sum()).toBe(whole);
    expect(readdirSync(path.dirname(file))).toEqual(['target.csv']);
  });

  it('has kept earlier publications', async () => {
    const cwd = await makeHome();
    writeFileSync(
      path.join(cwd, 'run.sql'),
      `#+import "std/publication"
#+src sql A() #+meta { :publication { :type "table", :schema "mart", :name "a", :primary_key ["id"], :incremental "merge", :unique_key ["id"] } }
#+begin
SELECT range AS id, {{ publication.Incremental() }} AS later FROM range(1000)
#+end
#+src sql B() #+meta { :publication { :type "view", :schema "mart", :name "b" } }
#+begin
SELECT count(*) AS n, bool_and(later) AS later FROM {{ A() }}
#+end
#+src sql Done() #+meta { :publication { :type "csv", :path "done.csv", :options { :overwrite true } } }
#+begin
SELECT 1
#+end
{{ publication.Run(blocks=[A, B]) }};
{{ publication.Run(blocks=[A, B], fullRefresh=true) }};
{{ publication.Run(blocks=[A]) }};
{{ publication.Run(blocks=[Done]) }};
SELECT count(*) FROM range(10000000000) a, range(10000000000) b WHERE a.range + b.range = 7;
`,
    );
    const done = path.join(cwd, '.quern', 'publish', 'done.csv');
    await kill('run.sql', cwd, (child) => waitUntil(() => child.exitCode !== null || existsSync(done)));
    expect(await query('SELECT n::INTEGER, later FROM mart.b', cwd)).toEqual([[1000, true]]);
    const { stderr } = await quern(['sql', 'INSERT INTO mart.a VALUES (5, false)'], { cwd });
    expect(stderr).toContain('Duplicate key "id: 5"');
  });
});
