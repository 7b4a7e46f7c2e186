import { describe, expect, it } from 'vitest';
import { expectRefusal, send } from '../../../support/http.ts';
import { shareConsole, signIn } from '../console.ts';

const shared = shareConsole({ ada: {}, vic: { role: 'VIEWER' } });

describe("the catalog's routes of the console", () => {
  it('change the catalog of the signed-in user, who finds it by name and content', async () => {
    const ada = await signIn(shared.server.url, 'ada');
    const body = { parent_path: '@Personal', name: 'plan', content: 'SELECT 1\nFROM orders' };
    const made = await ada.send('POST', 'catalog/assets', { body });
    expect(made.status, made.text).toBe(201);
    const read = await ada.send('GET', 'catalog/by-path/@Personal/plan');
    expect(read.body).toMatchObject({ data: { content: body.content } });
    const found = await ada.send('GET', 'manage/search?content=ORDERS');
    expect(found.body).toMatchObject({ data: [{ path: '@Personal/plan', line: 2 }], is_complete: true });
    const headers = { 'if-match': String(read.headers.etag) };
    expect((await ada.send('DELETE', 'catalog/assets/@Personal/plan', { headers })).status).toBe(204);
    expect((await ada.send('GET', 'manage/search?name=plan')).body).toEqual({ data: [], is_complete: true });
  });

  it('require the CSRF token of the session for changes, and accept no bearer token', async () => {
    const { token } = shared;
    const { url } = shared.server;
    const ada = await signIn(url, 'ada');
    const body = { parent_path: '@Personal', name: 'other' };
    const headers = { 'x-csrf-token': '' };
    const refused = await ada.send('POST', 'catalog/folders', { body, headers });
    expect(refused).toMatchObject({ status: 403, body: { code: 'csrf_token_invalid' } });
    const bearer = { authorization: `Bearer ${token}` };
    for (const target of ['catalog/list', 'manage/users', 'manage/search?name=a']) {
      const answer = await send(url, 'GET', `/console/api/${target}`, { headers: bearer });
      expect(answer).toMatchObject({ status: 401, body: { code: 'session_required' } });
    }
    expect((await ada.send('GET', 'catalog/list/@Personal')).body).toEqual({ data: [] });
  });

  it('allow what the API allows the user', async () => {
    const { url } = shared.server;
    const vic = await signIn(url, 'vic');
    const body = { parent_path: '@Shared', name: 'x' };
    expectRefusal(await vic.send('POST', 'catalog/folders', { body }), 404, 'Path not found: @Shared');
    expect((await vic.send('GET', 'manage/users')).status).toBe(403);
    expect((await vic.send('GET', 'manage/grants/level?target=@Shared')).body).toEqual({
      target: '@Shared',
      level: 'VIEW',
    });
    const admin = await signIn(url, 'admin');
    expect((await admin.send('GET', 'manage/users')).status).toBe(200);
  });
});
