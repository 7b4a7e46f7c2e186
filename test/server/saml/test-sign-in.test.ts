import { describe, expect, it } from 'vitest';
import { post } from '../../identity/saml/protocol/identity-provider.ts';
import { answerTo, createSamlWorld, readCookie } from './saml-world.ts';

describe('a test sign-in', () => {
  it('creates no session and no user', async () => {
    const world = await createSamlWorld();
    const { body } = await world.ask('POST', '/api/v1/manage/sso/saml/tests');
    const { id } = body as { id: string };
    const { cookie, requestId } = await world.begin(`/api/auth/login/saml2?test=${id}`);
    const answer = await world.answer(answerTo(requestId, { groups: ['staff'] }), cookie);
    expect([answer.status, readCookie(answer, '__Host-session')]).toEqual([200, '']);
    expect(answer.text).toContain('The test succeeded');
    expect((await world.ask('GET', '/api/v1/manage/users/ann')).status).toBe(404);
    const shown = await world.ask('GET', `/api/v1/manage/sso/saml/tests/${id}`);
    expect(shown.body).toMatchObject({
      status: 'finished',
      outcome: { passed: true, subject: 'ann@example.com', attributes: { groups: ['staff'] } },
    });
    expect((await world.answer(answerTo(requestId), cookie)).status).toBe(403);
  });

  it('shows the check that has refused', async () => {
    const world = await createSamlWorld();
    const { body } = await world.ask('POST', '/api/v1/manage/sso/saml/tests');
    const { id } = body as { id: string };
    const { cookie, requestId } = await world.begin(`/api/auth/login/saml2?test=${id}`);
    const xml = Buffer.from(answerTo(requestId), 'base64').toString();
    const answer = await world.answer(post(xml.replace('ann@', 'admin@')), cookie);
    expect(answer.status).toBe(403);
    const shown = await world.ask('GET', `/api/v1/manage/sso/saml/tests/${id}`);
    expect(shown.body).toMatchObject({
      status: 'finished',
      outcome: { passed: false, check: 'digest', subject: null, attributes: {} },
    });
  });
});
