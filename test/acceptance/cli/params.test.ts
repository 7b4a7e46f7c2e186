import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';

const FILES = {
  'greet.sql': "-- $note\nSELECT 'Hello, $name!' AS greeting\n",
  'blocks/blocks.sql': `#+src sql Rows() #+begin SELECT '$day' AS day #+end
#+test sql NoRows() #+begin SELECT * FROM {{ Rows() }} WHERE day = '$bad' #+end
`,
  'publish/publish.sql': `#+import "std/publication"
#+src sql Days() #+meta { :publication { :type "table", :name "days_$suffix" } }
#+begin SELECT 1 AS n #+end
{{ publication.Run(blocks=[Days]) }};
`,
  'given.json': '{ "nmae": 1 }',
};

async function makeProject(): Promise<string> {
  const cwd = await makeHome();
  writeFiles(cwd, FILES);
  return cwd;
}

const PROJECT = {
  'app/project.toml': `[general]
name = "acme.io/app"

[dependencies]
"acme.io/lib" = { version = "1" }

[parameters]
days = 7
rate = 5.0
region = "O'Neil"
strict = true
regions = ["EU", "US"]

[environment]
default = "dev"

[environment.dev]
connection = { name = "duckdb" }
parameters = { days = 1 }

[environment.prod]
connection = { name = "duckdb", overrides = {} }

[environment.prod.parameters]
days = 30
`,
  'app/all.sql': `#+import "acme.io/lib" as lib
#+import "std/sql"
SELECT $days AS days, 1 / $rate AS rate, {{ sql.Literal($region) }} AS region
  #+if $strict then , count(*) AS regions #+end
FROM (VALUES #+for region : $regions separator ", " do ({{ sql.Literal(region) }}) #+end) AS r(region)
UNION ALL SELECT days, 0, '', 0 FROM {{ lib.Days() }}
`,
  'app/mart/mart.sql': `#+src sql Orders() #+meta { :publication { :type "table", :name "orders_" + $days } }
#+begin SELECT $days AS days #+end
#+test sql OfThisMonth() #+begin SELECT * FROM {{ Orders() }} WHERE days > 7 #+end
`,
  'lib/project.toml': `[general]
name = "acme.io/lib"
version = "1"
[parameters]
days = 99
[environment.prod]
connection = { name = "duckdb" }
parameters = { days = 100 }
`,
  'lib/days.sql': '#+src sql Days() #+begin SELECT $days AS days #+end',
};

async function makeApp(): Promise<string> {
  const home = await makeHome();
  writeFiles(home, PROJECT);
  return path.join(home, 'app');
}

describe('parameters of project.toml', () => {
  const rows = (days: number, ofLibrary: number) =>
    `days,rate,region,regions\n${days},0.2,O'Neil,2\n${ofLibrary},0.0,"",0\n`;

  it.each([
    [[], rows(1, 99)],
    [['--env', 'prod'], rows(30, 100)],
    [['--env', 'prod', '--connection', 'duckdb'], rows(30, 100)],
    [['--param', '$days=5'], rows(5, 5)],
  ])('apply to the files of their project, with %j', async (args, stdout) => {
    const cwd = await makeApp();
    expect(await quern(['exec', 'all.sql', ...args, '--format', 'csv'], { cwd })).toMatchObject({
      stdout,
      stderr: '',
      exitCode: 0,
    });
  });

  it('apply to every command on scripts', async () => {
    const cwd = await makeApp();
    const run = async (...args: readonly string[]) => {
      const { stdout, stderr, exitCode } = await quern(args, { cwd });
      return { text: `${stdout}${stderr}`, exitCode };
    };
    for (const [env, days] of [
      ['dev', 1],
      ['prod', 30],
    ]) {
      const of = ['--env', String(env)];
      expect((await run('compile', 'all.sql', '--sql', ...of)).text).toContain(
        `SELECT ${days} AS days, 1 / 5.0`,
      );
      expect((await run('ls', ...of)).text).toContain(`orders_${days}`);
      expect((await run('lineage', ...of)).text).toContain(`orders_${days}`);
      expect((await run('exec', 'all.sql', '--dry-run', ...of)).text).toContain(`SELECT ${days} AS days`);
      expect(await run('check', ...of)).toEqual({
        text: expect.stringContaining('0 errors, 0 warnings'),
        exitCode: 0,
      });
      const exitCode = days === 1 ? 0 : 1;
      expect(await run('build', ...of)).toEqual({
        text: expect.stringContaining(`published orders_${days}`),
        exitCode,
      });
      expect(await run('test', ...of)).toMatchObject({ exitCode });
    }
    expect((await run('exec-block', 'mart', 'Orders', '--format', 'csv')).text).toBe('days\n1\n');
    expect(await run('ls', 'mart', '--env', 'prd')).toEqual({
      text: 'error: unknown environment `prd`; available: dev, prod, did you mean `prod`?\n',
      exitCode: 2,
    });
    expect(await run('check', '--env', 'prd')).toMatchObject({ exitCode: 2 });
    expect(await run('compile', 'all.sql', '--env', 'prd')).toMatchObject({ exitCode: 2 });
  });

  it('are refused outside of the choices of a script', async () => {
    const cwd = await makeApp();
    writeFiles(cwd, { 'choice.sql': '-- $days in (7, 30)\nSELECT $days AS days' });
    const outside = '`$days` is `1`, but must be one of `7`, `30`';
    expect(await quern(['exec', 'choice.sql'], { cwd })).toMatchObject({
      stderr: `error: parameter ${outside}\n`,
      exitCode: 3,
    });
    expect((await quern(['compile', 'choice.sql'], { cwd })).exitCode).toBe(3);
    expect(await quern(['exec', 'choice.sql', '--env', 'prod'], { cwd })).toMatchObject({ exitCode: 0 });
    const checked = await quern(['check', 'choice.sql'], { cwd });
    expect(checked.stdout).toContain(
      'choice.sql:1:4: error: the default of `$days` in project.toml is `1`, but must be one of `7`, `30`',
    );
    expect((await quern(['exec', 'choice.sql', '--param', 'days=30'], { cwd })).exitCode).toBe(0);
  });
});

