import { describe, expect, it } from 'vitest';
import type { Answer } from '../../support/http.ts';
import { createWorld, type World } from '../world.ts';

/** Signs in through a proxy that adds the address of its client. */
function signIn({ ask }: World, login: string, forwardedFor?: string): Promise<Answer> {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return ask('POST', '/console/api/sign-in', { token: null, headers, body: { login, password: 'x' } });
}

async function failTimes(world: World, times: number, forwardedFor?: string): Promise<number[]> {
  const statuses = new Set<number>();
  for (let i = 0; i < times; i++) statuses.add((await signIn(world, `name ${i}`, forwardedFor)).status);
  return [...statuses];
}

describe('failed sign-ins through an untrusted proxy on this machine', () => {
  it('count for the address that the proxy adds, and for no other', async () => {
    const world = await createWorld();
    expect(await failTimes(world, 100, '198.51.100.1, 203.0.113.7')).toEqual([401]);
    const refused = await signIn(world, 'new', '192.0.2.9,203.0.113.7');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '9']);
    expect((await signIn(world, 'new', '203.0.113.7, 198.51.100.1')).status).toBe(401);
    const audit = await world.ask('GET', '/api/v1/manage/audit?action=sign-in&limit=1');
    expect(audit.body).toMatchObject({ data: [{ address: '127.0.0.1' }] });
  });

  it.each([undefined, '', 'unknown', '127.0.0.1', '203.0.113.7, ::1'])(
    'count for no address when it adds %j',
    async (forwardedFor) => {
      const world = await createWorld();
      expect(await failTimes(world, 101, forwardedFor)).toEqual([401]);
    },
  );
});
