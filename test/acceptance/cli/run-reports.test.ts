import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';

async function makeProject(files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = await makeHome();
  writeFiles(cwd, {
    'project.toml': '[general]\nname = "acme"\nversion = "1.0.0"\n',
    ...files,
  });
  return cwd;
}

const table = (name: string, query: string) =>
  `#+src sql ${name}()\n#+meta { :publication { :type "table", :name "${name.toLowerCase()}" } }\n#+begin ${query} #+end\n`;
const PUBLISH =
  '#+import "std/publication"\n#+import "acme/mart"\n\n{{ publication.Run(packages=[mart]) }};\n';

describe('a run that publishes', () => {
  it('lists its publications with what was done, rows and seconds', async () => {
    const cwd = await makeProject({
      'mart/a.sql': table('One', 'SELECT unnest([1, 2]) AS x'),
      'p.sql': PUBLISH,
    });
    const { exitCode, stderr } = await quern(['exec', 'p.sql'], { cwd });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^published one \(create, 2 rows, \d+\.\d s\)\n$/);
  });

  it('reports the schema of its environment that it has created, also after a failure', async () => {
    const cwd = await makeProject({ 'mart/a.sql': table('One', 'SELECT 1 AS x'), 'p.sql': PUBLISH });
    const environment = (name: string) =>
      `[environment.${name}]\nname = "${name}"\nconnection = { name = "duckdb", overrides = { schema = "${name}" } }\n`;
    const project = '[general]\nname = "acme"\nversion = "1.0.0"\n';
    writeFiles(cwd, { 'project.toml': project + environment('dev_ann') + environment('dev_bob') });
    const run = (env: string, script: string) => quern(['exec', script, '--env', env], { cwd });
    expect((await run('dev_ann', 'p.sql')).stderr).toMatch(/^created schema dev_ann\npublished one \(/);
    expect((await run('dev_ann', 'p.sql')).stderr).toMatch(/^published one \(/);
    writeFiles(cwd, { 'q.sql': PUBLISH.replace('{{', 'SELECT none;\n{{') });
    const { exitCode, stderr } = await run('dev_bob', 'q.sql');
    expect([exitCode, stderr]).toEqual([
      3,
      expect.stringContaining('created the schema before the error: `dev_bob`'),
    ]);
  });

  it('reports after a failure what was published before it and what was not tried', async () => {
    const text =
      table('One', 'SELECT 1 AS x') + table('Two', 'SELECT none') + table('Three', 'SELECT 3 AS x');
    const cwd = await makeProject({ 'mart/a.sql': text, 'p.sql': PUBLISH });
    const { exitCode, stderr } = await quern(['exec', 'p.sql'], { cwd });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('published before the error: `one`; not tried: `Three`\n');
  });
});

describe('a script with blocks only', () => {
  it('names its blocks and the command that runs one', async () => {
    const cwd = await makeProject({ 'mart/a.sql': '#+src sql One() #+begin SELECT 1 AS x #+end\n' });
    const { exitCode, stderr } = await quern(['exec', 'mart/a.sql'], { cwd });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr:
        'warning: mart/a.sql has blocks but no statement outside them, so nothing ran: `One`. Run one with `quern exec-block mart One`\n',
    });
    expect((await quern(['exec-block', 'mart', 'One'], { cwd })).stdout).toBe('x\n1\n');
  });
});

describe('quern exec-block', () => {
  it('exits with 1 for a block that does not exist, and with 2 without a block', async () => {
    const cwd = await makeProject({ 'mart/a.sql': '#+src sql Total() #+begin SELECT 1 AS x #+end\n' });
    expect(await quern(['exec-block', 'mart', 'Totl'], { cwd })).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: 'error: the package `acme/mart` has no block `Totl`, did you mean `Total`?\n',
    });
    expect((await quern(['exec-block', 'mart'], { cwd })).exitCode).toBe(2);
  });
});

describe('quern test', () => {
  it('fails without tests, unless --allow-none is given', async () => {
    const cwd = await makeProject({ 'mart/a.sql': '#+src sql One() #+begin SELECT 1 AS x #+end\n' });
    expect(await quern(['test'], { cwd })).toMatchObject({
      exitCode: 2,
      stderr: 'error: no tests found: --allow-none accepts that\n',
    });
    expect((await quern(['test', '--allow-none'], { cwd })).exitCode).toBe(0);
    rmSync(path.join(cwd, 'mart'), { recursive: true });
    expect(await quern(['test'], { cwd })).toMatchObject({
      exitCode: 2,
      stderr: 'error: there are no scripts here\n',
    });
    expect(await quern(['test', '--allow-none'], { cwd })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('runs the tests of one package while another one has errors', async () => {
    const cwd = await makeProject({
      'good/a.sql': '#+test sql Fine() #+begin SELECT 1 WHERE false #+end\n',
      'broken/b.sql': '#+test sql Bad( #+begin SELECT 1 #+end\n',
    });
    for (const selector of ['good', 'good.Fine', 'good/*', 'acme/good']) {
      expect((await quern(['test', selector], { cwd })).exitCode).toBe(0);
    }
    expect((await quern(['test'], { cwd })).exitCode).toBe(3);
  });
});

describe('help for an unknown command', () => {
  it.each([
    [['catlog', '--help'], "error: unknown command 'catlog'\n(Did you mean catalog?)"],
    [['catalog', 'nonsense', '-h'], "error: unknown command 'nonsense'"],
    [['help', 'nonsense'], "error: unknown command or topic 'nonsense'\nTopics: "],
    [
      ['help', 'parameterss'],
      "error: unknown command or topic 'parameterss'\n(Did you mean parameters?)\nTopics: ",
    ],
  ])('is refused: %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await quern(args, { cwd: await makeHome() });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

it('accepts run, list and delete instead of exec, ls and rm', async () => {
  const cwd = await makeHome();
  writeFiles(cwd, { 'answer.sql': 'SELECT 42 AS answer' });
  expect(await quern(['run', 'answer.sql'], { cwd })).toMatchObject({ exitCode: 0, stdout: 'answer\n42\n' });
  const listed = await quern(['connections', 'list'], { cwd });
  expect(listed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('duckdb') });
  await quern(['user', 'create', 'ada'], { cwd });
  expect(await quern(['user', 'delete', 'ada', '--yes'], { cwd })).toMatchObject({ exitCode: 0 });
  expect((await quern(['users', 'list'], { cwd })).stdout).not.toContain('ada');
});