const WARNING = `greet.sql:2:16: warning: \`$name\` has no value and stays as text here. Set it with --param name=VALUE
1 | -- $note
2 | SELECT 'Hello, $name!' AS greeting
  |                ^~~~~
`;

describe('a parameter without a value inside quotes', () => {
  it('is a warning of a run with its position, also in JSON', async () => {
    const cwd = await makeProject();
    const { stdout, stderr, exitCode } = await quern(['exec', 'greet.sql'], { cwd });
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: 'greeting\n"Hello, $name!"\n',
      stderr: WARNING,
      exitCode: 0,
    });
    const json = await quern(['exec', 'greet.sql', '--format', 'json'], { cwd });
    expect(JSON.parse(String(json.stdout)).warnings).toEqual([
      expect.objectContaining({
        severity: 'warning',
        code: 'parameter',
        file: 'greet.sql',
        line: 2,
        column: 16,
      }),
    ]);
    const given = await quern(['exec', 'greet.sql', '--param', 'name=Ada', '--format', 'json'], { cwd });
    expect(JSON.parse(String(given.stdout))).not.toHaveProperty('warnings');
    expect(given.stderr).toBe('');
  });

  it.each([
    [['exec', 'greet.sql', '--dry-run'], 'greet.sql:2:16'],
    [['compile', 'greet.sql'], 'greet.sql:2:16'],
    [['sql', "SELECT '$x'"], 'sql:1:9'],
    [['exec-block', 'blocks', 'Rows'], 'blocks/blocks.sql:1:34'],
    [['test', 'blocks'], 'blocks/blocks.sql:2:69'],
    [['exec', 'publish/publish.sql'], 'publish/publish.sql:2:69'],
  ])('is reported by %j', async (args, place) => {
    const { stderr, exitCode } = await quern(args, { cwd: await makeProject() });
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`${place}: warning: \`$`);
  });

  it('is ignored by `check`, unless it gets parameters', async () => {
    const cwd = await makeProject();
    expect((await quern(['check'], { cwd })).stdout).toBe('');
    const { stdout, exitCode } = await quern(['check', '--param', 'note=1'], { cwd });
    expect(exitCode).toBe(0);
    expect(String(stdout).match(/^[\w/.]+:\d+:\d+: warning/gm)).toEqual([
      'blocks/blocks.sql:1:34: warning',
      'blocks/blocks.sql:2:69: warning',
      'greet.sql:2:16: warning',
      'publish/publish.sql:2:69: warning',
    ]);
  });
});

