import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createWorld, type World } from '../world.ts';

const GRANTS = '/api/v1/manage/grants';

const makeFolder = ({ ask }: World, name: string) =>
  ask('POST', '/api/v1/catalog/folders', { body: { parent_path: '@Shared', name } });

describe('grants', () => {
  it('are set, listed and revoked', async () => {
    const world = await createWorld();
    const { ask, createUser } = world;
    await createUser('ed');
    await makeFolder(world, 'f & g');
    const body = { subject: 'user:ed', level: 'VIEW', target: '@Shared/f & g' };
    const set = await ask('PUT', GRANTS, { body });
    expect(set).toMatchObject({ status: 200, body });
    expect((await ask('PUT', GRANTS, { body: { ...body, level: 'MANAGE' } })).body).toMatchObject({
      ...body,
      level: 'MANAGE',
    });
    const query = `subject=${encodeURIComponent('user:ed')}&target=${encodeURIComponent('@Shared/f & g')}`;
    const listed = await ask('GET', `${GRANTS}?${query}`);
    expect(listed.body).toMatchObject({ data: [{ ...body, level: 'MANAGE' }], restricted: [] });
    const all = (await ask('GET', GRANTS)).body as { data: { target: string }[] };
    expect(all.data.map(({ target }) => target).sort()).toEqual([
      '@Shared',
      '@Shared/f & g',
      'connection:duckdb',
    ]);
    const deletion = await ask('DELETE', `${GRANTS}?${query}`, {
      headers: { 'content-type': 'application/json' },
    });
    expect(deletion).toMatchObject({ status: 204, text: '' });
    expectRefusal(
      await ask('DELETE', `${GRANTS}?${query}`),
      404,
      'Grant not found: user:ed on @Shared/f & g',
    );
  });

  it('take effect at once, and errors name the missing right', async () => {
    const world = await createWorld();
    const { ask, createUser } = world;
    const token = await createUser('ed');
    await makeFolder(world, 'f');
    const list = () => ask('GET', '/api/v1/catalog/list/@Shared/f', { token });
    expect((await list()).status).toBe(200);
    const restricted = await ask('POST', `${GRANTS}/restrict`, { body: { target: '@Shared/f' } });
    expect(restricted).toMatchObject({ status: 200, body: { target: '@Shared/f', restricted: true } });
    expect((await list()).status).toBe(403);
    const explained = await ask('GET', `${GRANTS}/explain?user=ed&target=@Shared/f`);
    expect(explained).toMatchObject({
      status: 200,
      body: {
        user: 'ed',
        target: '@Shared/f',
        level: 'NONE',
        reasons: [
          { kind: 'grant', subject: 'everyone', level: 'EDIT', target: '@Shared', cut_off_by: '@Shared/f' },
        ],
      },
    });
    await ask('POST', `${GRANTS}/restrict`, { body: { target: '@Shared/f', restricted: false } });
    expect((await list()).status).toBe(200);
    const reasons = (await ask('GET', `${GRANTS}/explain?user=ed&target=@Shared/f`)).body;
    expect(reasons).toMatchObject({ level: 'EDIT', reasons: [{ cut_off_by: null }] });
  });

  it.each([
    ['PUT', '', {}, 400, 'Subject is required'],
    ['PUT', '', { subject: 1 }, 400, 'Subject must be a string'],
    ['PUT', '', { subject: 'x' }, 400, 'Level is required'],
    ['PUT', '', { subject: 'x', level: 'VIEW' }, 400, 'Target is required'],
    ['POST', '/restrict', {}, 400, 'Target is required'],
    ['POST', '/restrict', { target: '@Shared', restricted: 0 }, 400, 'Restricted must be true or false'],
    ['DELETE', '', undefined, 400, 'Subject is required'],
    ['DELETE', '?subject=everyone', undefined, 400, 'Target is required'],
    ['DELETE', '?subject=everyone&target=@a&target=@b', undefined, 400, 'Target must be a string'],
    ['GET', '?target=@Shared/a&target=@Shared/b', undefined, 400, 'Target must be a string'],
    ['GET', '?target=@Shared/nothing', undefined, 404, 'Path not found: @Shared/nothing'],
    ['GET', '/explain', undefined, 400, 'User is required'],
    ['GET', '/explain?user=admin', undefined, 400, 'Target is required'],
    ['GET', '/explain?user=nobody&target=@Shared', undefined, 404, 'User not found: nobody'],
  ])('refuse %s %s %j', async (method, path, body, status, detail) => {
    const { ask } = await createWorld();
    expectRefusal(await ask(method, `${GRANTS}${path}`, { body }), status, detail);
  });

  it('are listed for administrators, and for a user who manages the target', async () => {
    const world = await createWorld();
    const { ask, createUser } = world;
    const token = await createUser('ed');
    await makeFolder(world, 'f');
    expect((await ask('GET', GRANTS, { token })).status).toBe(403);
    expect((await ask('GET', `${GRANTS}?target=@Shared/f`, { token })).status).toBe(403);
    await ask('PUT', GRANTS, { body: { subject: 'user:ed', level: 'MANAGE', target: '@Shared/f' } });
    expect((await ask('GET', `${GRANTS}?target=@Shared/f`, { token })).status).toBe(200);
    const own = { subject: 'everyone', level: 'VIEW', target: '@Shared/f' };
    expect((await ask('PUT', GRANTS, { token, body: own })).status).toBe(200);
  });
});
