import { expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createWorld } from '../world.ts';

it('tells in ETag which revision a stale change should have named', async () => {
  const { ask } = await createWorld();
  const made = await ask('POST', '/api/v1/catalog/folders', {
    body: { parent_path: '@Shared', name: 'box' },
  });
  const stale = await ask('PUT', '/api/v1/catalog/folders/@Shared/box', {
    headers: { 'if-match': '"0"' },
    body: { name: 'other' },
  });
  expectRefusal(stale, 412, expect.stringContaining(made.headers.etag!));
  expect(stale.headers.etag).toBe(made.headers.etag);
});

it('deletes whatever Accept says, since there is no body to choose', async () => {
  const { ask } = await createWorld();
  const made = await ask('POST', '/api/v1/catalog/folders', {
    body: { parent_path: '@Shared', name: 'box' },
  });
  const headers = { accept: 'text/csv', 'if-match': made.headers.etag! };
  const answer = await ask('DELETE', '/api/v1/catalog/folders/@Shared/box', { headers });
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect((await ask('GET', '/api/v1/catalog/list', { headers: { accept: 'text/csv' } })).status).toBe(406);
});