describe('a parameter in an expression', () => {
  const SCRIPT = `#+import "std/sql"
#+src sql Text(v) #+begin SELECT '{{ v }}' AS v, {{ sql.Literal(v) }} AS literal, '{{ v + "|" }}' AS joined #+end
SELECT * FROM {{ Text($p) }} #+if $p == "2026-01-15" then WHERE true #+end
`;

  it.each(['5', '1.5', '-0.25', 'true', '2026-01-15', '00501', '1.50', '1 or true', 'publication.Run()'])(
    'is one value: %s',
    async (value) => {
      const cwd = await makeHome();
      writeFiles(cwd, { 'value.sql': SCRIPT });
      const { stdout, stderr } = await quern(['exec', 'value.sql', '--param', `p=${value}`], { cwd });
      expect({ stdout, stderr }).toEqual({
        stdout: `v,literal,joined\n${value},${value},${value}|\n`,
        stderr: '',
      });
    },
  );

  it.each([
    ['5', false],
    ['12345678901234567890', false],
    ['0.1', false],
    ['true', false],
    ['00501', true],
    ['1e3', true],
    ['1.50', true],
    ['-0', true],
    ['null', true],
  ])('is a string on the command line, unless it is printed as the same text: %s', async (value, isText) => {
    const cwd = await makeHome();
    writeFiles(cwd, { 'kind.sql': 'SELECT {{ $p == "$p" }} AS is_text' });
    const { stdout } = await quern(['exec', 'kind.sql', '--param', `p=${value}`], { cwd });
    expect(stdout).toBe(`is_text\n${isText}\n`);
  });

  it('has the type of JSON in a file', async () => {
    const cwd = await makeHome();
    writeFiles(cwd, {
      'json.sql': `SELECT {{ $n + 1 }} AS n, '{{ $s + 1 }}' AS s, '{{ $m.name }}' AS m, #+for x : $xs separator "+" do {{ x }}#+end AS sum`,
      'json.json': '{ "n": 1.50, "s": "1.50", "m": { "name": "Ada" }, "xs": [1, 2] }',
    });
    const { stdout, stderr } = await quern(['exec', 'json.sql', '--params-file', 'json.json'], { cwd });
    expect({ stdout, stderr }).toEqual({ stdout: 'n,s,m,sum\n2.50,1.501,Ada,3\n', stderr: '' });
  });

  it('is text in SQL and in strings, where a map is refused', async () => {
    const cwd = await makeHome();
    writeFiles(cwd, { 'map.json': '{ "m": { "a": 1 } }' });
    const message = 'parameter `$m` is a map, which cannot be inserted';
    for (const text of ['SELECT $m', "SELECT '$m'", 'SELECT {{ "$m" }}']) {
      writeFiles(cwd, { 'map.sql': text });
      const { stderr, exitCode } = await quern(['exec', 'map.sql', '--params-file', 'map.json'], { cwd });
      expect(exitCode).toBe(3);
      expect(stderr).toContain(message);
    }
    const { stderr } = await quern(['sql', 'SELECT $m', '--params-file', 'map.json'], { cwd });
    expect(stderr).toContain(message);
  });
});

describe('a parameter inside quotes of SQL', () => {
  it('is refused if its apostrophe ends the string', async () => {
    const cwd = await makeHome();
    writeFiles(cwd, { 'name.sql': "SELECT 1;\nSELECT '$name' AS name" });
    const advice =
      "error: the value of `$name` has a `'`, which ends the string: in a script, write `{{ sql.Literal($name) }}`";
    const script = await quern(['exec', 'name.sql', '--param', "name=O'Brien"], { cwd });
    expect({ stdout: script.stdout, exitCode: script.exitCode }).toEqual({ stdout: '', exitCode: 3 });
    expect(script.stderr).toContain(`name.sql:2:9: ${advice}`);
    const plain = await quern(['sql', "SELECT 'for $name'", '--param', "name=O'Brien"], { cwd });
    expect(plain.stderr).toContain(`sql:1:13: ${advice}`);
  });

  it.each([
    ["O''Brien", "SELECT '$p' AS p", "O'Brien"],
    ["a', 'b", "SELECT concat('$p') AS p", 'ab'],
    ["O'Brien", 'SELECT $$ $p $$ AS p', " O'Brien "],
    ["'x'", 'SELECT $p AS p', 'x'],
  ])('may have a doubled or paired apostrophe: %s', async (value, text, shown) => {
    const cwd = await makeHome();
    const { stdout, stderr } = await quern(['sql', text, '--param', `p=${value}`], { cwd });
    expect({ stdout, stderr }).toEqual({ stdout: `p\n${shown}\n`, stderr: '' });
  });
});

describe('a number of a file of parameters, or of an argument', () => {
  it('keeps its digits and its point', async () => {
    const cwd = await makeHome();
    writeFiles(cwd, {
      'numbers.sql': "SELECT '$a' AS a, '$b' AS b",
      'numbers.json': '{ "a": 12345678901234567.89, "b": [1.0, 0.50] }',
      'text/text.sql': "#+src sql Text(n) #+begin SELECT '{{ n }}' AS n #+end",
    });
    const run = await quern(['exec', 'numbers.sql', '--params-file', 'numbers.json'], { cwd });
    expect(run.stdout).toBe('a,b\n12345678901234567.89,"1.0, 0.50"\n');
    const block = await quern(['exec-block', 'text', 'Text', '--arg', 'n=[1.0, 12345678901234567.89]'], {
      cwd,
    });
    expect(block.stdout).toBe('n\n"1.0, 12345678901234567.89"\n');
  });
});

