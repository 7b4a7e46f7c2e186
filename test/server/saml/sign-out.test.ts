import { sign } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { printMetadata, printService, SIGN_ON_URL } from '../../identity/saml/metadata/documents.ts';
import {
  ENTITY_ID,
  ISSUER,
  post,
  RSA_SHA256,
  type Signer,
} from '../../identity/saml/protocol/identity-provider.ts';
import { answerTo, createSamlWorld, readCookie, type SamlWorld, signer } from './saml-world.ts';

const LOGOUT_URL = 'https://idp.example.com/slo';
const OURS = `${ENTITY_ID}/api/saml2/callback?client_name=SAML2Client&logoutendpoint=true`;

const RELAY_STATE = `&RelayState=${encodeURIComponent('https://evil.example.com/')}`;

/** Metadata with an address for sign-outs. */
function metadata(): string {
  const signOn = printService('SingleSignOnService', 'Redirect', SIGN_ON_URL);
  const logout = printService('SingleLogoutService', 'Redirect', LOGOUT_URL);
  return printMetadata({ entityId: ISSUER, certificates: [signer.certificate], signOn: logout + signOn });
}

/** A user who has signed in by SAML, and signs out. */
async function signOut(world: SamlWorld) {
  const { cookie, requestId } = await world.begin();
  const session = readCookie(await world.answer(answerTo(requestId), cookie), '__Host-session');
  const { body } = await world.ask('GET', '/console/api/session', {
    token: null,
    headers: { cookie: session },
  });
  const { csrf_token: csrfToken } = body as { csrf_token: string };
  const headers = { cookie: `${session}; ${cookie}`, 'x-csrf-token': csrfToken };
  const answer = await world.ask('POST', '/console/api/sign-out', { token: null, headers });
  const after = await world.ask('GET', '/console/api/session', { token: null, headers: { cookie: session } });
  return { answer, after, session };
}

/** The answer of the identity provider. */
function printResponse(requestId: string, status = 'Success'): string {
  return `<samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a" Version="2.0" IssueInstant="2026-05-04T12:00:00Z" Destination="${OURS.replace('&', '&amp;')}" InResponseTo="${requestId}"><saml:Issuer>${ISSUER}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status></samlp:LogoutResponse>`;
}

/** The same in a query. */
function printAnswer(requestId: string, own: Signer = signer, status = 'Success', more = ''): string {
  const message = encodeURIComponent(deflateRawSync(printResponse(requestId, status)).toString('base64'));
  const signed = `SAMLResponse=${message}${more}&SigAlg=${encodeURIComponent(RSA_SHA256)}`;
  return `${signed}&Signature=${encodeURIComponent(sign('sha256', Buffer.from(signed), own.key).toString('base64'))}`;
}

async function leave(world: SamlWorld) {
  const { answer } = await signOut(world);
  const url = new URL((answer.body as { sign_out_url: string }).sign_out_url);
  const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  return {
    url,
    xml,
    cookie: readCookie(answer, '__Host-saml'),
    requestId: / ID="([^"]+)"/.exec(xml)?.[1] ?? '',
  };
}

const comeBack = (world: SamlWorld, query: string, cookie: string) =>
  world.ask('GET', `${OURS.slice(ENTITY_ID.length)}&${query}`, { token: null, headers: { cookie } });

