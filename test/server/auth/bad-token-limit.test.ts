import { describe, expect, it } from 'vitest';
import { createBadTokenLimit } from '../../../src/server/auth/bad-token-limit.ts';
import { expectRefusal } from '../../support/http.ts';
import { createWorld } from '../world.ts';

describe('the limit of invalid tokens', () => {
  it('starts at the 100th in a minute, and reports how long to wait', () => {
    const limit = createBadTokenLimit();
    for (let time = 0; time < 99; time++) expect(limit.note('1.2.3.4', time)).toBeNull();
    expect(limit.note('1.2.3.4', 100)).toBe(60);
    expect(limit.note('1.2.3.4', 59_001)).toBe(1);
    expect(limit.note('5.6.7.8', 59_001)).toBeNull();
    expect(limit.note('1.2.3.4', 60_000)).toBeNull();
  });

  it('forgets addresses when there are very many', () => {
    const limit = createBadTokenLimit();
    for (let time = 0; time < 150; time++) limit.note('first', 0);
    expect(limit.note('first', 1)).toBe(60);
    for (let address = 0; address < 10_000; address++) limit.note(String(address), 2);
    expect(limit.note('first', 3)).toBeNull();
  });
});

describe('a server', () => {
  const list = '/api/v1/catalog/list';
  const bad = 'qrn_000000000000000000000000000000000000';

  it('refuses addresses with too many invalid tokens, but accepts every valid token', async () => {
    const { ask, token } = await createWorld({ limitLoopback: true, trustProxy: ['127.0.0.1'] });
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    const statuses = new Set<number>();
    for (let count = 0; count < 99; count++) {
      statuses.add(
        (await ask('GET', list, { token: count % 2 ? bad : null, ...from('203.0.113.7') })).status,
      );
    }
    expect([...statuses]).toEqual([401]);
    const refused = await ask('GET', list, { token: bad, ...from('203.0.113.7') });
    expectRefusal(refused, 429, 'Too many requests without a valid token came from this address');
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect((await ask('GET', list, { token, ...from('203.0.113.7') })).status).toBe(200);
    expect((await ask('GET', '/health/live', { token: null, ...from('203.0.113.7') })).status).toBe(200);
    expect((await ask('GET', list, { token: bad, ...from('203.0.113.8') })).status).toBe(401);
  });

  it('does not limit the local machine, unless `limit_loopback` is set', async () => {
    const { ask } = await createWorld();
    let last = 0;
    for (let count = 0; count < 120; count++) last = (await ask('GET', list, { token: bad })).status;
    expect(last).toBe(401);
  });
});