describe('a parameter that no text uses', () => {
  it.each([
    ['exec', 'greet.sql'],
    ['exec', 'greet.sql', '--dry-run'],
    ['compile', 'greet.sql'],
    ['check', '.'],
  ])('is refused by %s %s before anything runs, with a similar name', async (...args) => {
    const { stdout, stderr, exitCode } = await quern([...args, '--param', 'nmae=Ada'], {
      cwd: await makeProject(),
    });
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: '',
      stderr: 'error: --param nmae: parameter `$nmae` is not used, did you mean `name`?\n',
      exitCode: 2,
    });
  });

  it.each([[['sql', "SELECT '$x'"]], [['exec-block', 'blocks', 'Rows']], [['test', 'blocks']]])(
    'is refused by %j',
    async (args) => {
      const { stdout, stderr, exitCode } = await quern([...args, '--param', 'quarter=1'], {
        cwd: await makeProject(),
      });
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
      expect(stderr).toBe('error: --param quarter: parameter `$quarter` is not used\n');
    },
  );

  it('is a warning if it comes from a file of parameters', async () => {
    const cwd = await makeProject();
    const args = ['exec', 'greet.sql', '--params-file', 'given.json', '--param', 'name=Ada'];
    const { stdout, stderr, exitCode } = await quern(args, { cwd });
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: 'greeting\n"Hello, Ada!"\n',
      stderr: 'warning: parameter `$nmae` is not used, did you mean `name`?\n',
      exitCode: 0,
    });
  });

  it('cannot be a number with more than 1,000 digits', async () => {
    const cwd = await makeProject();
    const digits = '7'.repeat(1_001);
    writeFiles(cwd, { 'long.json': `{"name": [${digits}]}` });
    const runs = [
      [['exec', 'greet.sql', '--params-file', 'long.json'], 'long.json: %: name[0]'],
      [['exec-block', 'blocks', 'Rows', '--arg', `n=${digits}`], '--arg n: %'],
    ] as const;
    for (const [args, message] of runs) {
      const { stdout, stderr, exitCode } = await quern([...args], { cwd });
      const expected = message.replace('%', 'a number has more than 1,000 digits');
      expect({ stdout, stderr, exitCode }).toEqual({
        stdout: '',
        stderr: `error: ${expected}\n`,
        exitCode: 2,
      });
    }
  });

  it('may appear in a comment, and in another file of the package', async () => {
    const cwd = await makeProject();
    const { exitCode } = await quern(['exec', 'greet.sql', '--param', 'note=1', '--param', 'name=x'], {
      cwd,
    });
    expect(exitCode).toBe(0);
  });

  it.each(['1a=1', 'a-b=1', '=1', '$=1'])('cannot have the name of --param %s', async (pair) => {
    const { stdout, stderr, exitCode } = await quern(['sql', 'SELECT 1', '--param', pair], {
      cwd: await makeProject(),
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(/^error: --param /);
  });
});

describe('the choices of a parameter', () => {
  const content = "-- $code in (ATL, 'JFK, New York'): The airport.\nSELECT '$code' AS code\n";

  it('refuse another value before a run and a compilation, and a default in the check', async () => {
    const cwd = await makeHome();
    writeFiles(cwd, { 'asked.sql': content, 'b/wrong.sql': "-- $code in (ATL) = ORD\nSELECT '$code'\n" });
    const refusal = 'error: parameter `$code` is `ORD`, but must be one of `ATL`, `JFK, New York`\n';
    for (const args of [
      ['exec', 'asked.sql'],
      ['compile', 'asked.sql'],
      ['sql', `\n${content}`],
    ]) {
      const { stdout, stderr, exitCode } = await quern([...args, '--param', 'code=ORD'], { cwd });
      expect({ stdout, stderr, isDone: exitCode === 0 }).toEqual({
        stdout: '',
        stderr: refusal,
        isDone: false,
      });
    }
    const { stdout } = await quern(['exec', 'asked.sql', '--param', 'code=JFK, New York'], { cwd });
    expect(stdout).toBe('code\n"JFK, New York"\n');
    const checked = await quern(['check', 'b'], { cwd });
    expect([checked.exitCode, checked.stdout]).toEqual([
      1,
      expect.stringContaining(
        'wrong.sql:1:4: error: the default of `$code` is `ORD`, but must be one of `ATL`',
      ),
    ]);
  });
});
