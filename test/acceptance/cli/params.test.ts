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

const WARNING = `greet.sql:2:16: warning: parameter \`$name\` has no value, so the string keeps \`$name\`: supply it with --param name=…, or in \`params\` over HTTP
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
    expect(stderr).toContain(`${place}: warning: parameter \`$`);
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
