import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';

const FILES = {
  'project.toml': `[general]
name = "acme.io/shop"
[environment.prod]
connection = { name = "duckdb", overrides = { schema = "mart" } }
`,
  'base/rows.sql': `#+src sql Rows(n)
#+begin
CREATE TABLE left_over (x int);
SELECT * FROM range({{ n }})
#+end
#+src sql Report() #+meta { :publication { :type "csv", :path "report.csv" } }
#+begin
SELECT 1
#+end
`,
  'job.sql': `#+import "std/publication"
#+import "acme.io/shop/base"
#+src sql Unused() #+begin SELECT 'unused' #+end
CREATE TABLE made AS FROM {{ base.Rows($n) }};
{{ publication.Run(packages=[base]) }};
SELECT count(*) FROM made
`,
  'tests/tests.sql':
    '#+src sql Unused() #+begin SELECT 1 #+end\n#+test sql NoRows() #+begin SELECT 2 #+end\n',
  'blocks/blocks.sql': '#+src sql Unused() #+begin SELECT 1 #+end\n',
};

const JOB = `-- Rows(n=3)
CREATE TABLE left_over (x int);

-- Rows(n=3), whose rows are quern_1
SELECT * FROM range(3);

CREATE TABLE made AS FROM quern_1;

-- publication.Run(packages=[base])

SELECT count(*) FROM made;
`;

async function makeProject(): Promise<string> {
  const cwd = await makeHome();
  writeFiles(cwd, FILES);
  return cwd;
}

/** Every file below a folder with its time, except those of the catalog. */
function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => !path.basename(name).startsWith('catalog.db') && statSync(path.join(folder, name)).isFile(),
    )
    .map((name) => `${name} ${statSync(path.join(folder, name)).mtimeMs}`)
    .sort();
}

describe('quern exec --dry-run', () => {
  it('prints what would run, and creates nothing', async () => {
    const cwd = await makeProject();
    const before = listFiles(cwd);
    const args = ['exec', 'job.sql', '--param', 'n=3', '--dry-run', '--output', 'rows.csv', '--limit', '1'];
    const { stdout, stderr, exitCode } = await quern(args, { cwd });
    expect([stdout, stderr, exitCode]).toEqual([JOB, 'nothing was run; this would run on duckdb\n', 0]);
    expect(listFiles(cwd)).toEqual(before);
    expect(readdirSync(path.join(cwd, '.quern/db'))).toEqual([]);
  });

  it('uses the connection that an environment or the command line names', async () => {
    const cwd = await makeProject();
    writeFileSync(path.join(cwd, 'p.json'), '{"n": 3}');
    const run = (...args: string[]) =>
      quern(['exec', 'job.sql', '--dry-run', '--params-file', 'p.json', ...args], { cwd });
    expect((await run('--env', 'prod')).stderr).toContain('would run on duckdb, schema=mart\n');
    const both = await run('--env', 'prod', '--override', 'schema=other');
    expect([both.stdout, both.stderr]).toEqual([
      JOB,
      'nothing was run; this would run on duckdb, schema=other\n',
    ]);
    const unknown = await run('--env', 'prdo');
    expect([unknown.stdout, unknown.stderr, unknown.exitCode]).toEqual([
      '',
      'error: unknown environment `prdo`; available: prod, did you mean `prod`?\n',
      2,
    ]);
    expect((await run('--connection', 'none')).stderr).toBe('error: Connection not found: none\n');
  });

  it('accepts scripts of the catalog and of standard input', async () => {
    const cwd = await makeProject();
    const input = "SELECT '$who'";
    await quern(['catalog', 'put', '-', '@Shared/hello'], { cwd, input });
    for (const name of ['@Shared/hello', '-']) {
      const { stdout } = await quern(['exec', name, '--dry-run', '--param', 'who=you'], { cwd, input });
      expect(stdout).toBe("SELECT 'you';\n");
    }
  });

  it('prints the tests that a script would run, and no uncalled block', async () => {
    const cwd = await makeProject();
    expect((await quern(['exec', 'tests/tests.sql', '--dry-run'], { cwd })).stdout).toBe(
      '-- NoRows()\nSELECT 2;\n',
    );
    const { stdout, exitCode } = await quern(['exec', 'blocks/blocks.sql', '--dry-run'], { cwd });
    expect([stdout, exitCode]).toEqual(['', 0]);
  });

  it.each([
    ['SELECT 1;\nSELECT $a, $b', 'error: standard input:2: the parameter `$a` has no value\n'],
    ['SELECT ?', 'error: standard input:1: the parameter `?` has no value\n'],
    ['SELECT {{ Nope() }}', 'standard input:1:11: error: unknown name `Nope`\n'],
  ])('refuses the same as a run: %s', async (input, message) => {
    const cwd = await makeProject();
    const { stdout, stderr, exitCode } = await quern(['exec', '-', '--dry-run'], { cwd, input });
    expect([stdout, exitCode]).toEqual(['', 3]);
    expect(stderr).toContain(message);
    expect((await quern(['exec', '-'], { cwd, input })).exitCode).toBe(3);
  });

  it('does not write the file of --output', async () => {
    const cwd = await makeProject();
    writeFileSync(path.join(cwd, 'old.csv'), 'old');
    await quern(['exec', 'tests/tests.sql', '--dry-run', '--output', 'old.csv'], { cwd });
    expect(readFileSync(path.join(cwd, 'old.csv'), 'utf8')).toBe('old');
  });
});
