import { describe, expect, it } from 'vitest';
import { createClient, expectRefusal, send } from '../../support/http.ts';
import { createToken, runQuern, startServer } from '../../support/server.ts';
import { waitUntil } from '../../support/waiting.ts';
import {
  askToSignIn,
  createUser,
  makeToken,
  PASSWORD,
  readCookie,
  setPassword,
  shareConsole,
  signIn,
  type Visit,
} from './console.ts';

const shared = shareConsole({ ada: { email: 'ada@example.org', display_name: 'Ada Lovelace' } });
const NO_SESSION = 'Sign in first: the session does not exist or has ended';
const WRONG_CSRF = 'The X-CSRF-Token header is missing or belongs to another session: reload the page';

function otherSite(...known: string[]): string {
  return `The request comes from another site; this one is ${known.join(' or ')}`;
}

/** The name of a session's cookie. */
function nameOf({ cookie }: Visit): string {
  return cookie.slice(0, cookie.indexOf('='));
}

describe('signing in', () => {
  it('starts a session, which names its user', async () => {
    const { url } = shared.server;
    const answer = await askToSignIn(url, { login: 'ADA@example.org', password: PASSWORD });
    const user = {
      user_name: 'ada',
      display_name: 'Ada Lovelace',
      email: 'ada@example.org',
      role: 'EDITOR',
    };
    expect(answer.body).toEqual({
      user,
      csrf_token: expect.stringMatching(/^[\w-]{43}$/),
      server_started_at: expect.stringMatching(/^\d{4}-.*Z$/),
      may_choose_password: false,
      days_in_bin: 30,
    });
    expect(answer.headers['cache-control']).toBe('no-store');
    const session = await (await signIn(url, 'ada')).send('GET', 'session');
    expect(session.body).toMatchObject({ user });
    expect(session.headers['cache-control']).toBe('no-store');
  });

  it('sets a cookie that scripts cannot read, and other sites cannot send along', async () => {
    const answer = await askToSignIn(shared.server.url, { login: 'ada', password: PASSWORD });
    expect(readCookie(answer)).toMatch(/^session-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('keeps the session of another server on the same machine', async () => {
    const { url } = shared.server;
    const { server } = await startServer();
    await setPassword(server.cwd, 'admin');
    const first = await signIn(url, 'admin');
    const second = await signIn(server.url, 'admin', { cookie: first.cookie });
    const cookie = `${first.cookie}; ${second.cookie}`;
    for (const visit of [first, second]) {
      expect((await visit.send('GET', 'session', { headers: { cookie } })).status).toBe(200);
    }
    expect((await second.send('POST', 'sign-out', { headers: { cookie } })).status).toBe(204);
    expect((await first.send('GET', 'session', { headers: { cookie } })).status).toBe(200);
  });

  it('refuses a wrong password and an unknown user in the same way, and sets no cookie', async () => {
    for (const login of ['ada', 'nobody']) {
      const answer = await askToSignIn(shared.server.url, { login, password: 'a mill of three stones' });
      expectRefusal(answer, 401, 'User name or password is wrong');
      expect(readCookie(answer)).toBeUndefined();
      expect(answer.headers['www-authenticate']).toBe('Session');
    }
  });

  it('checks its body', async () => {
    const { url } = shared.server;
    const rows: [unknown, string][] = [
      [undefined, 'User name is required'],
      [{}, 'User name is required'],
      [{ login: '', password: 'x' }, 'User name is required'],
      [{ login: null, password: 'x' }, 'User name is required'],
      [{ login: 7 }, 'User name must be a string'],
      [{ login: 'ada' }, 'Password is required'],
      [{ login: 'ada', password: ['x'] }, 'Password must be a string'],
      [{ login: 'x'.repeat(4_001), password: 'x' }, 'User name exceeds maximum length of 4000 characters'],
      [{ login: 'ada', password: 'x'.repeat(4_001) }, 'Password exceeds maximum length of 4000 characters'],
      ['{"login":"\\ud800","password":"x"}', 'User name must be well-formed Unicode'],
      [[], 'Body must be a JSON object'],
      ['"x"', 'Body must be a JSON object'],
      ['{', 'The body is not valid JSON: unexpected text at position 1 (line 1 column 2)'],
    ];
    for (const [body, detail] of rows) expectRefusal(await askToSignIn(url, body), 400, detail);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = await askToSignIn(url, `login=ada&password=${PASSWORD}`, form);
    expectRefusal(sent, 415, 'The body must be JSON: Content-Type: application/json');
    const large = await askToSignIn(url, { login: 'x'.repeat(20_000), password: 'x' });
    expectRefusal(large, 413, 'The body must not be larger than 16384 bytes');
  });

  it('is refused for a page of another site', async () => {
    const { url } = shared.server;
    const body = { login: 'ada', password: PASSWORD };
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: url.replace('127.0.0.1', 'localhost') },
      { origin: url.replace('http:', 'https:') },
      { 'sec-fetch-site': 'cross-site', origin: url },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await askToSignIn(url, body, headers);
      expectRefusal(answer, 403, otherSite(url));
      expect(readCookie(answer)).toBeUndefined();
    }
    for (const headers of [{ origin: url, 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }]) {
      expect((await askToSignIn(url, body, headers)).status).toBe(200);
    }
  });

  it('never reuses a session that the browser sends', async () => {
    const { url } = shared.server;
    const attacker = await signIn(url, 'ada');
    const name = nameOf(attacker);
    for (const brought of [attacker.cookie, `${name}=${'A'.repeat(43)}`, `${name}=x; ${name}=y`]) {
      const victim = await signIn(url, 'admin', { cookie: brought });
      expect(victim.cookie).not.toBe(brought);
      expect((await attacker.send('GET', 'session')).body).toMatchObject({ user: { user_name: 'ada' } });
    }
    const invented = await send(url, 'GET', '/console/api/session', {
      headers: { cookie: `${name}=${'A'.repeat(43)}` },
    });
    expectRefusal(invented, 401, NO_SESSION);
  });

  it('delays users with many failures, also with the right password', async () => {
    const { server } = await startServer();
    await setPassword(server.cwd, 'admin');
    const ask = (password: string) => askToSignIn(server.url, { login: 'admin', password });
    // The first delay is a second: on a busy machine it can end before the next request arrives.
    const answer = await waitUntil(async () => {
      await Promise.all(Array.from({ length: 8 }, () => ask('wrong one')));
      const right = await ask(PASSWORD);
      return right.status === 429 && right;
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expectRefusal(answer, 429, `Too many failed sign-ins: try again in ${answer.headers['retry-after']} s`);
  });
});

describe('public information before the sign-in', () => {
  it('says whether an administrator has a password, and where single sign-on starts', async () => {
    const { server } = await startServer();
    const ask = () => send(server.url, 'GET', '/console/api/setup');
    const without = await ask();
    expect([without.status, without.body]).toEqual([200, { administrator_has_password: false, sso: null }]);
    expect(without.headers['cache-control']).toBe('no-store');
    await createUser(server.cwd, 'ada');
    expect((await ask()).body).toEqual({ administrator_has_password: false, sso: null });
    await createUser(server.cwd, 'eve', '--role', 'ADMIN', '--disabled');
    expect((await ask()).body).toEqual({ administrator_has_password: false, sso: null });
    await runQuern(server.cwd, 'user set eve --enabled');
    expect((await ask()).body).toEqual({ administrator_has_password: true, sso: null });
    expect((await send(server.url, 'POST', '/console/api/setup')).status).toBe(405);
  });
});

describe('a session', () => {
  it('ends with sign-out, which deletes the cookie in the browser', async () => {
    const visit = await signIn(shared.server.url, 'ada');
    const answer = await visit.send('POST', 'sign-out');
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(readCookie(answer)).toBe(
      `${nameOf(visit)}=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax`,
    );
    expectRefusal(await visit.send('GET', 'session'), 401, NO_SESSION);
    expectRefusal(await visit.send('POST', 'sign-out'), 401, NO_SESSION);
  });

  it('ends when the password changes, and when the user is disabled or deleted', async () => {
    const { url, cwd } = shared.server;
    await createUser(cwd, 'bob');
    const first = await signIn(url, 'bob');
    await setPassword(cwd, 'bob');
    expectRefusal(await first.send('GET', 'session'), 401, NO_SESSION);
    const second = await signIn(url, 'bob');
    await runQuern(cwd, 'user set bob --disabled');
    expectRefusal(await second.send('GET', 'manage/tokens'), 401, NO_SESSION);
    await runQuern(cwd, 'user set bob --enabled');
    const third = await signIn(url, 'bob');
    await runQuern(cwd, 'user rm bob --yes');
    expectRefusal(await third.send('GET', 'session'), 401, NO_SESSION);
  });

  it('is required, and is not a bearer token', async () => {
    const { url, cwd } = shared.server;
    const token = await createToken(cwd, 'ada');
    const visit = await signIn(url, 'ada');
    const name = nameOf(visit);
    const value = visit.cookie.slice(name.length + 1);
    const headerSets = [
      {},
      { authorization: `Bearer ${token}` },
      { authorization: `Bearer ${value}` },
      { cookie: `__Host-session=${value}` },
      { cookie: `session=${value}` },
      { cookie: `${name}=${token}` },
      { cookie: `${name}=${value}x` },
      { cookie: `${name}=` },
      { cookie: `${name}=%zz` },
    ];
    for (const headers of headerSets) {
      for (const [method, target] of [
        ['GET', 'session'],
        ['GET', 'manage/tokens'],
        ['GET', 'manage/users'],
        ['POST', 'manage/tokens'],
        ['DELETE', 'manage/tokens/x'],
        ['POST', 'sign-out'],
      ] as const) {
        const answer = await send(url, method, `/console/api/${target}`, { headers });
        expectRefusal(answer, 401, NO_SESSION);
      }
    }
  });

  it('does not give access to the API', async () => {
    const { url } = shared.server;
    const { cookie } = await signIn(url);
    const value = cookie.slice(cookie.indexOf('=') + 1);
    const withCookie = await send(url, 'GET', '/api/v1/catalog/list', { headers: { cookie } });
    expect(withCookie.status).toBe(401);
    expect((await createClient(url, value).list('@Shared')).status).toBe(401);
  });

  it('allows changes only with its own CSRF token, from a page of this site', async () => {
    const { url } = shared.server;
    const visit = await signIn(url, 'ada');
    const other = await signIn(url, 'ada');
    const { id } = await makeToken(visit);
    const body = { name: 'forged', expires_at: 'never' };
    const requests = [
      (headers: Record<string, string>) => visit.send('POST', 'manage/tokens', { headers, body }),
      (headers: Record<string, string>) => visit.send('DELETE', `manage/tokens/${id}`, { headers }),
      (headers: Record<string, string>) => visit.send('POST', 'sign-out', { headers }),
    ];
    for (const ask of requests) {
      for (const csrf of ['', 'x', other.csrfToken, visit.csrfToken.slice(1), `${visit.csrfToken}x`]) {
        expectRefusal(await ask({ 'x-csrf-token': csrf }), 403, WRONG_CSRF);
      }
      for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
        expectRefusal(await ask(headers), 403, otherSite(url));
      }
    }
    const { cookie } = visit;
    const bare = await send(url, 'POST', '/console/api/manage/tokens', { headers: { cookie }, body });
    expectRefusal(bare, 403, WRONG_CSRF);
    const left = (await visit.send('GET', 'manage/tokens')).body as { data: { id: string; name: string }[] };
    expect(left.data.map((token) => token.id)).toContain(id);
    expect(left.data.map((token) => token.name)).not.toContain('forged');
    expect((await visit.send('DELETE', `manage/tokens/${id}`, { headers: { origin: url } })).status).toBe(
      204,
    );
  });
});

describe('over HTTPS', () => {
  it('restricts the cookie to this host, for an address that begins with https', async () => {
    const { server } = await startServer('--base-url', 'https://quern.example.org');
    await setPassword(server.cwd, 'admin');
    const headers = { host: 'quern.example.org', origin: 'https://quern.example.org' };
    const answer = await askToSignIn(server.url, { login: 'admin', password: PASSWORD }, headers);
    expect(readCookie(answer)).toMatch(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
    const visit = await signIn(server.url, 'admin', headers);
    expect((await visit.send('GET', 'session')).status).toBe(200);
    expect((await makeToken(visit)).token).toMatch(/^qrn_/);
    const downgraded = { cookie: visit.cookie.replace('__Host-', '') };
    expectRefusal(await visit.send('GET', 'session', { headers: downgraded }), 401, NO_SESSION);
    const forged = await visit.send('POST', 'manage/tokens', {
      headers: { origin: 'https://evil.example' },
      body: { name: 'x', expires_at: 'never' },
    });
    expectRefusal(forged, 403, otherSite('https://quern.example.org', 'http://quern.example.org'));
  });

  it('uses forwarding headers only from trusted proxies', async () => {
    const forwarded = {
      host: 'quern.example.org',
      'x-forwarded-proto': 'https',
      origin: 'https://quern.example.org',
    };
    const body = { login: 'admin', password: PASSWORD };
    const { server } = await startServer('--trust-proxy', '127.0.0.1');
    await setPassword(server.cwd, 'admin');
    const trusted = await askToSignIn(server.url, body, forwarded);
    expect(readCookie(trusted)).toMatch(/^__Host-session=.*; Secure;/);
    const behind = { ...forwarded, host: '127.0.0.1:8080', 'x-forwarded-host': 'quern.example.org' };
    expect((await askToSignIn(server.url, body, behind)).status).toBe(200);
    const spoofed = await askToSignIn(shared.server.url, body, forwarded);
    expectRefusal(spoofed, 403, otherSite('http://quern.example.org'));
  });

  it('is required for sign-ins from another machine', async () => {
    const needsHttps =
      'Signing in requires HTTPS, except on the local machine: passwords must not be sent unencrypted';
    const body = { login: 'admin', password: PASSWORD };
    for (const host of [
      'quern.example.org',
      '10.0.0.7:8080',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
    ]) {
      const answer = await askToSignIn(shared.server.url, body, { host });
      expectRefusal(answer, 403, needsHttps);
      expect(readCookie(answer)).toBeUndefined();
    }
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:80']) {
      expect((await askToSignIn(shared.server.url, body, { host })).status).toBe(200);
    }
  });
});

describe('the routes', () => {
  it('refuse other methods and other paths', async () => {
    const { url } = shared.server;
    const visit = await signIn(url, 'ada');
    for (const [method, target, allowed] of [
      ['GET', 'sign-in', 'POST'],
      ['GET', 'sign-out', 'POST'],
      ['POST', 'session', 'GET, HEAD'],
      ['PUT', 'manage/tokens', 'GET, HEAD, POST'],
      ['PUT', 'manage/tokens/x', 'DELETE, GET, HEAD'],
      ['DELETE', 'manage/users', 'GET, HEAD, POST'],
    ] as const) {
      const answer = await visit.send(method, target);
      expectRefusal(answer, 405, `Method ${method} is not allowed here; allowed: ${allowed}`);
      expect(answer.headers.allow).toBe(allowed);
    }
    for (const target of ['', 'nothing', 'manage/tokens/a/b']) {
      const headers = { accept: 'text/html' };
      const answer = await visit.send('GET', target, { headers });
      expectRefusal(answer, 404, `Route not found: GET /console/api/${target}`);
    }
  });

  it('write no password, cookie or token to the log', async () => {
    const { server } = shared;
    const visit = await signIn(server.url, 'ada');
    const { token } = await makeToken(visit);
    await askToSignIn(server.url, { login: 'ada', password: 'a wrong secret' });
    await visit.send('GET', 'manage/tokens?owner=ada');
    const log = server.log();
    expect(log).toContain('/console/api/sign-in');
    for (const secret of [
      PASSWORD,
      'a wrong secret',
      token,
      visit.cookie.slice(8),
      visit.csrfToken,
      'owner=',
    ]) {
      expect(log).not.toContain(secret);
    }
  });
});
