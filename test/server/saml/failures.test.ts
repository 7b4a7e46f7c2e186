import { describe, expect, it } from 'vitest';
import type { SsoFailureListBody } from '../../../src/provider-log/provider-log-body.ts';
import { createSigner, post } from '../../identity/saml/protocol/identity-provider.ts';
import { answerTo, createSamlWorld, type SamlWorld } from './saml-world.ts';

const FAILURES = '/api/v1/manage/sso/failures';

/** The reference on the page of a failed sign-in. */
function referenceOn({ text }: { readonly text: string }): string {
  return /Reference: <code>([\w-]+)<\/code>/.exec(text)?.[1] ?? '';
}

async function list({ ask }: SamlWorld, query = ''): Promise<SsoFailureListBody> {
  const { status, body } = await ask('GET', `${FAILURES}${query}`);
  expect(status).toBe(200);
  return body as SsoFailureListBody;
}

describe('failed sign-ins', () => {
  it('are found by the reference on the page, with the user once the signature held', async () => {
    const world = await createSamlWorld({ jit: false });
    const { cookie, requestId } = await world.begin();
    const page = await world.answer(answerTo(requestId, { email: 'zoe@example.com' }), cookie);
    expect(page.status).toBe(403);
    expect(page.text).toContain('Give an administrator this reference');
    const reference = referenceOn(page);
    const { data, total } = await list(world, `?reference=${reference}`);
    expect([total, data]).toEqual([
      1,
      [
        {
          id: expect.any(String),
          reference,
          at: expect.any(String),
          last_at: data[0]?.at,
          count: 1,
          provider: 'saml',
          check: 'account-unknown',
          detail: expect.stringContaining('no user has the e-mail address `zoe@example.com`'),
          address: '127.0.0.1',
          name_id: 'zoe@example.com',
          email: 'zoe@example.com',
        },
      ],
    ]);
    expect(await list(world, '?reference=unknown')).toEqual({ data: [], total: 0 });
  });

  it('have the user of an assertion that a later check refuses, and never the assertion', async () => {
    const world = await createSamlWorld();
    const { requestId } = await world.begin();
    const posted = answerTo(requestId, { groups: ['a group of the assertion'] });
    // Another browser.
    const page = await world.answer(posted, '__Host-saml=x');
    const { data } = await list(world);
    expect(data).toMatchObject([
      {
        reference: referenceOn(page),
        check: 'request',
        name_id: 'ann@example.com',
        email: 'ann@example.com',
      },
    ]);
    expect(JSON.stringify(data)).not.toContain('a group of the assertion');
  });

  it('without a valid signature are counted by address, under one reference, without a user', async () => {
    const world = await createSamlWorld();
    const { cookie, requestId } = await world.begin();
    const forged = answerTo(requestId, { signer: createSigner('other') });
    const first = await world.answer(forged, cookie);
    const second = await world.answer(post('<x/>'), cookie);
    const third = await world.ask('POST', '/api/saml2/callback', {
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'nothing=1',
    });
    const references = [first, second, third].map(referenceOn);
    expect(new Set(references).size).toBe(1);
    const { data } = await list(world);
    expect(data).toMatchObject([
      { reference: references[0], count: 3, check: 'saml_response_required', name_id: null, email: null },
    ]);
    expect(world.log.filter(({ reference }) => reference === references[0])).toHaveLength(2);
  });

  it('keep the text of the interface for a conflict', async () => {
    const world = await createSamlWorld();
    const body = { user_name: 'ann', email: 'ann@example.com' };
    expect((await world.ask('POST', '/api/v1/manage/users', { body })).status).toBe(201);
    const { cookie, requestId } = await world.begin();
    const page = await world.answer(answerTo(requestId), cookie);
    expect(page.text).toContain('User with given email already registered: ann@example.com.');
    expect((await list(world)).data).toMatchObject([{ check: 'account-conflict', email: 'ann@example.com' }]);
  });

  it('are only for administrators, within limits', async () => {
    const world = await createSamlWorld();
    const token = await world.createUser('eve', 'EDITOR');
    expect((await world.ask('GET', FAILURES, { token })).status).toBe(403);
    for (const query of ['limit=0', 'limit=1001']) {
      expect((await world.ask('GET', `${FAILURES}?${query}`)).status).toBe(400);
    }
  });
});
