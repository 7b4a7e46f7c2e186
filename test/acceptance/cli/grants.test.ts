import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern } from '../../support/quern.ts';

/** Runs a command, expects success; `_` stands for a space within an argument. */
async function run(cwd: string, line: string, input = ''): Promise<{ stdout: string; stderr: string }> {
  const { exitCode, stdout, stderr } = await quern(toArgs(line), { cwd, input });
  expect(exitCode, `${line}: ${stderr}`).toBe(0);
  return { stdout: String(stdout), stderr: String(stderr) };
}

function toArgs(line: string): string[] {
  return line.split(' ').map((word) => word.replaceAll('_', ' '));
}

/**
 * A home with `ada` and `bob` in the group `team`, `vic` with the role VIEWER, and a folder with a script.
 */
async function makePlace(): Promise<string> {
  const cwd = await makeHome();
  for (const name of ['ada', 'bob']) await run(cwd, `user create ${name}`);
  await run(cwd, 'user create vic --role VIEWER');
  await run(cwd, 'group create team');
  await run(cwd, 'group add-member team bob');
  await run(cwd, 'catalog mkdir @Shared/x');
  await run(cwd, 'catalog put - @Shared/x/s', 'SELECT 42 AS answer');
  return cwd;
}

/** Refused commands, with exit code and message. */
const REFUSALS: readonly (readonly [string, number, RegExp])[] = [
  ['grant add ada view @Shared', 2, /^error: Subject must be user:NAME, group:NAME or everyone: ada\n$/],
  ['grant add user:ada vew @Shared', 2, /^error: unknown level vew: use view, edit or manage; for /],
  ['grant add user:ada use @Shared', 2, /^error: Level on @Shared must be one of VIEW, EDIT, MANAGE: USE\n$/],
  ['grant add user:ada edit connection:duckdb', 2, /must be one of READ, USE, MANAGE: EDIT\n$/],
  ['grant add user:ada view Shared/x', 2, /^error: Target must be a catalog path, which begins with @, or /],
  ['grant add user:ada view', 2, /missing required argument 'target'/],
  ['grant rm ada @Shared', 2, /^error: Subject must be /],
  ['grant ls Shared', 2, /^error: Target must be /],
  ['grant explain ada duckdb', 2, /^error: Target must be /],
  ['grant restrict connection:duckdb', 2, /^error: Only catalog items can be restricted: /],
  ['grant restrict @Shared', 1, /^error: @Shared is a namespace: it has no parent folder /],
  ['grant restrict @Shared/y', 1, /^error: Path not found: @Shared\/y\n$/],
  ['grant add user:ada view @Personal', 1, /^error: @Personal belongs to its user alone: /],
  ['grant add user:adda view @Shared', 1, /^error: User not found: adda, did you mean `ada`\?\n$/],
  ['grant add group:taem view @Shared', 1, /^error: Group not found: taem, did you mean `team`\?\n$/],
  ['grant rm user:ada @Shared', 1, /^error: Grant not found: user:ada on @Shared\n$/],
  ['grant explain adda @Shared', 1, /^error: User not found: adda, did you mean `ada`\?\n$/],
  ['grant ls --as ada', 4, /^error: You don't have permission to perform the request\n$/],
  ['grant ls @Shared --as ada', 4, /^error: You don't have permission to perform the request\n$/],
  [
    'grant ls connection:duckdb --as ada',
    4,
    /^error: You don't have permission to access this connection\n$/,
  ],
  ['grant add user:ada manage @Shared --as ada', 4, /permission/],
  ['grant rm everyone @Shared --as ada', 4, /permission/],
  ['grant restrict @Shared/x --as ada', 4, /permission/],
  ['grant explain ada @Shared --as ada', 4, /permission/],
  ['grant explain bob @Personal --as ada', 4, /permission/],
  ['grant levels @Shared', 2, /^error: Subject is required\n$/],
  ['grant levels @Shared --subject ada', 2, /^error: Subject must be /],
  ['grant levels @Shared --subject everyone --as ada', 4, /permission/],
  ['grant levels --subject everyone --as ada', 4, /permission/],
  ['grant apply missing.json', 1, /missing\.json/],
];

describe('quern grant', () => {
  it('grants, lists, and revokes', async () => {
    const cwd = await makePlace();
    expect(await run(cwd, 'grant ls')).toEqual({
      stdout: '@Shared            everyone  EDIT\nconnection:duckdb  everyone  READ\n',
      stderr: '',
    });
    expect(await run(cwd, 'grant add user:ADA manage @Shared/x')).toEqual({
      stdout: '',
      stderr: 'user:ada has MANAGE on @Shared/x\n',
    });
    const added = await run(cwd, 'grant add group:team VIEW @Shared/x --as ada --json');
    expect(JSON.parse(added.stdout)).toEqual({
      subject: 'group:team',
      level: 'VIEW',
      target: '@Shared/x',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect((await run(cwd, 'grant ls @Shared/x --as ada')).stdout).toBe(
      '@Shared/x  group:team  VIEW\n@Shared/x  user:ada    MANAGE\n',
    );
    expect(await run(cwd, 'grant rm group:team @Shared/x --as ada')).toEqual({
      stdout: '',
      stderr: 'revoked the grant of group:team on @Shared/x\n',
    });
    expect(JSON.parse((await run(cwd, 'grant ls @Shared/x --json')).stdout)).toMatchObject({
      data: [{ subject: 'user:ada', level: 'MANAGE', target: '@Shared/x' }],
      restricted: [],
    });
  });

  it('restricts a folder, with effect on the next command of the user', async () => {
    const cwd = await makePlace();
    const answers = async (as: string) => {
      const commands = ['catalog ls @Shared', 'catalog ls @Shared/x', 'exec @Shared/x/s --format csv'];
      const ran = await Promise.all(commands.map((line) => quern(toArgs(`${line} --as ${as}`), { cwd })));
      return ran.map(({ exitCode, stdout }) => [exitCode, stdout]);
    };
    const open = [
      [0, 'x/\n'],
      [0, 's\n'],
      [0, 'answer\n42\n'],
    ];
    const closed = [
      [0, ''],
      [4, ''],
      [1, ''],
    ];
    expect(await answers('bob')).toEqual(open);
    expect(await run(cwd, 'grant restrict @Shared/x')).toEqual({
      stdout: '',
      stderr: '@Shared/x is restricted\n',
    });
    expect(await answers('bob')).toEqual(closed);
    expect(await answers('admin')).toEqual(open);
    await run(cwd, 'grant add group:team view @Shared/x');
    expect(await answers('bob')).toEqual(open);
    await run(cwd, 'grant rm group:team @Shared/x');
    expect(await answers('bob')).toEqual(closed);
    expect(JSON.parse((await run(cwd, 'grant restrict @Shared/x --off --json')).stdout)).toEqual({
      target: '@Shared/x',
      restricted: false,
    });
    expect(await answers('bob')).toEqual(open);
  });

  it('explains what a user may do, and why', async () => {
    const cwd = await makePlace();
    await run(cwd, 'grant restrict @Shared/x');
    await run(cwd, 'grant add user:vic edit @Shared/x');
    expect((await run(cwd, 'grant explain vic @Shared/x/s')).stdout).toBe(
      [
        'vic has VIEW on @Shared/x/s',
        '- everyone has EDIT on @Shared, but it has no effect: @Shared/x is restricted',
        '- user:vic has EDIT on @Shared/x',
        '- the role VIEWER allows at most VIEW',
        '',
      ].join('\n'),
    );
    await run(cwd, 'catalog mkdir @Project_Hub/p --project');
    expect((await run(cwd, 'grant explain ada @Project_Hub/p')).stdout).toBe(
      'ada has NONE on @Project Hub/p\n- nothing is granted\n',
    );
    const { stdout } = await run(cwd, 'grant explain admin connection:duckdb --json');
    expect(JSON.parse(stdout)).toEqual({
      user: 'admin',
      target: 'connection:duckdb',
      level: 'MANAGE',
      reasons: [{ kind: 'super_user', level: 'MANAGE' }],
    });
    await run(cwd, 'user set ada --disabled');
    expect((await run(cwd, 'grant explain ada @Shared')).stdout).toBe(
      'ada has NONE on @Shared\n- the user is disabled\n',
    );
  });

  it('lets users create their own projects and share them', async () => {
    const cwd = await makePlace();
    const make = () => quern(toArgs('catalog mkdir @Project_Hub/p --project --as ada'), { cwd });
    expect((await make()).exitCode).toBe(1);
    await run(cwd, 'grant add everyone edit @Project_Hub');
    expect((await make()).exitCode).toBe(0);
    expect((await run(cwd, 'catalog ls @Project_Hub --as bob')).stdout).toBe('');
    await run(cwd, 'grant add user:bob edit @Project_Hub/p --as ada');
    await run(cwd, 'catalog put - @Project_Hub/p/s --as bob', 'SELECT 1');
    expect((await run(cwd, 'catalog ls @Project_Hub --as bob')).stdout).toBe('p/\n');
  });

  it('grants the use of connections, and their management', async () => {
    const cwd = await makePlace();
    await run(cwd, 'connection create shop --kind duckdb --set file=shop.duckdb');
    const ask = (as: string) => quern(['sql', 'SELECT 1', '--connection', 'shop', '--as', as], { cwd });
    expect(await ask('vic')).toMatchObject({
      exitCode: 4,
      stderr: "error: You don't have permission to access this connection\n",
    });
    await run(cwd, 'grant add everyone use connection:shop');
    expect(await ask('vic')).toMatchObject({ exitCode: 0 });
    const { stdout } = await run(cwd, 'connection show shop --as vic');
    expect(stdout).toMatch(/^file +set \(hidden\)/m);
    const remove = () => quern(toArgs('connection rm shop --yes --as ada'), { cwd });
    expect((await remove()).exitCode).toBe(4);
    await run(cwd, 'grant add user:ada manage connection:shop');
    await run(cwd, 'grant rm everyone connection:shop --as ada');
    expect((await ask('vic')).exitCode).toBe(4);
    expect((await remove()).exitCode).toBe(0);
    expect((await run(cwd, 'grant ls')).stdout).not.toContain('shop');
  });

  it('keeps one grant of two processes that set the same at once', async () => {
    const cwd = await makePlace();
    const levels = ['view', 'edit', 'manage', 'view'];
    await Promise.all(levels.map((level) => run(cwd, `grant add user:ada ${level} @Shared/x`)));
    const { data } = JSON.parse((await run(cwd, 'grant ls @Shared/x --json')).stdout);
    expect(data).toHaveLength(1);
  });

  it('refuses invalid and forbidden changes, and changes nothing', async () => {
    const cwd = await makePlace();
    const before = (await run(cwd, 'grant ls')).stdout;
    for (const [line, code, message] of REFUSALS) {
      const { exitCode, stderr, stdout } = await quern(toArgs(line), { cwd });
      expect(stderr, line).toMatch(message);
      expect({ exitCode, stdout }, line).toEqual({ exitCode: code, stdout: '' });
    }
    expect((await run(cwd, 'grant ls')).stdout).toBe(before);
  });
});

describe('grant apply', () => {
  const changes = (...list: readonly object[]) => JSON.stringify({ changes: list });
  const opening = { target: '@Shared/x', subject: 'group:team', level: 'MANAGE' };
  const closing = { target: '@Shared', subject: 'everyone', level: 'NONE' };

  it('prints who gains and loses what, applies the changes of a file or a pipe, and refuses an old preview', async () => {
    const cwd = await makePlace();
    const input = changes(opening, closing);
    const seen = await run(cwd, 'grant apply - --dry-run', input);
    expect(seen.stdout.split('\n')).toEqual([
      'ada loses EDIT on @Shared (keeps NONE)',
      'bob loses EDIT on @Shared (keeps NONE)',
      'vic loses VIEW on @Shared (keeps NONE)',
      'ada loses EDIT on @Shared/x (keeps NONE)',
      'bob gains MANAGE on @Shared/x (had EDIT)',
      'vic loses VIEW on @Shared/x (keeps NONE)',
      '',
    ]);
    expect(seen.stderr).toMatch(/^2 changes, gains 1, losses 5; nothing was applied \(etag \S+\)\n$/);
    const etag = /etag (\S+)\)/.exec(seen.stderr)?.[1] ?? '';
    await run(cwd, 'grant add user:ada view @Shared');
    const refused = await quern(['grant', 'apply', '-', '--etag', etag], { cwd, input });
    expect(refused.exitCode).toBe(1);
    expect(String(refused.stderr)).toMatch(/^error: The grants have changed since the preview/);
    expect((await run(cwd, 'grant ls @Shared')).stdout).toMatch(/everyone +EDIT/);
    writeFileSync(path.join(cwd, 'changes.json'), input);
    expect((await run(cwd, 'grant apply changes.json')).stderr).toBe('applied 2 changes\n');
    expect(JSON.parse((await run(cwd, 'grant apply changes.json --json')).stdout)).toMatchObject({
      dry_run: false,
      changed: 0,
    });
    const levels = await run(cwd, 'grant levels @Shared --subject group:team --subject user:ada');
    expect(levels.stdout).toMatch(/@Shared +- +- +VIEW\n@Shared\/x +- +MANAGE +\(VIEW\)\n/);
    const all = await run(cwd, 'grant levels --subject everyone --json');
    expect(JSON.parse(all.stdout)).toMatchObject({ data: [{ name: '@Project Hub' }, { name: '@Shared' }] });
  });

  it.each([
    ['{', 2, /^error: standard input is not JSON/],
    ['[]', 2, /^error: Body must be a JSON object\n$/],
    ['{"changes": 1}', 2, /^error: Changes must be a list\n$/],
    [changes(), 2, /^error: Changes is required\n$/],
    [
      changes(opening, opening),
      2,
      /^error: Changes have group:team twice on @Shared\/x: leave one of them out\n$/,
    ],
    [
      changes({ ...opening, subject: 'user:adda' }),
      1,
      /^error: User not found: adda, did you mean `ada`\?\n$/,
    ],
  ])('refuses %s, and applies nothing', async (input, exitCode, message) => {
    const cwd = await makePlace();
    const before = await run(cwd, 'grant ls');
    const refused = await quern(['grant', 'apply', '-'], { cwd, input });
    expect([refused.exitCode, String(refused.stderr)]).toEqual([exitCode, expect.stringMatching(message)]);
    expect(await run(cwd, 'grant ls')).toEqual(before);
  });
});
