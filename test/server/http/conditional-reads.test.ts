import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createWorld } from '../world.ts';

describe('If-None-Match', () => {
  it('answers 304 without a body for the revision that the client has', async () => {
    const { ask } = await createWorld();
    const made = await ask('POST', '/api/v1/catalog/assets', {
      body: { parent_path: '@Shared', name: 'a', content: 'SELECT 1' },
    });
    const etag = made.headers.etag!;
    const read = (tags: string) =>
      ask('GET', '/api/v1/catalog/by-path/@Shared/a', { headers: { 'if-none-match': tags } });
    for (const tags of [etag, `W/${etag}`, `"0", ${etag}`, '*']) {
      const { status, text, headers } = await read(tags);
      expect([tags, status, text, headers.etag]).toEqual([tags, 304, '', etag]);
    }
    for (const tags of ['"0"', etag.replaceAll('"', ''), '']) {
      expect([tags, (await read(tags)).status]).toEqual([tags, 200]);
    }
  });

  it('answers 404 for a missing item, with any tags', async () => {
    const { ask } = await createWorld();
    const headers = { 'if-none-match': '*' };
    expectRefusal(await ask('GET', '/api/v1/catalog/by-path/@Shared/b', { headers }), 404, expect.anything());
  });
});

describe('Accept', () => {
  it.each([
    'application/json; charset=utf-8; q=0.5',
    'application/json;indent=2',
    'text/csv, application/json; v="a,b;c"; q=1',
    'application/json; odata=verbose',
  ])('may name JSON with parameters: %s', async (accept) => {
    const { ask } = await createWorld();
    expect((await ask('GET', '/api/v1/catalog/list', { headers: { accept } })).status).toBe(200);
  });

  it.each(['text/csv; header=present', 'application/json; q=0', 'text/plain; a="application/json"'])(
    'still excludes JSON: %s',
    async (accept) => {
      const { ask } = await createWorld();
      expect((await ask('GET', '/api/v1/catalog/list', { headers: { accept } })).status).toBe(406);
    },
  );
});
