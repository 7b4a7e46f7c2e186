import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ScimRequest, SsoFailure } from '../../src/provider-log/entries.ts';
import { openProviderLog } from '../../src/provider-log/provider-log.ts';
import { createProviderTrail } from '../../src/provider-log/provider-trail.ts';
import { createAccountWorld } from '../identity/account-world.ts';

const HOUR = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A log in a home with accounts, and its clock. */
function createLogWorld() {
  const { home, owner, ada, permissions } = createAccountWorld();
  const file = path.join(home, 'providers.db');
  const warnings: string[] = [];
  let now = Date.UTC(2026, 2, 1, 12, 10);
  const clock = () => new Date(now);
  const open = () => {
    const log = openProviderLog({ file, clock, warn: (line) => void warnings.push(line) });
    onTestFinished(() => log.close());
    return log;
  };
  const trail = createProviderTrail(file, { permissions, clock });
  return {
    file,
    owner,
    ada,
    warnings,
    trail,
    open,
    wait: (ms: number) => {
      now += ms;
    },
  };
}

const makeRequest = (more: Partial<ScimRequest> = {}): ScimRequest => ({
  token: { id: 'token', name: 'okta' },
  address: '192.0.2.1',
  method: 'POST',
  target: '/Users',
  status: 201,
  scimType: null,
  detail: null,
  durationMs: 3.4,
  requestId: 'request',
  body: { userName: 'ada' },
  ...more,
});

const makeFailure = (requestId: string, more: Partial<SsoFailure> = {}): SsoFailure => ({
  provider: 'saml',
  requestId,
  check: 'digest',
  detail: 'expected: the signed content is unchanged; found: it was changed',
  address: '192.0.2.1',
  user: null,
  ...more,
});

