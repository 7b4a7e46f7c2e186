import { describe, expect, it } from 'vitest';
import { createSigner, ENTITY_ID, post } from '../../identity/saml/protocol/identity-provider.ts';
import { answerTo, createSamlWorld, readCookie, type SamlWorld } from './saml-world.ts';

/** The names of the checks in the log. */
const checksOf = ({ log }: SamlWorld) => log.flatMap(({ check }) => (check === undefined ? [] : [check]));

/** The user of a session cookie. */
async function whoIs(world: SamlWorld, cookie: string) {
  const { body, status } = await world.ask('GET', '/console/api/session', {
    token: null,
    headers: { cookie },
  });
  return status === 200 ? (body as { user: Record<string, unknown> }).user : status;
}

describe('a sign-in by SAML', () => {
  it('creates the user, with groups, and continues to the requested page', async () => {
    const world = await createSamlWorld();
    const { cookie, requestId, xml } = await world.begin('/api/auth/login/saml2?return_to=%2Ftokens%3Fa%3D1');
    expect(xml).toContain(`<saml:Issuer>${ENTITY_ID}</saml:Issuer>`);
    const answer = await world.answer(answerTo(requestId, { groups: ['staff', 'finance'] }), cookie);
    expect([answer.status, answer.headers.location]).toEqual([303, `${ENTITY_ID}/tokens?a=1`]);
    const session = readCookie(answer, '__Host-session');
    expect(await whoIs(world, session)).toEqual({
      user_name: 'ann',
      display_name: 'Ann Lee',
      email: 'ann@example.com',
      role: 'EDITOR',
    });
    const { body } = await world.ask('GET', '/api/v1/manage/groups');
    expect(body).toMatchObject({
      data: [
        { name: 'finance', members: ['ann'] },
        { name: 'staff', members: ['ann'] },
      ],
    });
  });

  it('uses a cookie that other sites send, and that only this host has set', async () => {
    const world = await createSamlWorld();
    const sent = await world.ask('GET', '/api/auth/login/saml2', { token: null });
    expect(sent.headers['set-cookie']?.[0]).toMatch(
      /^__Host-saml=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=None$/,
    );
    expect(sent.headers['cache-control']).toBe('no-store');
  });

  it('with the address of a linked user is refused, and the command in the log links it', async () => {
    const world = await createSamlWorld();
    const signIn = async (email: string) => {
      const { cookie, requestId } = await world.begin();
      return world.answer(answerTo(requestId, { email }), cookie);
    };
    expect((await signIn('ann@example.com')).status).toBe(303);
    const body = { email: 'new@example.com' };
    expect((await world.ask('PUT', '/api/v1/manage/users/ann', { body })).status).toBe(200);
    expect((await signIn('new@example.com')).status).not.toBe(303);
    expect(JSON.stringify(world.log)).toContain('run `quern sso saml link ann new@example.com`');
    const link = { user_name: 'ann', name_id: 'new@example.com' };
    const linked = await world.ask('POST', '/api/v1/manage/sso/saml/links', { body: link });
    expect(linked.status, linked.text).toBeLessThan(300);
    const answer = await signIn('new@example.com');
    expect(answer.status).toBe(303);
    expect(await whoIs(world, readCookie(answer, '__Host-session'))).toMatchObject({ user_name: 'ann' });
  });

  it('may run twice at once in one browser', async () => {
    const world = await createSamlWorld();
    const first = await world.begin();
    const second = await world.begin(undefined, first.cookie);
    expect(second.cookie).toBe(first.cookie);
    for (const { requestId } of [first, second]) {
      expect((await world.answer(answerTo(requestId), first.cookie)).status).toBe(303);
    }
  });

  it.each([
    ['//evil.example.com', '/'],
    ['/\\evil.example.com', '/'],
    ['https://evil.example.com/', '/'],
    ['/%09/evil.example.com', '/%09/evil.example.com'],
    ['/\t/evil.example.com', '/'],
    ['/./\\evil.example.com', '/'],
    ['javascript:alert(1)', '/'],
    ['tokens', '/'],
  ])('continues from %j to %j', async (given, expected) => {
    const world = await createSamlWorld();
    const { cookie, requestId } = await world.begin(
      `/api/auth/login/saml2?return_to=${encodeURIComponent(given)}`,
    );
    const answer = await world.answer(answerTo(requestId), cookie);
    expect(answer.headers.location).toBe(`${ENTITY_ID}${expected}`);
  });

  it('is refused to another browser, and its request remains for the right one', async () => {
    const world = await createSamlWorld();
    const { cookie, requestId } = await world.begin();
    const other = await world.begin();
    const posted = answerTo(requestId);
    for (const wrong of [undefined, other.cookie, '__Host-saml=x']) {
      const answer = await world.answer(posted, wrong);
      expect(answer.status).toBe(403);
      expect(readCookie(answer, '__Host-session')).toBe('');
    }
    expect(checksOf(world)).toEqual(['request', 'request', 'request']);
    expect((await world.answer(posted, cookie)).status).toBe(303);
  });

  it('is refused when the answer is repeated', async () => {
    const world = await createSamlWorld();
    const { cookie, requestId } = await world.begin();
    const posted = answerTo(requestId);
    expect((await world.answer(posted, cookie)).status).toBe(303);
    expect((await world.answer(posted, cookie)).status).toBe(403);
    expect(checksOf(world)).toEqual(['request']);
  });

  it('is refused when its assertion was used for another request', async () => {
    const world = await createSamlWorld();
    const first = await world.begin();
    const second = await world.begin(undefined, first.cookie);
    const id = '_used-twice';
    expect((await world.answer(answerTo(first.requestId, { id }), first.cookie)).status).toBe(303);
    expect((await world.answer(answerTo(second.requestId, { id }), first.cookie)).status).toBe(403);
    expect(checksOf(world)).toEqual(['replay']);
  });

  it('succeeds for exactly one of two that are posted at once', async () => {
    const world = await createSamlWorld();
    const { cookie, requestId } = await world.begin();
    const posted = answerTo(requestId);
    const answers = await Promise.all(Array.from({ length: 4 }, () => world.answer(posted, cookie)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...Array(3).fill(403)]);
  });

  it('without a request is refused', async () => {
    const world = await createSamlWorld();
    const { cookie } = await world.begin();
    expect((await world.answer(answerTo('_none'), cookie)).status).toBe(403);
  });

  it('fails with a short reason in the log, for any answer', async () => {
    const world = await createSamlWorld();
    const { cookie, requestId } = await world.begin();
    const xml = Buffer.from(answerTo(requestId), 'base64').toString();
    const long = xml.replace(/Destination="[^"]*"/, `Destination="${'x'.repeat(100_000)}"`);
    expect((await world.answer(post(long), cookie)).status).toBe(403);
    const detail = world.log.find(({ check }) => check === 'destination')?.detail;
    expect(detail).toMatch(/: it is x{300,}$/);
    expect(String(detail).length).toBe(500);
  });

  it('fails with a page that has a reference and no reason, which is in the log', async () => {
    const world = await createSamlWorld();
    const { cookie, requestId } = await world.begin();
    const posted = answerTo(requestId, { signer: createSigner('idp') });
    const answer = await world.answer(posted, cookie);
    expect(answer.status).toBe(403);
    const [, reference] = /Reference: <code>([\w-]+)<\/code>/.exec(answer.text) ?? [];
    const line = world.log.find(({ check }) => check === 'key');
    expect(line).toMatchObject({ request_id: reference, msg: 'single sign-on refused' });
    expect(answer.text).not.toContain('certificate');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(JSON.stringify(world.log)).not.toContain(posted.slice(0, 100));
  });

  it('reports the e-mail conflict to a user, and afterwards creates a disabled user', async () => {
    const world = await createSamlWorld();
    await world.createUser('manual');
    await world.ask('PUT', '/api/v1/manage/users/manual', { body: { email: 'ann@example.com' } });
    const tryIn = async () => {
      const { cookie, requestId } = await world.begin();
      return world.answer(answerTo(requestId), cookie);
    };
    const conflict = await tryIn();
    expect(conflict.status).toBe(403);
    expect(conflict.text).toContain('User with given email already registered: ann@example.com');
    expect(conflict.text).toContain('contact the system administrator');
    expect((await world.ask('DELETE', '/api/v1/manage/users/manual')).status).toBe(204);
    const disabled = await tryIn();
    expect(disabled.text).toContain('Your account is disabled');
    await world.ask('PUT', '/api/v1/manage/users/ann', { body: { active: true } });
    expect((await tryIn()).status).toBe(303);
  });

  it.each([
    ['twice', (text: string) => `SAMLResponse=${text}&SAMLResponse=${text}`],
    ['never', () => 'RelayState=x'],
  ])('is refused when a form has its field %s', async (_title, form) => {
    const world = await createSamlWorld();
    const { cookie, requestId } = await world.begin();
    const answer = await world.ask('POST', '/api/saml2/callback', {
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
      body: form(encodeURIComponent(answerTo(requestId))),
    });
    expect(answer.status).toBe(400);
  });

  it('is refused when it is too large, before it is read', async () => {
    const world = await createSamlWorld();
    const { cookie } = await world.begin();
    expect((await world.answer('A'.repeat(300_000), cookie)).status).toBe(413);
  });

  it('waits behind at most three others of its network; further ones are asked to try again', async () => {
    const world = await createSamlWorld();
    const posted = answerTo('_none');
    const answers = await Promise.all(Array.from({ length: 40 }, () => world.answer(posted)));
    const busy = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 403).length + busy.length).toBe(40);
    expect(busy.length).toBeGreaterThan(0);
    expect(busy[0]?.headers['retry-after']).toBe('1');
    expect(busy[0]?.text).toContain('Too many concurrent sign-ins');
  });

  it('is answered with 404 where SAML is not configured', async () => {
    const world = await createSamlWorld();
    world.accounts.saml.delete(world.administrator);
    for (const [method, path] of [
      ['GET', '/api/auth/login/saml2'],
      ['GET', '/saml2/metadata'],
      ['POST', '/saml2/metadata'],
      ['POST', '/saml2/certificate'],
    ] as const) {
      const answer = await world.ask(method, path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.text).toContain('SAML is not configured');
    }
  });
});

describe('the documents of SAML', () => {
  it('are files for administrators', async () => {
    const world = await createSamlWorld();
    const metadata = await world.ask('POST', '/saml2/metadata');
    expect(metadata.headers).toMatchObject({
      'content-type': 'application/samlmetadata+xml',
      'content-disposition': 'attachment; filename="quern-metadata.xml"',
    });
    expect(metadata.text).toContain(`entityID="${ENTITY_ID}"`);
    const certificate = await world.ask('POST', '/saml2/certificate');
    expect(certificate.text).toMatch(/^-----BEGIN CERTIFICATE-----/);
    expect((await world.ask('GET', '/saml2/metadata', { token: null })).text).toBe(metadata.text);
  });

  it('are refused to other users', async () => {
    const world = await createSamlWorld();
    const token = await world.createUser('editor');
    for (const path of ['/saml2/metadata', '/saml2/certificate']) {
      expect((await world.ask('POST', path, { token })).status).toBe(403);
      expect((await world.ask('POST', path, { token: null })).status).toBe(401);
    }
  });
});
