import { describe, expect, it } from 'vitest';
import { type AccountWorld, createAccountWorld } from '../account-world.ts';

const SECOND = 1000;
const MINUTE = 60_000;

/** A failed attempt: the seconds to wait when it is refused, else 0. */
function fail({ throttle }: AccountWorld, login: string, address: string | null = null): number {
  const turn = throttle.begin({ login, address });
  return turn.isAllowed ? 0 : turn.seconds;
}

function countRows({ database }: AccountWorld): number {
  return database.statement<{ n: number }>('SELECT count(*) AS n FROM sign_in_failures').get()!.n;
}

describe('a login', () => {
  it('waits from the fifth failure on, longer each time, and never permanently', () => {
    const world = createAccountWorld();
    const waits: (readonly [failures: number, seconds: number])[] = [];
    for (let failures = 0; failures < 50 || waits.length < 46; ) {
      const wait = fail(world, 'ada');
      if (wait === 0) failures++;
      else {
        waits.push([failures, wait]);
        world.pass(wait * SECOND - 1);
        expect(fail(world, 'ada')).toBe(1);
        world.pass(1);
      }
    }
    const first = [1, 2, 4, 8, 16, 32].map((seconds, i) => [i + 5, seconds]);
    const minutes = Array.from({ length: 39 }, (_, i) => [i + 11, 60]);
    expect(waits).toEqual([...first, ...minutes, [50, 900]]);
    // The last delay is over, and all failures are forgotten.
    expect(Array.from({ length: 6 }, () => fail(world, 'ada'))).toEqual([0, 0, 0, 0, 0, 1]);
  });

  it('is forgotten after a quarter of an hour without a failure', () => {
    const world = createAccountWorld();
    for (let i = 0; i < 4; i++) fail(world, 'ada');
    world.pass(15 * MINUTE - 1);
    expect([fail(world, 'ada'), fail(world, 'ada')]).toEqual([0, 1]);
    world.pass(15 * MINUTE);
    expect(Array.from({ length: 6 }, () => fail(world, 'ada'))).toEqual([0, 0, 0, 0, 0, 1]);
  });

  it('is the same in any case and Unicode composition, and different from others', () => {
    const world = createAccountWorld();
    for (const login of ['Jürgen', 'jürgen', 'JÜRGEN', 'Ju\u0308rgen', 'jÜrgen']) fail(world, login);
    expect([fail(world, 'jürgen'), fail(world, 'jurgen')]).toEqual([1, 0]);
  });

  it('may be any text', () => {
    const world = createAccountWorld();
    for (const login of ['', '\0', '\ud800', 'x'.repeat(1_000_000), "'; DROP TABLE users; --"]) {
      for (let i = 0; i < 5; i++) expect(fail(world, login)).toBe(0);
      expect(fail(world, login)).toBe(1);
    }
  });

  it('starts again after a success, and can be reset', () => {
    const world = createAccountWorld();
    const attempt = { login: 'ada', address: null };
    for (let i = 0; i < 4; i++) fail(world, 'ada');
    expect(world.throttle.begin(attempt)).toEqual({ isAllowed: true });
    world.throttle.succeed(attempt);
    expect(countRows(world)).toBe(0);
    for (let i = 0; i < 5; i++) fail(world, 'ada');
    world.throttle.forget(['ADA', 'nobody']);
    expect(fail(world, 'ada')).toBe(0);
  });

  it('gets an attempt back that was not verified', () => {
    const world = createAccountWorld();
    for (let i = 0; i < 20; i++) {
      expect(fail(world, 'ada', '192.0.2.1')).toBe(0);
      world.throttle.giveBack({ login: 'ada', address: '192.0.2.1' });
    }
    expect(countRows(world)).toBe(0);
  });

  it('reports only the first refused attempt after each failure', () => {
    const { throttle, pass } = createAccountWorld();
    const attempt = { login: 'ada', address: null };
    for (let i = 0; i < 5; i++) throttle.begin(attempt);
    const isFirst = () => {
      const turn = throttle.begin(attempt);
      return turn.isAllowed ? 'allowed' : turn.isFirst;
    };
    expect([isFirst(), isFirst(), isFirst()]).toEqual([true, false, false]);
    pass(SECOND);
    expect([isFirst(), isFirst(), isFirst()]).toEqual(['allowed', true, false]);
  });

  it('stays throttled after a restart', () => {
    const world = createAccountWorld();
    for (let i = 0; i < 5; i++) fail(world, 'ada', '192.0.2.1');
    const again = createAccountWorld({ home: world.home });
    expect(fail(again, 'ada')).toBe(1);
  });

  it('does not wait for a clock that was set back', () => {
    const world = createAccountWorld();
    for (let i = 0; i < 50; i++) {
      world.throttle.begin({ login: 'ada', address: null });
      world.pass(MINUTE);
    }
    world.pass(-60 * MINUTE);
    expect(fail(world, 'ada')).toBe(0);
  });
});

