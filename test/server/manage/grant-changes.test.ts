import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createWorld, type World } from '../world.ts';

const GRANTS = '/api/v1/manage/grants';
const CHANGES = `${GRANTS}/changes`;

const makeFolder = ({ ask }: World, name: string, parent = '@Shared') =>
  ask('POST', '/api/v1/catalog/folders', { body: { parent_path: parent, name } });

const edit = { subject: 'user:ed', level: 'EDIT', target: '@Shared/f' };

describe('the levels of several subjects', () => {
  it('are listed in pages, with the folder and the total', async () => {
    const world = await createWorld();
    const { ask, createUser } = world;
    await createUser('ed');
    for (const name of ['f', 'g', 'h & i']) await makeFolder(world, name);
    await makeFolder(world, 'below', '@Shared/f');
    await ask('PUT', GRANTS, { body: { subject: 'user:ed', level: 'MANAGE', target: '@Shared/f' } });
    const query = `${GRANTS}/levels?subject=user:ed&subject=everyone&under=@Shared&limit=2`;
    const inherited = { own: null, level: 'EDIT' };
    expect((await ask('GET', query)).body).toEqual({
      subjects: ['user:ed', 'everyone'],
      folder: {
        target: '@Shared',
        name: '@Shared',
        type: 'REGULAR_FOLDER',
        restricted: false,
        has_children: true,
        levels: [inherited, { own: 'EDIT', level: 'EDIT' }],
      },
      data: [
        {
          target: '@Shared/f',
          name: 'f',
          type: 'REGULAR_FOLDER',
          restricted: false,
          has_children: true,
          levels: [{ own: 'MANAGE', level: 'MANAGE' }, inherited],
        },
        {
          target: '@Shared/g',
          name: 'g',
          type: 'REGULAR_FOLDER',
          restricted: false,
          has_children: false,
          levels: [inherited, inherited],
        },
      ],
      total: 3,
    });
    expect((await ask('GET', `${query}&after=g`)).body).toMatchObject({
      data: [{ target: '@Shared/h & i' }],
      total: 3,
    });
    const connections = await ask('GET', `${GRANTS}/levels?subject=everyone&under=connections`);
    expect(connections.body).toMatchObject({
      folder: null,
      data: [{ target: 'connection:duckdb', type: 'CONNECTION', levels: [{ own: 'READ', level: 'READ' }] }],
      total: 1,
    });
  });

  it.each([
    ['', 400, 'Subject is required'],
    ['?subject=ed', 400, 'Subject must be user:NAME, group:NAME or everyone: ed'],
    [`?${'subject=everyone&'.repeat(51)}`, 400, 'Subject must be given at most 50 times'],
    ['?subject=everyone&under=@a&under=@b', 400, 'Under must be a string'],
    ['?subject=everyone&limit=0', 400, 'Limit must be between 1 and 1000'],
    ['?subject=everyone&limit=x', 400, 'Limit must be a whole number'],
    ['?subject=everyone&under=@Shared/none', 404, 'Path not found: @Shared/none'],
  ])('refuse %s', async (query, status, detail) => {
    const { ask } = await createWorld();
    expectRefusal(await ask('GET', `${GRANTS}/levels${query}`), status, detail);
  });
});

describe('several changes of grants', () => {
  it('are previewed, applied with the tag of the preview, and refused with one that is out of date', async () => {
    const world = await createWorld();
    const { ask, createUser } = world;
    await createUser('ed');
    await makeFolder(world, 'f');
    await ask('POST', `${GRANTS}/restrict`, { body: { target: '@Shared/f' } });
    const body = { changes: [edit] };
    const seen = await ask('POST', `${CHANGES}?dry_run=true`, { body });
    expect(seen).toMatchObject({
      status: 200,
      body: {
        dry_run: true,
        changed: 1,
        effects: {
          gains: 1,
          losses: 0,
          data: [{ user: 'ed', target: '@Shared/f', before: 'NONE', after: 'EDIT' }],
        },
      },
    });
    const { etag } = seen.body as { etag: string };
    const other = await createUser('boss', 'ADMIN');
    const theirs = { changes: [{ ...edit, level: 'VIEW' }] };
    expect((await ask('POST', CHANGES, { token: other, body: theirs })).status).toBe(200);
    const headers = { 'if-match': `"${etag}"` };
    const refused = await ask('POST', CHANGES, { body, headers });
    expectRefusal(
      refused,
      412,
      'The grants have changed since the preview, and nothing was applied: preview the changes again',
    );
    expect((await ask('GET', `${GRANTS}?target=@Shared/f`)).body).toMatchObject({
      data: [{ level: 'VIEW' }],
    });
    const again = (await ask('POST', `${CHANGES}?dry_run=true`, { body })).body as { etag: string };
    const applied = await ask('POST', CHANGES, { body, headers: { 'if-match': again.etag } });
    expect(applied).toMatchObject({ status: 200, body: { dry_run: false, changed: 1 } });
    const audit = await ask('GET', '/api/v1/manage/audit?action=grant.set');
    expect(audit.body).toMatchObject({
      data: [
        { actor: 'admin', object: 'user:ed EDIT @Shared/f' },
        { actor: 'boss', object: 'user:ed VIEW @Shared/f' },
      ],
    });
  });

  it('need all rights and the scope all, and change nothing without', async () => {
    const world = await createWorld();
    const { ask, createUser } = world;
    const token = await createUser('ed');
    const readOnly = await createUser('boss', 'ADMIN', { scope: 'read' });
    await makeFolder(world, 'f');
    await makeFolder(world, 'g');
    await ask('PUT', GRANTS, { body: { ...edit, level: 'MANAGE' } });
    const open = (name: string) => ({ subject: 'everyone', level: 'VIEW', target: `@Shared/${name}` });
    const both = { changes: [open('f'), open('g')] };
    expect((await ask('POST', CHANGES, { token, body: both })).status).toBe(403);
    expect((await ask('POST', CHANGES, { token: readOnly, body: both })).status).toBe(403);
    expect((await ask('GET', `${GRANTS}?target=@Shared/f`)).body).toMatchObject({
      data: [{ subject: 'user:ed' }],
    });
    const mine = { changes: [open('f')] };
    expect(await ask('POST', CHANGES, { token, body: mine })).toMatchObject({
      status: 200,
      body: { changed: 1 },
    });
    const leaving = { changes: [{ ...edit, level: 'NONE' }] };
    expect(await ask('POST', CHANGES, { token, body: leaving })).toMatchObject({
      status: 409,
      body: { code: 'own_access' },
    });
  });

  it.each([
    [undefined, 'Changes is required'],
    [{ changes: 1 }, 'Changes must be a list'],
    [{ changes: [] }, 'Changes is required'],
    [{ changes: [1] }, 'Body must be a JSON object'],
    [{ changes: [{}] }, 'Target is required'],
    [{ changes: [{ ...edit, subject: 1 }] }, 'Subject must be a string'],
    [{ changes: [{ target: '@Shared', restricted: 'x' }] }, 'Restricted must be true or false'],
    [
      { changes: [{ target: '@Shared', subject: 'everyone' }] },
      'A change needs either subject and level, or restricted: @Shared',
    ],
  ])('refuse %j', async (body, detail) => {
    const { ask } = await createWorld();
    expectRefusal(await ask('POST', CHANGES, { body }), 400, detail);
    expectRefusal(
      await ask('POST', `${CHANGES}?dry_run=maybe`, { body }),
      400,
      'Dry run must be true or false',
    );
  });
});
