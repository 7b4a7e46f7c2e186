import { describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';

/** Earlier and other notations of commands, each with the one in help. */
const SPELLINGS = [
  ['connections ls', 'connection ls'],
  ['connections describe duckdb', 'connection show duckdb'],
  ['connection describe postgresql', 'connection show postgresql'],
  ['users ls', 'user ls'],
  ['groups ls', 'group ls'],
  ['tokens ls', 'token ls'],
  ['grants ls', 'grant ls'],
  [
    'sql -f ndjson -c duckdb -p n=1 --file n.sql',
    'sql --format ndjson --connection duckdb --param n=1 --file n.sql',
  ],
] as const;

async function run(cwd: string, line: string): Promise<string> {
  const { exitCode, stdout, stderr } = await quern(line.split(' '), { cwd });
  expect({ exitCode, stderr }, line).toMatchObject({ exitCode: 0 });
  return String(stdout);
}

describe('an earlier notation of a command', () => {
  it.each(SPELLINGS)('prints for `quern %s` the output of `quern %s`', async (old, current) => {
    const cwd = await makeHome();
    writeFiles(cwd, { 'n.sql': 'SELECT $n::INT AS n' });
    await run(cwd, 'group create analysts');
    await run(cwd, 'token create --name ci');
    const printed = await run(cwd, current);
    expect(printed).not.toBe('');
    expect(await run(cwd, old)).toBe(printed);
  });

  it('creates, tests and deletes a connection', async () => {
    const cwd = await makeHome();
    await run(cwd, 'connections add shop --kind duckdb --set file=shop.duckdb');
    expect(await run(cwd, 'connections test shop')).toContain('shop  v');
    await run(cwd, 'connections rm shop -y');
    expect(await run(cwd, 'connection ls')).not.toContain('shop');
  });

  it('adds and removes members of a group', async () => {
    const cwd = await makeHome();
    await run(cwd, 'groups create analysts');
    await run(cwd, 'groups add analysts admin');
    expect(await run(cwd, 'group ls')).toContain('admin');
    await run(cwd, 'group remove analysts admin');
    expect(await run(cwd, 'group ls')).not.toContain('admin');
  });

  it('reads a file of SQL named with @, and warns', async () => {
    const cwd = await makeHome();
    writeFiles(cwd, { 'one.sql': 'SELECT 1 AS one' });
    expect(await quern(['sql', '@one.sql'], { cwd })).toMatchObject({
      exitCode: 0,
      stdout: 'one\n1\n',
      stderr: 'warning: `@FILE` is deprecated here; use `--file one.sql`\n',
    });
    expect(await quern(['sql', '@Shared/one'], { cwd })).toMatchObject({
      exitCode: 2,
      stderr:
        'error: cannot read Shared/one: there is no such file; to run a script from the catalog, use `quern exec @Shared/one`\n',
    });
    expect((await quern(['sql', 'SELECT 1', '--file', 'one.sql'], { cwd })).exitCode).toBe(2);
  });

  it('is not listed by help', async () => {
    const { stdout } = await quern(['connections', '--help'], { cwd: await makeHome() });
    expect(stdout).toContain('create <name>');
    expect(stdout).not.toMatch(/quern connections|^ +(?:add|describe)\b/m);
  });
});
