import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import { makeHome, quern, quernProcess, writeFiles } from '../../support/quern.ts';
import { rotateTo } from '../../support/rotation.ts';

const MOMENTS = 30;
const SCRIPT = `
#+src sql Base()
#+meta { :publication { :type "table", :name "base" } }
#+begin SELECT g.i AS id, $run AS run FROM generate_series(1, 20000) AS g(i) #+end

#+src sql Log()
#+meta { :publication { :type "table", :name "log", :incremental "append" } }
#+begin SELECT $run AS run, count(*) AS n FROM {{ Base() }} AS b #+end

#+src sql Merged()
#+meta { :publication { :type "table", :name "merged", :incremental "merge", :unique_key ["id"] } }
#+begin SELECT id % 100 AS id, max(run) AS run FROM {{ Base() }} AS b GROUP BY 1 #+end

#+src sql States()
#+meta { :publication { :type "table", :name "states", :incremental "history", :unique_key ["id"] } }
#+begin SELECT id, CASE WHEN id < 50 THEN run ELSE 0 END AS run FROM {{ Merged() }} AS m #+end

#+src sql Report()
#+meta { :publication { :type "view", :name "report" } }
#+begin SELECT count(*) AS n, $run AS run FROM {{ States() }} AS s #+end

#+src sql Days()
#+meta { :publication { :type "table", :name "days", :incremental "append" } }
#+begin SELECT $run AS run, count(*) AS n FROM {{ Merged() }} AS m #+end
`;
const READ = `SELECT 'base' AS source, count(*) AS n, min(run) AS low, max(run) AS high FROM $.base
  UNION ALL SELECT 'log', count(*), min(run), max(run) FROM $.log
  UNION ALL SELECT 'merged', count(*), min(run), max(run) FROM $.merged
  UNION ALL SELECT 'open', count(*), min(run), max(run) FROM $.states WHERE valid_to IS NULL
  UNION ALL SELECT 'closed', count(*), min(run), max(run) FROM $.states WHERE valid_to IS NOT NULL
  UNION ALL SELECT 'report', max(n), min(run), max(run) FROM $.report
  UNION ALL SELECT 'days', count(*), min(run), max(run) FROM $.days ORDER BY 1`;

const KINDS = [
  { kind: 'duckdb', isThere: true },
  { kind: 'postgresql', isThere: inject('postgresql') !== null },
] as const;

/** A home with one environment for each schema. */
async function openProject(kind: (typeof KINDS)[number]['kind'], schemas: readonly string[]) {
  const cwd = await makeHome();
  const environments = schemas.map(
    (schema) => `[environment.${schema}]\nconnection = { name = "${kind}" }\nschema = "${schema}"\n`,
  );
  writeFiles(cwd, {
    'project.toml': `[general]\nname = "acme.io/shop"\n${environments.join('')}`,
    'shop.sql': SCRIPT,
  });
  if (kind === 'postgresql') {
    const { password, ...options } = inject('postgresql')!;
    const set = Object.entries(options).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    const secret = ['--secret', 'password=env:SECRET'];
    const created = await quern(['connection', 'create', kind, '--kind', kind, ...set, ...secret], {
      cwd,
      env: { SECRET: password },
    });
    expect(created.exitCode).toBe(0);
  }
  const build = (schema: string, run: number, ...args: string[]) => [
    'build',
    ...args,
    '--env',
    schema,
    '--param',
    `run=${run}`,
  ];
  const run = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await quern(args, { cwd });
    expect([exitCode, String(stderr)]).toEqual([0, '']);
    return String(stdout);
  };
  const read = (schema: string) =>
    run('sql', READ.replaceAll('$', schema), '--connection', kind, '--format', 'csv');
  return { cwd, build, run, read };
}

describe.each(KINDS)('a build that is killed on $kind', ({ kind, isThere }) => {
  it.skipIf(!isThere)('is completed by `changed`, and nothing is appended twice', async () => {
    const moments = rotateTo(MOMENTS);
    const name = (moment: number) => `killed_${process.pid}_${moment}`;
    const whole = name(0);
    const { cwd, build, run, read } = await openProject(kind, [whole, ...moments.map(name)]);
    await run(...build(whole, 1));
    await run(...build(whole, 2));
    const expected = await read(whole);
    for (const moment of moments) {
      const schema = name(moment);
      await run(...build(schema, 1));
      const child = quernProcess(build(schema, 2), { cwd });
      let lines = 0;
      const reached = new Promise<void>((resolve) => {
        child.stdout.on('data', (chunk: Buffer) => {
          lines += chunk.toString().split('\n').length - 1;
          if (lines > moment % 6) resolve();
        });
        void child.then(() => resolve());
      });
      await reached;
      await wait(7 * Math.floor(moment / 6));
      child.kill('SIGKILL');
      await child;
      await run(...build(schema, 2, 'changed'));
      expect([moment, await read(schema)]).toEqual([moment, expected]);
    }
    if (kind === 'postgresql') {
      for (const schema of [whole, ...moments.map(name)]) {
        await run('sql', `DROP SCHEMA ${schema} CASCADE`, '--connection', kind);
      }
    }
  });
});
