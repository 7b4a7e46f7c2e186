import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, makeHome, quern, quernProcess } from '../../support/quern.ts';

describe('an error', () => {
  it.each([
    [['query'], "error: unknown command 'query'\n(Did you mean sql?)\n"],
    [['import', 'a.csv'], "error: unknown command 'import'\n(Did you mean load?)\n"],
    [['version'], "error: unknown command 'version'\n(Did you mean --version?)\n"],
    [['-v'], "error: unknown option '-v'\n(Did you mean --version?)\n"],
  ])('about %s names the command of Quern', async (args, message) => {
    const { stderr, exitCode } = await quern(args, { cwd: makeFolder() });
    expect([stderr, exitCode]).toEqual([expect.stringContaining(message), 2]);
  });

  it('suggests no command of the first level below a group', async () => {
    const { stderr } = await quern(['catalog', 'import'], { cwd: makeFolder() });
    expect(stderr).not.toContain('Did you mean load');
  });

  it.each([
    [
      ['semantic', 'metadata', 'nope'],
      'error: Connection not found: nope\nhint: `quern connection ls` lists the connections\n',
    ],
    [
      ['catalog', 'rm', '@Shared', '--yes'],
      'error: Path not found: @Shared\nhint: @Shared is a namespace; only what is in it can be deleted\n',
    ],
    [
      ['catalog', 'ls', 'shared/flights'],
      'error: Path not found: shared/flights\nhint: did you mean `@Shared/flights`?\n',
    ],
    [
      ['exec', '@shared/flights/x'],
      'error: Path not found: @shared/flights/x\nhint: did you mean `@Shared/flights/x`?\n',
    ],
    [
      ['exec', 'shared/x'],
      'error: cannot read shared/x: there is no such file\nhint: a path of the catalog starts with @: did you mean `@Shared/x`?\n',
    ],
    [['admin', 'restore', 'nofile'], 'error: cannot read nofile: there is no such file\n'],
    [['ui', 'nope', '--no-open'], 'error: Path not found: nope\n'],
    [
      ['ui', '@Shared/flights', '--no-open'],
      'error: Path must be an asset\nhint: the path is a folder; name a script in it\n',
    ],
  ])('about %s says what to do', async (args, message) => {
    const cwd = await makeHome();
    await quern(['catalog', 'mkdir', '@Shared/flights'], { cwd });
    const { stderr, exitCode, stdout } = await quern(args, { cwd });
    expect([stdout, stderr, exitCode]).toEqual(['', message, 1]);
  });

  it('names the parameter whose value the database refuses', async () => {
    const cwd = await makeHome();
    const { stderr } = await quern(['sql', 'select $n::int', '--param', 'n=abc'], { cwd });
    expect(stderr).toMatch(/\n`\$n` is `abc` here; for a text, write '\$n'\n$/);
    const table = await quern(['sql', 'from $t', '--param', 't=nope'], { cwd });
    expect(table.stderr).toMatch(/\n`\$t` is `nope` here\n$/);
    const cast = await quern(['sql', "select '$n'::int", '--param', 'n=abc'], { cwd });
    expect(cast.stderr).toMatch(/\n`\$n` is `abc` here\n$/);
    const other = await quern(['sql', 'select $n, nope', '--param', 'n=1'], { cwd });
    expect(other.stderr).not.toContain('is `1` here');
  });

  it('suggests an object of the system only for a similar name', async () => {
    const cwd = await makeHome();
    expect((await quern(['sql', 'from nope'], { cwd })).stderr).not.toContain('Did you mean');
    expect((await quern(['sql', 'from pg_namespac'], { cwd })).stderr).toContain('"pg_namespace"');
    await quern(['sql', 'create table orders (x int)'], { cwd });
    expect((await quern(['sql', 'from order_s'], { cwd })).stderr).toContain('Did you mean "orders"?');
  });
});

describe('a place where the system lets no folder be created', () => {
  it.skipIf(!existsSync('/proc/self')).each([
    [['init', '/proc/q'], 'error: /proc/q/.quern cannot be prepared: the system lets no folder be created'],
    [['demo', '/proc/q'], 'error: cannot write /proc/q: '],
  ])('is an error of %s', async (args, message) => {
    const { stderr, exitCode } = await quernProcess(args, { cwd: makeFolder() });
    expect([stderr, exitCode]).toEqual([expect.stringContaining(message), 2]);
  });

  it.skipIf(!existsSync('/proc/self'))('may be the home folder of the user', async () => {
    const cwd = await makeHome();
    const { stdout, exitCode } = await quernProcess(['sql', 'select 1 as a'], {
      cwd,
      env: { HOME: '/proc' },
    });
    expect([stdout, exitCode]).toEqual(['a\n1\n', 0]);
  });
});

it('a file .geojson is loaded as JSON', async () => {
  const cwd = await makeHome();
  writeFileSync(path.join(cwd, 'places.geojson'), '{"type": "FeatureCollection", "features": []}\n');
  const { stderr, exitCode } = await quern(['load', 'places.geojson'], { cwd });
  expect([stderr, exitCode]).toEqual([expect.stringContaining('loaded 1 row into places'), 0]);
});
