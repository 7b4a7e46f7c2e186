import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, makeHome, quern, writeFiles } from '../../support/quern.ts';

const warehouse = path.resolve(import.meta.dirname, '../../../fixtures/warehouse');

/** A folder with these files. */
function makeFiles(files: Readonly<Record<string, string>>): string {
  const cwd = makeFolder();
  writeFiles(cwd, files);
  return cwd;
}

const PROJECT = {
  'project.toml': '[general]\nname = "acme.io/shop"\n',
  'base/customers.sql':
    "#+src sql Customers(region)\n#+begin\nSELECT * FROM raw\nWHERE region = '{{ region }}'\n#+end\n",
  'report.sql':
    '#+import "acme.io/shop/base"\n-- How many there are.\nSELECT count(*)\nFROM {{ base.Customers("$region") }};\n',
};

describe('quern compile', () => {
  it('shows each step with the origin of every line, without a home', async () => {
    const cwd = makeFiles(PROJECT);
    const { stdout, exitCode } = await quern(['compile', 'report.sql', '--param', 'region=north'], { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      `-- 1 Customers(region="north"), whose rows are quern_1
base/customers.sql:3 Customers | SELECT * FROM raw
base/customers.sql:4 Customers | WHERE region = 'north'

-- 2
report.sql:3 | SELECT count(*)
report.sql:4 | FROM quern_1
`,
    );
  });

  it('prints only SQL, or JSON', async () => {
    const cwd = makeFiles(PROJECT);
    const args = ['compile', 'report.sql', '--param', 'region=north'];
    expect((await quern([...args, '--sql'], { cwd })).stdout).toBe(
      `-- Customers(region="north"), whose rows are quern_1
SELECT * FROM raw
WHERE region = 'north';

SELECT count(*)
FROM quern_1;
`,
    );
    const steps = JSON.parse(String((await quern([...args, '--json'], { cwd })).stdout));
    expect(steps[1]).toEqual({
      kind: 'statement',
      call: '',
      relation: null,
      lines: [
        { text: 'SELECT count(*)', file: 'report.sql', line: 3, block: '' },
        { text: 'FROM quern_1', file: 'report.sql', line: 4, block: '' },
      ],
    });
  });

  it('compiles scripts of the catalog, whose folders are packages', async () => {
    const cwd = await makeHome();
    await quern(['catalog', 'mkdir', '@Shared/shop/base', '-p'], { cwd });
    const put = (text: string, at: string) => quern(['catalog', 'put', '-', at], { cwd, input: text });
    await put('#+macro One() #+begin 1 #+end', '@Shared/shop/macros');
    await put('#+src sql B() #+begin SELECT 2 AS b #+end', '@Shared/shop/base/b');
    await put('#+import "shop/base"\nSELECT {{ One() }}, * FROM {{ base.B() }}', '@Shared/shop/main');
    const { stdout } = await quern(['compile', '@Shared/shop/main', '--sql'], { cwd });
    expect(stdout).toBe('-- B(), whose rows are quern_1\nSELECT 2 AS b;\n\nSELECT 1, * FROM quern_1;\n');
    const checked = await quern(['check', '@Shared/shop'], { cwd });
    expect([checked.exitCode, checked.stderr]).toEqual([
      0,
      '3 scripts in 2 packages: 0 errors, 0 warnings\n',
    ]);
  });

  it('reports the errors that a script reaches, and quern check those of the package', async () => {
    const cwd = makeFiles({
      'a.sql': 'SELECT {{ Nme() }}',
      'b.sql': '#+macro Name() #+begin 1\n',
      'c.sql': '#+foo',
    });
    const compiled = await quern(['compile', 'a.sql'], { cwd });
    expect([compiled.stdout, compiled.exitCode]).toEqual(['', 3]);
    const searched = '`b.sql`, `c.sql`, in the same folder, have errors and could not be searched';
    expect(compiled.stderr).toBe(`a.sql:1:11: error: unknown name \`Nme\`, did you mean \`Name\`? ${searched}
1 | SELECT {{ Nme() }}
  |           ^~~
`);
    const checked = await quern(['check', 'a.sql'], { cwd });
    expect(checked.exitCode).not.toBe(0);
    expect(checked.stdout).toContain(`a.sql:1:11: error: unknown name \`Nme\`
1 | SELECT {{ Nme() }}
  |           ^~~
b.sql:1:16: error: this \`#+begin\` has no \`#+end\`
1 | #+macro Name() #+begin 1
  |                ^~~~~~~
c.sql:1:1: error: unknown directive \`#+foo\`, did you mean \`#+for\`?
1 | #+foo
  | ^~~~~
`);
  });

  it('reports positions in the original text, with any parameter values', async () => {
    const cwd = makeFiles({ 'a.sql': "SELECT '$p', {{ 1 + }}, '$p'\n" });
    const { stderr } = await quern(['compile', 'a.sql', '--param', 'p=}} #+end\n#+src "'], { cwd });
    expect(stderr).toBe(`a.sql:1:21: error: a value is missing, but found \`}\`
1 | SELECT '$p', {{ 1 + }}, '$p'
  |                     ^
`);
  });

  it.each([
    ['a missing file', 1, ['compile', 'none.sql'], 'error: cannot read none.sql: there is no such file\n'],
    ['a folder', 1, ['compile', 'base'], 'error: base is a folder; name one of its scripts\n'],
    ['a file that is not a script', 1, ['compile', 'project.toml'], 'error: project.toml is not a script\n'],
    ['two forms', 2, ['compile', 'report.sql', '--json', '--sql'], 'error: choose one of --json and --sql\n'],
    [
      'two places',
      2,
      ['check', 'base', '@Shared'],
      'error: name paths of the catalog or on disk, not both\n',
    ],
    ['nothing to check', 1, ['check', '.git'], 'error: cannot read .git: there is no such file or folder\n'],
    ['no home', 2, ['compile', '@Shared/a'], 'error: no home here: run `quern init`\n'],
  ])('refuses %s', async (_, code, args, message) => {
    const { stderr, exitCode } = await quern(args, { cwd: makeFiles(PROJECT) });
    expect([stderr, exitCode]).toEqual([message, code]);
  });
});

describe('quern check', () => {
  it('finds errors that a run reaches late, and warns', async () => {
    const cwd = makeFiles({
      'a.sql': '#+src sql A(n): tabel\n#+begin SELECT {{ n }} FROM {{ B() }} #+end\n',
      'b.sql': '#+src sql B() #+begin SELECT * FROM {{ A(1, m=2) }} #+end\n',
    });
    const { stdout, stderr, exitCode } = await quern(['check'], { cwd });
    expect([exitCode, stderr]).toEqual([1, '2 scripts in 1 package: 2 errors, 1 warning\n']);
    expect(
      String(stdout)
        .split('\n')
        .filter((line) => line.includes('.sql:') && line.includes(': ')),
    ).toEqual([
      'a.sql:1:17: warning: the unknown return type `tabel` is treated as a data set, did you mean `table`?',
      'b.sql:1:40: error: these blocks call one another in a cycle: `A` (a.sql:2) → `B` (b.sql:1) → `A` (a.sql:2)',
      'b.sql:1:45: error: the block `A` has no argument `m`',
    ]);
  });

  it('finds nothing wrong in the warehouse', async () => {
    const { stdout, exitCode } = await quern(['check', '--json'], { cwd: warehouse });
    const findings: { severity: string; message: string }[] = JSON.parse(String(stdout));
    expect(exitCode).toBe(0);
    expect(findings.map(({ message }) => message)).toEqual(['unknown key `:owner`']);
  });

  it('compiles every script of the warehouse, with the origin of every line', async () => {
    const names = readdirSync(warehouse, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.sql'),
    );
    expect(names.length).toBeGreaterThanOrEqual(40);
    const given = {
      date_from: '2025-01-01',
      date_to: '2025-12-31',
      region: 'all',
      limit: 5,
      years: '2024, 2025',
      stores: 1,
      measure: 'revenue',
      with_amounts: true,
      with_shares: true,
    };
    const file = path.join(makeFolder(), 'params.json');
    writeFileSync(file, JSON.stringify(given));
    for (const name of names) {
      const args = ['compile', name, '--json', '--params-file', file];
      const { stdout, stderr } = await quern(args, { cwd: warehouse });
      const unexpected = String(stderr)
        .split('\n')
        .filter((line) => line !== '' && !/^warning: parameter `\$\w+` is not used/.test(line));
      expect([name, unexpected]).toEqual([name, []]);
      const steps: { lines: { file: string; line: number; text: string }[] }[] = JSON.parse(String(stdout));
      for (const { file, line } of steps.flatMap(({ lines }) => lines)) {
        const source = readFileSync(path.join(warehouse, file), 'utf8').split('\n');
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(source.length);
      }
    }
  });
});