describe('an address', () => {
  it('may fail a hundred times, then as fast as failures expire', () => {
    const world = createAccountWorld();
    const attempt = (i: number, address = '192.0.2.1') => fail(world, `user ${i}`, address);
    for (let i = 0; i < 100; i++) expect(attempt(i)).toBe(0);
    expect([attempt(100), attempt(0, '192.0.2.2')]).toEqual([9, 0]);
    world.pass(9 * SECOND - 1);
    expect(attempt(101)).toBe(1);
    world.pass(1);
    expect([attempt(101), attempt(102)]).toEqual([0, 9]);
    world.pass(90 * SECOND);
    expect(Array.from({ length: 11 }, (_, i) => attempt(200 + i))).toEqual([...Array(10).fill(0), 9]);
  });

  it('keeps its other failures after a success, which does not count', () => {
    const world = createAccountWorld();
    for (let i = 0; i < 99; i++) fail(world, `user ${i}`, '192.0.2.1');
    for (let i = 0; i < 20; i++) {
      expect(fail(world, 'me', '192.0.2.1')).toBe(0);
      world.throttle.succeed({ login: 'me', address: '192.0.2.1' });
    }
    expect([fail(world, 'you', '192.0.2.1'), fail(world, 'she', '192.0.2.1')]).toEqual([0, 9]);
  });

  it.each([
    ['2001:db8:0:1::1', '2001:0DB8::1:ffff:ffff:ffff:ffff', true],
    ['2001:db8:0:1::1', '2001:db8:0:2::1', false],
    ['fe80::1%eth0', 'fe80::2%eth1', true],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['::FFFF:192.0.2.1', '192.0.2.2', false],
    ['::2', '1::2', false],
  ])('%s counts together with %s: %s', (one, other, isSame) => {
    const world = createAccountWorld();
    for (let i = 0; i < 100; i++) fail(world, `user ${i}`, one);
    expect(fail(world, 'x', other)).toBe(isSame ? 9 : 0);
  });

  it.each([['127.0.0.1'], ['127.1.2.3'], ['::1'], ['::ffff:127.0.0.1'], [null]])(
    'does not count as %s, which many users may share',
    (address) => {
      const world = createAccountWorld();
      for (let i = 0; i < 150; i++) expect(fail(world, `user ${i}`, address)).toBe(0);
    },
  );
});

describe('the stored failures', () => {
  it('contain no login and no address, and are deleted', () => {
    const world = createAccountWorld();
    for (let i = 0; i < 50; i++) fail(world, `hunter${i}`, `192.0.2.${i}`);
    const rows = JSON.stringify(world.database.statement('SELECT * FROM sign_in_failures').all());
    expect(rows).not.toMatch(/hunter|192\.0/);
    world.pass(15 * MINUTE);
    fail(world, 'ada');
    expect(countRows(world)).toBe(1);
  });

  it('are limited in number', () => {
    const world = createAccountWorld();
    world.database.write(() => {
      for (let i = 0; i < 70_000; i++) world.throttle.begin({ login: `user ${i}`, address: null });
    });
    expect(countRows(world)).toBeLessThanOrEqual(65_536);
  });
});
