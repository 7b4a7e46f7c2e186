import { expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createWorld } from '../world.ts';

const list = '/api/v1/catalog/list';

it('limits each token separately', async () => {
  const { ask, createUser } = await createWorld({ rateLimit: 3 });
  const other = await createUser('ed');
  for (const left of ['2', '1', '0']) {
    const { status, headers } = await ask('GET', list);
    expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([
      200,
      '3',
      left,
    ]);
  }
  const refused = await ask('POST', '/api/v1/catalog/folders', { body: '{' });
  expectRefusal(refused, 429, 'Too many requests');
  const wait = Number(refused.headers['retry-after']);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect((await ask('GET', '/api/v1/nothing')).status).toBe(429);
  expect((await ask('GET', list, { token: other })).status).toBe(200);
  expect((await ask('GET', '/health/ready')).status).toBe(200);
  expect((await ask('GET', '/metrics')).status).toBe(200);
});

it('does not count requests without a valid token', async () => {
  const { ask } = await createWorld({ rateLimit: 1 });
  for (let count = 0; count < 3; count++) expect((await ask('GET', list, { token: 'x' })).status).toBe(401);
  expect((await ask('GET', list)).status).toBe(200);
});

it('counts unknown routes and refused bodies', async () => {
  const { ask } = await createWorld({ rateLimit: 2 });
  expect((await ask('GET', '/api/v1/nothing')).status).toBe(404);
  expectRefusal(
    await ask('POST', '/api/v1/catalog/folders', { body: '{' }),
    400,
    expect.stringContaining('not valid JSON'),
  );
  expect((await ask('GET', list)).status).toBe(429);
});

it('has no effect unless it is set', async () => {
  const { ask } = await createWorld();
  const { headers } = await ask('GET', list);
  expect(headers['x-ratelimit-limit']).toBeUndefined();
});