describe('the log of requests', () => {
  it('has every fact of a request, in a file of its owner', () => {
    const { open, owner, trail, file } = createLogWorld();
    const log = open();
    log.recordRequest(makeRequest());
    log.recordRequest(makeRequest({ status: 409, scimType: 'uniqueness', detail: 'taken', body: undefined }));
    expect(trail.listRequests(owner, {})).toEqual({ data: [], total: 0 });
    vi.advanceTimersByTime(300);
    const { data, total } = trail.listRequests(owner, {});
    expect(total).toBe(2);
    expect(data.map(({ outcome, scim_type, detail, body }) => [outcome, scim_type, detail, body])).toEqual([
      ['failed', 'uniqueness', 'taken', null],
      ['done', null, null, '{"userName":"ada"}'],
    ]);
    const at = '2026-03-01T12:09:59.996Z';
    expect(data[1]).toEqual({
      id: expect.any(String),
      at,
      last_at: at,
      count: 1,
      outcome: 'done',
      token: 'token',
      token_name: 'okta',
      address: '192.0.2.1',
      method: 'POST',
      path: '/Users',
      status: 201,
      scim_type: null,
      detail: null,
      duration_ms: 3,
      request_id: 'request',
      body: '{"userName":"ada"}',
      body_cut: false,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('counts requests without a token by address and hour, also after a restart', () => {
    const { open, owner, trail, wait } = createLogWorld();
    const refused = { token: null, status: 401, detail: 'no token', body: { userName: 'x' } };
    const first = open();
    for (const address of ['192.0.2.1', '2001:db8::1', '2001:db8::2', '192.0.2.1']) {
      first.recordRequest(makeRequest({ ...refused, address }));
    }
    first.close();
    const second = open();
    wait(HOUR / 2);
    second.recordRequest(makeRequest({ ...refused, address: '192.0.2.1', requestId: 'last' }));
    wait(HOUR);
    second.recordRequest(makeRequest({ ...refused, address: '192.0.2.1' }));
    second.close();
    const { data } = trail.listRequests(owner, { outcome: 'refused' });
    expect(data.map(({ address, count, body }) => [address, count, body])).toEqual([
      ['192.0.2.1', 1, null],
      ['2001:db8::2', 2, null],
      ['192.0.2.1', 3, null],
    ]);
    expect(data[2]).toMatchObject({ request_id: 'last', last_at: '2026-03-01T12:39:59.996Z' });
  });

  it('keeps the last 1,000 requests, and 200 addresses without a token', () => {
    const { open, owner, trail } = createLogWorld();
    const log = open();
    for (let index = 0; index < 1_100; index += 1) {
      log.recordRequest(makeRequest({ target: `/Users/${index}` }));
      log.recordRequest(
        makeRequest({ token: null, status: 401, address: `10.0.${index >> 8}.${index & 255}` }),
      );
    }
    vi.advanceTimersByTime(1_000);
    log.close();
    expect(trail.listRequests(owner, { outcome: 'refused' }).total).toBe(200);
    const { data, total } = trail.listRequests(owner, { outcome: 'done', limit: 1_000 });
    expect([total, data.length]).toEqual([1_000, 1_000]);
    expect([data[0]?.path, data.at(-1)?.path]).toEqual(['/Users/1099', '/Users/100']);
  });

  it('is read page by page, by outcome and by a part of its texts', () => {
    const { open, owner, trail } = createLogWorld();
    const log = open();
    for (const name of ['a', 'b', 'c']) log.recordRequest(makeRequest({ body: { userName: name } }));
    log.recordRequest(makeRequest({ status: 400, detail: 'Filter is not valid', target: '/Groups' }));
    log.close();
    const first = trail.listRequests(owner, { limit: 2 });
    const second = trail.listRequests(owner, { limit: 2, after: first.data[1]?.id });
    expect([first, second].map(({ data, total }) => [data.length, total])).toEqual([
      [2, 4],
      [2, 4],
    ]);
    expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(4);
    const count = (filter: object) => trail.listRequests(owner, filter).total;
    expect(count({ outcome: 'failed' })).toBe(1);
    expect(count({ q: 'FILTER' })).toBe(1);
    expect(count({ q: '/groups' })).toBe(1);
    expect(count({ q: 'Name":"B' })).toBe(1);
    expect(count({ q: 'okta', outcome: 'done' })).toBe(3);
    expect(count({ q: '%' })).toBe(0);
    expect(() => trail.listRequests(owner, { limit: 1_001 })).toThrow('1000');
  });

  it('stores no detail that may quote a text around a password', () => {
    const { open, owner, trail, file } = createLogWorld();
    const log = open();
    const target = '/Users?filter=hunter2%20eq%20password';
    const detail = 'Filter is not valid: there is no attribute hunter2';
    log.recordRequest(makeRequest({ method: 'GET', status: 400, target, detail }));
    log.close();
    expect(trail.listRequests(owner, {}).data[0]).toMatchObject({ path: '/Users?***', detail: '***' });
    expect(readFileSync(file, 'latin1')).not.toContain('hunter2');
  });

  it('is only for administrators', () => {
    const { ada, trail } = createLogWorld();
    expect(() => trail.listRequests(ada, {})).toThrow("You don't have permission");
    expect(() => trail.listFailures(ada, {})).toThrow("You don't have permission");
  });
});

describe('the log of failed sign-ins', () => {
  it('has one entry for each with a valid signature, with the user', () => {
    const { open, owner, trail } = createLogWorld();
    const log = open();
    const user = { nameId: 'ann@example.org', email: 'ann@example.org' };
    expect(log.recordFailure(makeFailure('one', { check: 'audience', user }))).toBe('one');
    expect(log.recordFailure(makeFailure('two', { user: { nameId: 'x'.repeat(500), email: null } }))).toBe(
      'two',
    );
    const { data } = trail.listFailures(owner, { reference: 'one' });
    expect(data).toMatchObject([
      { reference: 'one', check: 'audience', name_id: 'ann@example.org', email: 'ann@example.org', count: 1 },
    ]);
    const [last] = trail.listFailures(owner, { limit: 1 }).data;
    expect(last).toMatchObject({ reference: 'two', name_id: 'x'.repeat(254), email: null });
  });

  it('counts those without a signature by address and hour, under the first reference', () => {
    const { open, owner, trail, wait } = createLogWorld();
    const log = open();
    expect(log.recordFailure(makeFailure('one'))).toBe('one');
    log.close();
    wait(1);
    const next = open();
    expect(next.recordFailure(makeFailure('two', { check: 'key' }))).toBe('one');
    expect(next.recordFailure(makeFailure('three', { address: '192.0.2.2' }))).toBe('three');
    wait(HOUR);
    expect(next.recordFailure(makeFailure('four'))).toBe('four');
    const { data } = trail.listFailures(owner, {});
    expect(data.map(({ reference, count, check }) => [reference, count, check])).toEqual([
      ['four', 1, 'digest'],
      ['three', 1, 'digest'],
      ['one', 2, 'key'],
    ]);
  });

  it('forgets entries after 30 days', () => {
    const { open, owner, trail, wait } = createLogWorld();
    const log = open();
    log.recordFailure(makeFailure('old'));
    wait(30 * 24 * HOUR + 1);
    expect(trail.listFailures(owner, {})).toEqual({ data: [], total: 0 });
    log.recordFailure(makeFailure('new'));
    expect(trail.listFailures(owner, {}).total).toBe(1);
  });

  it('keeps at most 1,000 addresses without a signature', () => {
    const { open, owner, trail } = createLogWorld();
    const log = open();
    const user = { nameId: 'ann@example.org', email: null };
    log.recordFailure(makeFailure('signed', { user }));
    for (let index = 0; index < 1_005; index += 1) {
      log.recordFailure(makeFailure(`r${index}`, { address: `10.0.${index >> 8}.${index & 255}` }));
    }
    expect(trail.listFailures(owner, {}).total).toBe(1_001);
    expect(trail.listFailures(owner, { reference: 'signed' }).total).toBe(1);
    expect(trail.listFailures(owner, { reference: 'r0' }).total).toBe(0);
  });
});
