import { describe, expect, it } from 'vitest';
import { type Answer, send } from '../../support/http.ts';
import { quern } from '../../support/quern.ts';
import { createToken, runQuern, shareServer } from '../../support/server.ts';
import { askToSignIn, createUser, PASSWORD, readCookie, setPassword, signIn } from '../console/console.ts';

const BASE_URL = 'https://quern.example.org';
const shared = shareServer('--base-url', BASE_URL);
const ENDED = { code: 'invitation_ended', message: expect.stringContaining('older than 7 days') };

interface Invitation {
  readonly id: string;
  readonly link: string;
}

async function invite(body: object): Promise<Invitation> {
  const answer = await shared.admin.send('POST', '/manage/invitations', { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as Invitation;
}

const toSecret = ({ link }: Invitation) => new URL(link).hash.slice(1);

/** Chooses a password on the page of a link. */
function redeem(secret: string, password = PASSWORD, headers: Readonly<Record<string, string>> = {}) {
  return send(shared.server.url, 'POST', '/console/api/invitations', { headers, body: { secret, password } });
}

/** The rows of users by name: `ivy invited`. */
async function listStates(query: string): Promise<readonly string[]> {
  const { body } = await shared.admin.send('GET', `/manage/users?${query}`);
  const { data } = body as { data: readonly { user_name: string; state: string }[] };
  return data.map(({ user_name, state }) => `${user_name} ${state}`);
}

async function readAudit(action: string): Promise<readonly object[]> {
  const { body } = await shared.admin.send('GET', `/manage/audit?action=${action}`);
  return (body as { data: readonly object[] }).data;
}

describe('an invitation', () => {
  it('creates a user who chooses a password with the link, once', async () => {
    await runQuern(shared.server.cwd, 'group create readers');
    const made = await invite({
      user_name: 'ivy',
      email: 'ivy@example.org',
      role: 'viewer',
      groups: ['readers'],
    });
    expect(made).toMatchObject({ user_name: 'ivy', made_user: true, created_by: 'admin', expired: false });
    expect(made.link).toMatch(/^https:\/\/quern\.example\.org\/invitation#[\w-]{43}$/);
    const list = await shared.admin.send('GET', '/manage/invitations?q=IVY@');
    expect(list.body).toMatchObject({ total: 1, data: [{ id: made.id, user_name: 'ivy' }] });
    expect(list.text).not.toContain(toSecret(made));
    expect(await listStates('q=ivy')).toEqual(['ivy invited']);
    expect(await listStates('state=invited&group=readers&role=viewer')).toEqual(['ivy invited']);
    expect(await listStates('state=active&q=ivy')).toEqual([]);
    expect((await askToSignIn(shared.server.url, { login: 'ivy', password: PASSWORD })).status).toBe(401);
    const weak = await redeem(toSecret(made), 'ivy12345');
    expect(weak).toMatchObject({ status: 400, body: { code: 'password_too_weak' } });
    const redeemed = await redeem(toSecret(made));
    expect(redeemed).toMatchObject({ status: 200, body: { user: { user_name: 'ivy', role: 'VIEWER' } } });
    const cookie = readCookie(redeemed)!.split(';', 1)[0]!;
    const profile = await send(shared.server.url, 'GET', '/console/api/profile', { headers: { cookie } });
    expect(profile.body).toMatchObject({ user_name: 'ivy', groups: ['readers'], password: 'change' });
    expect(await redeem(toSecret(made))).toMatchObject({ status: 401, body: ENDED });
    expect(await listStates('q=ivy')).toEqual(['ivy active']);
    await signIn(shared.server.url, 'ivy');
    expect(await readAudit('invitation.redeem')).toMatchObject([
      { actor: null, result: 'refused' },
      { actor: 'ivy', object: 'ivy', result: 'done' },
    ]);
    expect(await readAudit('invitation.create')).toMatchObject([{ object: `ivy (${made.id})` }]);
  });

  it('is refused in the same words, whatever ended it', async () => {
    const { admin } = shared;
    const first = await invite({ user_name: 'jon' });
    const second = await invite({ user: 'JON' });
    expect(await redeem(toSecret(first))).toMatchObject({ status: 401, body: ENDED });
    await admin.send('PUT', '/manage/users/jon', { body: { active: false } });
    expect(await redeem(toSecret(second))).toMatchObject({ status: 401, body: ENDED });
    await admin.send('PUT', '/manage/users/jon', { body: { active: true } });
    expect(await redeem(toSecret(second))).toMatchObject({ status: 401, body: ENDED });
    const third = await invite({ user: 'jon' });
    const stopped = await admin.send('POST', '/manage/users/jon/stop');
    expect(stopped.body).toMatchObject({ invitations: 1 });
    expect(await redeem(toSecret(third))).toMatchObject({ status: 401, body: ENDED });
    await admin.send('PUT', '/manage/users/jon', { body: { active: true } });
    const fourth = await invite({ user: 'jon' });
    await setPassword(shared.server.cwd, 'jon');
    expect(await redeem(toSecret(fourth))).toMatchObject({ status: 401, body: ENDED });
    expect((await admin.send('GET', '/manage/invitations?q=jon')).body).toMatchObject({ total: 0 });
  });

  it('is for one of two who open it at the same time', async () => {
    const secret = toSecret(await invite({ user_name: 'kim' }));
    const passwords = ['a first stone that turns', 'a second stone that turns'];
    const answers = await Promise.all(passwords.map((password) => redeem(secret, password)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const kept = passwords[answers.findIndex(({ status }) => status === 200)];
    expect((await askToSignIn(shared.server.url, { login: 'kim', password: kept })).status).toBe(200);
  });

  it('keeps the password of a user who exists until the link is used, and then ends the sessions', async () => {
    const { cwd, url } = shared.server;
    await createUser(cwd, 'lea');
    const visit = await signIn(url, 'lea');
    const secret = toSecret(await invite({ user: 'lea' }));
    expect(await listStates('q=lea')).toEqual(['lea active']);
    expect((await visit.send('GET', 'profile')).status).toBe(200);
    expect((await redeem(secret, 'another mill of two stones')).status).toBe(200);
    expect((await visit.send('GET', 'profile')).status).toBe(401);
    expect((await askToSignIn(url, { login: 'lea', password: PASSWORD })).status).toBe(401);
  });

  it('is refused while another user is signed in, and for pages of other sites', async () => {
    const { cwd, url } = shared.server;
    await createUser(cwd, 'mia');
    const { cookie } = await signIn(url, 'mia');
    const made = await invite({ user_name: 'ned' });
    expect(await redeem(toSecret(made), PASSWORD, { cookie })).toMatchObject({
      status: 409,
      body: { code: 'signed_in_as_other', message: expect.stringContaining('mia is signed in') },
    });
    const elsewhere = { origin: 'https://other.example.org' };
    expect((await redeem(toSecret(made), PASSWORD, elsewhere)).status).toBe(403);
    // With the name of another host in the request, the link stays the one of the base URL.
    expect((await redeem(toSecret(made))).status).toBe(200);
  });

  it('revoked by an administrator deletes the user only if the account was never used', async () => {
    const { admin, server } = shared;
    const unused = await invite({ user_name: 'ola' });
    const answer = await admin.send('DELETE', `/manage/invitations/${unused.id}`);
    expect(answer).toMatchObject({ status: 200, body: { user_name: 'ola', user_deleted: true } });
    expect((await admin.send('GET', '/manage/users/ola')).status).toBe(404);
    expect((await admin.send('DELETE', `/manage/invitations/${unused.id}`)).status).toBe(404);
    await invite({ user_name: 'pam' });
    await createToken(server.cwd, 'pam');
    const revoked = await quern(['user', 'revoke-invitation', 'pam'], { cwd: server.cwd });
    expect(revoked).toMatchObject({ exitCode: 0, stderr: 'revoked the invitation of pam\n' });
    await invite({ user_name: 'quin' });
    await runQuern(server.cwd, 'grant add user:quin use connection:duckdb');
    expect(await runQuern(server.cwd, 'user revoke-invitation quin --json')).toBe(
      '{"user_name":"quin","user_deleted":false}\n',
    );
    // The second invitation has not created the user.
    await invite({ user_name: 'rob' });
    const again = await invite({ user: 'rob' });
    expect((await admin.send('DELETE', `/manage/invitations/${again.id}`)).body).toMatchObject({
      user_deleted: false,
    });
  });

  it('is refused for users who cannot use it', async () => {
    const { admin, server } = shared;
    await createUser(server.cwd, 'sam', '--disabled');
    await createUser(server.cwd, 'tom', '--role', 'ADMIN');
    const ask = async (body: object) => {
      const answer: Answer = await admin.send('POST', '/manage/invitations', { body });
      return `${answer.status} ${(answer.body as { code: string }).code}`;
    };
    expect(await ask({ user: 'sam' })).toBe('409 user_disabled');
    expect(await ask({ user: 'tom' })).toBe('409 administrator_has_password');
    expect(await ask({ user: 'missing' })).toBe('404 user_not_found');
    expect(await ask({ user_name: 'SAM' })).toBe('409 user_name_exists');
    expect(await ask({ user_name: 'uma', groups: ['missing'] })).toBe('404 group_not_found');
    expect(await ask({ user_name: 'uma', email: 'none' })).toBe('400 email_invalid');
    expect(await ask({ user_name: 'uma', user: 'sam' })).toBe('400 field_invalid');
    expect(await ask({ user: 'sam', role: 'ADMIN' })).toBe('400 field_invalid');
    expect(await ask({})).toBe('400 field_invalid');
    // Nothing is left of a refused invitation.
    expect((await admin.send('GET', '/manage/users/uma')).status).toBe(404);
  });
});

describe('guessing links', () => {
  it('is slowed down, and does not hinder a person with a link', async () => {
    const made = await invite({ user_name: 'val' });
    const guesses: number[] = [];
    for (let guess = 0; guess < 8; guess++) guesses.push((await redeem('a guess')).status);
    expect(guesses.slice(0, 4)).toEqual([401, 401, 401, 401]);
    expect(guesses.at(-1)).toBe(429);
    expect((await redeem(toSecret(made))).status).toBe(200);
  });
});