describe('signing out of a session by SAML', () => {
  it('ends the session here at once, and redirects the browser with a signed request', async () => {
    const world = await createSamlWorld({ metadata: metadata() });
    const { answer, after } = await signOut(world);
    expect([answer.status, after.status]).toEqual([200, 401]);
    const url = new URL((answer.body as { sign_out_url: string }).sign_out_url);
    expect(url.origin + url.pathname).toBe(LOGOUT_URL);
    expect([...url.searchParams.keys()]).toEqual(['SAMLRequest', 'SigAlg', 'Signature']);
    const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
    expect(xml).toContain('>ann@example.com</saml:NameID><samlp:SessionIndex>_session-1<');
  });

  it('continues to the sign-in page when the provider has confirmed it', async () => {
    const world = await createSamlWorld({ metadata: metadata() });
    const { requestId, cookie } = await leave(world);
    const back = await comeBack(world, printAnswer(requestId), cookie);
    expect([back.status, back.headers.location]).toEqual([303, '/login']);
    expect((await comeBack(world, printAnswer(requestId), cookie)).text).toContain('has not confirmed');
  });

  it.each([
    ['another browser', 'request', (id: string) => printAnswer(id), '__Host-saml=x'],
    ['no success', 'logout-status', (id: string) => printAnswer(id, signer, 'Responder'), null],
    ['another request', 'request', () => printAnswer('_other'), null],
    ['no signature', 'logout-parameters', (id: string) => printAnswer(id).replace(/&Sig.*/, ''), null],
  ])('reports that it was not confirmed with %s', async (_title, expected, print, other) => {
    const world = await createSamlWorld({ metadata: metadata() });
    const { requestId, cookie } = await leave(world);
    const back = await comeBack(world, print(requestId), other ?? cookie);
    expect(back.status).toBe(200);
    expect(back.text).toContain('You are signed out here.');
    expect(world.log.find(({ check }) => check !== undefined)).toMatchObject({ check: expected });
  });

  it('ends at this site where the provider has no address for it', async () => {
    const world = await createSamlWorld();
    const { answer, after } = await signOut(world);
    expect([answer.status, after.status]).toEqual([204, 401]);
  });

  it('ends at this site when the provider has changed meanwhile', async () => {
    const world = await createSamlWorld({ metadata: metadata() });
    const { cookie, requestId } = await world.begin();
    const session = readCookie(await world.answer(answerTo(requestId), cookie), '__Host-session');
    const other = metadata().replace(ISSUER, 'https://other.example.com');
    await world.accounts.saml.set(world.administrator, { metadata: other });
    const read = await world.ask('GET', '/console/api/session', {
      token: null,
      headers: { cookie: session },
    });
    const { csrf_token: csrfToken } = read.body as { csrf_token: string };
    const headers = { cookie: session, 'x-csrf-token': csrfToken };
    expect((await world.ask('POST', '/console/api/sign-out', { token: null, headers })).status).toBe(204);
  });

  it('cannot be started by the provider', async () => {
    const world = await createSamlWorld({ metadata: metadata() });
    const { cookie, requestId } = await world.begin();
    const session = readCookie(await world.answer(answerTo(requestId), cookie), '__Host-session');
    const asked = await comeBack(world, printAnswer('_x').replace('SAMLResponse', 'SAMLRequest'), session);
    expect(asked.status).toBe(400);
    const read = await world.ask('GET', '/console/api/session', {
      token: null,
      headers: { cookie: session },
    });
    expect(read.status).toBe(200);
  });

  it('redirects nowhere else, with any RelayState', async () => {
    const world = await createSamlWorld({ metadata: metadata() });
    const { requestId, cookie } = await leave(world);
    const back = await comeBack(world, printAnswer(requestId, signer, 'Success', RELAY_STATE), cookie);
    expect([back.status, back.headers.location]).toEqual([303, '/login']);
  });

  it('does not accept a POST, which is for sign-ins only', async () => {
    const world = await createSamlWorld({ metadata: metadata() });
    const { requestId, cookie } = await leave(world);
    const sent = await world.answer(post(printResponse(requestId)), cookie);
    expect(sent.status).toBe(403);
    expect(world.log.find(({ check }) => check !== undefined)).toMatchObject({ check: 'root' });
    expect((await comeBack(world, printAnswer(requestId), cookie)).headers.location).toBe('/login');
  });

  it('is not a sign-in: an answer to its request creates no session', async () => {
    const world = await createSamlWorld({ metadata: metadata() });
    const { requestId, cookie } = await leave(world);
    const answer = await world.answer(answerTo(requestId), cookie);
    expect([answer.status, readCookie(answer, '__Host-session')]).toEqual([403, '']);
    expect(world.log.find(({ check }) => check !== undefined)).toMatchObject({ check: 'request' });
  });
});
