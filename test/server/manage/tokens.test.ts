import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createWorld } from '../world.ts';

const TOKENS = '/api/v1/manage/tokens';
const NO_TIME = 'Expiry must be a date or time of ISO 8601, as 2027-01-31T08:00:00Z';

interface Made {
  readonly token: string;
  readonly id: string;
  readonly created_at: string;
  readonly expires_at: string;
}

describe('tokens', () => {
  it('are shown once, work, and are refused after their deletion', async () => {
    const { ask } = await createWorld();
    const body = { name: 'nightly', description: 'for cron', read_only: true, expires_at: '2100-01-01' };
    const made = await ask('POST', TOKENS, { body });
    const { token, id } = made.body as Made;
    expect(made).toMatchObject({
      status: 201,
      headers: { location: `${TOKENS}/${id}`, 'cache-control': 'no-store' },
      body: { ...body, owner: 'admin', creator: 'admin', expires_at: '2100-01-01T00:00:00.000Z' },
    });
    expect(token).toMatch(/^qrn_[0-9A-Za-z]{36}$/);
    expect((await ask('GET', '/api/v1/catalog/list', { token })).status).toBe(200);

    const listed = await ask('GET', TOKENS, { token });
    expect(listed.body).toMatchObject({ data: [{ name: 'nightly', id }, { name: 'tests' }] });
    expect(listed.text).not.toContain(token);
    const deletion = await ask('DELETE', made.headers.location!, {
      headers: { 'content-type': 'application/json' },
    });
    expect(deletion.status).toBe(204);
    expect((await ask('GET', '/api/v1/catalog/list', { token })).status).toBe(401);
    expectRefusal(await ask('DELETE', made.headers.location!), 404, `Token not found: ${id}`);
  });

  it('are for their user, and for others when an administrator creates them', async () => {
    const { ask, createUser } = await createWorld();
    const ed = await createUser('e d');
    const made = await ask('POST', TOKENS, { body: { name: 'x', owner: 'E D' } });
    expect(made).toMatchObject({
      status: 201,
      body: { owner: 'e d', creator: 'admin', expires_at: expect.any(String) },
    });
    expect(made.headers.location).toBe(`${TOKENS}/${(made.body as Made).id}?owner=e%20d`);
    const own = await ask('GET', TOKENS, { token: ed });
    expect(own.body).toMatchObject({ data: [{ name: 'tests' }, { name: 'x' }] });
    expect((await ask('GET', `${TOKENS}?owner=e%20d`)).body).toEqual(own.body);
    for (const answer of [
      await ask('GET', `${TOKENS}?owner=admin`, { token: ed }),
      await ask('POST', TOKENS, { token: ed, body: { name: 'x', owner: 'admin' } }),
      await ask('DELETE', `${TOKENS}/tests?owner=admin`, { token: ed }),
    ]) {
      expectRefusal(answer, 403, "You don't have permission to perform the request");
    }
    expect((await ask('DELETE', made.headers.location!)).status).toBe(204);
    expect((await ask('DELETE', `${TOKENS}/tests`, { token: ed })).status).toBe(204);
    expect((await ask('GET', TOKENS, { token: ed })).status).toBe(401);
  });

  it('that only read create and delete none', async () => {
    const { ask, createUser } = await createWorld();
    const token = await createUser('ed', 'EDITOR', { scope: 'read' });
    expect((await ask('GET', TOKENS, { token })).status).toBe(200);
    expect((await ask('POST', TOKENS, { token, body: { name: 'x' } })).status).toBe(403);
    expect((await ask('DELETE', `${TOKENS}/tests`, { token })).status).toBe(403);
  });

  it.each<[object, string]>([
    [{}, 'Token name is required'],
    [{ name: 1 }, 'Token name must be a string'],
    [{ name: 'x', description: 1 }, 'Description must be a string'],
    [{ name: 'x', owner: 1 }, 'Owner must be a string'],
    [{ name: 'x', read_only: 'yes' }, 'Read only must be true or false'],
    [{ name: 'x', expires_at: 90 }, 'Expiry must be a string'],
    [{ name: 'x', expires_at: '2020-01-01' }, 'Expiry must be in the future'],
    ...['', '90d', '2100', '2100-02-30', '2100-02-30T00:00:00Z', '2100-01-01T00:00', 'tomorrow', '9'].map(
      (expires_at): [object, string] => [{ name: 'x', expires_at }, NO_TIME],
    ),
  ])('refuse %j', async (body, detail) => {
    const { ask } = await createWorld();
    expectRefusal(await ask('POST', TOKENS, { body }), 400, detail);
  });

  it('never expire on request, and after 90 days by default', async () => {
    const { ask } = await createWorld();
    const never = await ask('POST', TOKENS, { body: { name: 'never', expires_at: 'never' } });
    expect(never).toMatchObject({ status: 201, body: { expires_at: null } });
    const { body } = await ask('POST', TOKENS, { body: { name: 'default' } });
    const { created_at, expires_at } = body as Made;
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(90 * 86_400_000);
  });

  it('refuse a repeated owner, and names in use', async () => {
    const { ask } = await createWorld();
    expectRefusal(await ask('GET', `${TOKENS}?owner=a&owner=b`), 400, 'Owner must be a string');
    expectRefusal(await ask('GET', `${TOKENS}?owner=nobody`), 404, 'User not found: nobody');
    expectRefusal(await ask('POST', TOKENS, { body: { name: 'tests' } }), 409, 'Token already exists: tests');
    expect((await ask('GET', `${TOKENS}?owner=`)).status).toBe(200);
  });
});
