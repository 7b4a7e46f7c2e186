import { expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createWorld } from '../world.ts';

it('returns the user of the token and the rights of the token', async () => {
  const world = await createWorld();
  const reader = await world.createUser('ada', 'VIEWER', { scope: 'read' });
  const { status, body } = await world.ask('GET', '/api/v1/me', { token: reader });
  expect([status, body]).toEqual([
    200,
    {
      id: expect.any(String),
      user_name: 'ada',
      email: null,
      display_name: expect.any(String),
      role: 'VIEWER',
      active: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      token: {
        id: expect.any(String),
        name: expect.any(String),
        scope: 'read',
        read_only: true,
        expires_at: expect.any(String),
      },
    },
  ]);
  const admin = await world.ask('GET', '/api/v1/me');
  expect(admin.body).toMatchObject({
    user_name: 'admin',
    role: 'ADMIN',
    token: { scope: 'all', read_only: false },
  });
});

it('answers 401 without a token, and for a disabled user', async () => {
  const world = await createWorld();
  const token = await world.createUser('bob');
  await world.ask('PUT', '/api/v1/manage/users/bob', { body: { active: false } });
  expectRefusal(await world.ask('GET', '/api/v1/me', { token }), 401, expect.anything());
  expectRefusal(await world.ask('GET', '/api/v1/me', { token: null }), 401, expect.anything());
});
