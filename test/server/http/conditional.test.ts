import { expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createWorld } from '../world.ts';

it('returns in ETag the current revision for a stale change', async () => {
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

it('deletes with any Accept header, because the answer has no body', async () => {
  const { ask } = await createWorld();
  const made = await ask('POST', '/api/v1/catalog/folders', {
    body: { parent_path: '@Shared', name: 'box' },
  });
  const headers = { accept: 'text/csv', 'if-match': made.headers.etag! };
  const answer = await ask('DELETE', '/api/v1/catalog/folders/@Shared/box', { headers });
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect((await ask('GET', '/api/v1/catalog/list', { headers: { accept: 'text/csv' } })).status).toBe(406);
});
