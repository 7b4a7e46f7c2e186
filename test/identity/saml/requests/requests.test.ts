import { describe, expect, it } from 'vitest';
import { createSignInRequests } from '../../../../src/identity/saml/requests/requests.ts';
import { createAccountWorld } from '../../account-world.ts';

const MINUTE = 60_000;
const NEW = { provider: 'saml', purpose: 'sign-in', returnPath: '/tokens', network: '192.0.2.1' } as const;

/** The requests of a home with a clock that only tests move. */
function createRequests() {
  const { database, clock, pass } = createAccountWorld();
  const read = () =>
    database.statement<{ count: number }>('SELECT count(*) AS count FROM sign_in_requests').get();
  return {
    ...createSignInRequests(database, clock),
    database,
    clock,
    pass,
    count: () => database.read(read)?.count,
  };
}

describe('a request to an identity provider', () => {
  it('is used once, only by the browser that started it', () => {
    const { create, take } = createRequests();
    const { id, browser } = create(NEW);
    const other = create(NEW);
    expect(take(id, 'saml', undefined)).toBeNull();
    expect(take(id, 'saml', other.browser)).toBeNull();
    expect(take(id, 'oidc', browser)).toBeNull();
    expect(take(id, 'saml', browser)).toEqual({
      purpose: 'sign-in',
      returnPath: '/tokens',
      testId: null,
    });
    expect(take(id, 'saml', browser)).toBeNull();
  });

  it('expires after fifteen minutes', () => {
    const { create, take, pass } = createRequests();
    const [first, second] = [create(NEW), create(NEW)];
    pass(15 * MINUTE - 1);
    expect(take(first.id, 'saml', first.browser)).not.toBeNull();
    pass(1);
    expect(take(second.id, 'saml', second.browser)).toBeNull();
  });

  it('reuses the cookie of the browser, unless the cookie is malformed', () => {
    const { create } = createRequests();
    const { browser } = create(NEW);
    expect(create({ ...NEW, browser }).browser).toBe(browser);
    for (const odd of ['', 'x', `${browser}x`, 'é'.repeat(43)]) {
      expect(create({ ...NEW, browser: odd }).browser).toMatch(/^[\w-]{43}$/);
    }
  });

  it('is one of at most a thousand of its network, and does not count for other networks', () => {
    const { create, take, count, pass } = createRequests();
    const own = create({ ...NEW, network: '198.51.100.1' });
    const oldest = create(NEW);
    for (let made = 0; made < 1_000; made++) {
      pass(1);
      create(NEW);
    }
    expect(count()).toBe(1_001);
    expect(take(oldest.id, 'saml', oldest.browser)).toBeNull();
    expect(take(own.id, 'saml', own.browser)).not.toBeNull();
  });

  it('is one of at most twenty thousand in total; the oldest are deleted first', () => {
    const { create, take, count, pass, database } = createRequests();
    const oldest = create({ ...NEW, network: 'oldest' });
    pass(1);
    const next = create({ ...NEW, network: 'next' });
    const copy = `
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 19998)
      INSERT INTO sign_in_requests
      SELECT '_' || n, provider, purpose, browser_hash, return_path, test_id, n, created_at, expires_at
      FROM number, sign_in_requests WHERE id = ?
    `;
    pass(1);
    const last = create({ ...NEW, network: 'last' });
    database.write(() => database.statement(copy).run(last.id));
    create({ ...NEW, network: 'one more' });
    expect(count()).toBe(20_000);
    expect(take(oldest.id, 'saml', oldest.browser)).toBeNull();
    expect(take(next.id, 'saml', next.browser)).toBeNull();
    expect(take(last.id, 'saml', last.browser)).not.toBeNull();
  });

  it('for a test is found by its browser, the newest first', () => {
    const { create, findTest, pass } = createRequests();
    const { browser } = create(NEW);
    expect(findTest('saml', browser)).toBeNull();
    create({ ...NEW, browser, purpose: 'test', testId: 'first' });
    pass(1);
    create({ ...NEW, browser, purpose: 'test', testId: 'second' });
    expect(findTest('saml', browser)).toBe('second');
    expect(findTest('saml', undefined)).toBeNull();
    expect(findTest('saml', create(NEW).browser)).toBeNull();
    pass(15 * MINUTE);
    expect(findTest('saml', browser)).toBeNull();
  });
});

describe('an assertion', () => {
  it('is accepted once for each issuer, until it expires', () => {
    const { use, clock, pass } = createRequests();
    const end = clock().getTime() + MINUTE;
    expect(use('https://idp.example.com', '_a', end)).toBe(true);
    expect(use('https://idp.example.com', '_a', end)).toBe(false);
    expect(use('https://other.example.com', '_a', end)).toBe(true);
    pass(MINUTE - 1);
    expect(use('https://idp.example.com', '_a', end)).toBe(false);
  });
});
