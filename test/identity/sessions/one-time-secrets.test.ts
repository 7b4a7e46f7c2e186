import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createOneTimeSecrets, SECRET_MS } from '../../../src/identity/sessions/one-time-secrets.ts';
import { START } from '../account-world.ts';

/** Secrets under a clock that the test moves; `ended` lists the users of secrets that have ended. */
function createSecrets() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let now = START.getTime();
  const secrets = createOneTimeSecrets(() => new Date(now));
  const ended: string[] = [];
  return {
    ended,
    create: (userId: string) => secrets.create(userId, () => ended.push(userId)),
    take: (secret: string) => secrets.take(secret),
    close: () => secrets.close(),
    /** Moves the clock, but not the timers: the machine sleeps. */
    sleep: (milliseconds: number) => {
      now += milliseconds;
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
      vi.advanceTimersByTime(milliseconds);
    },
  };
}

describe('a one-time secret', () => {
  it('names its user once', () => {
    const { create, take, ended } = createSecrets();
    const [first, second] = [create('ada'), create('ada')];
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(second).not.toBe(first);
    expect(take(first)).toBe('ada');
    expect(ended).toEqual(['ada']);
    expect(take(first)).toBeNull();
    expect(take(second)).toBe('ada');
    expect(ended).toEqual(['ada', 'ada']);
  });

  it.each(['', 'x', 'A'.repeat(43), 'é'.repeat(1000)])('is unknown if it was made up: %j', (secret) => {
    const { create, take, ended } = createSecrets();
    create('ada');
    expect(take(secret)).toBeNull();
    expect(ended).toEqual([]);
  });

  it('ends after 15 minutes', () => {
    const { create, take, ended, pass } = createSecrets();
    const early = create('early');
    const late = create('late');
    pass(SECRET_MS - 1);
    expect(take(early)).toBe('early');
    pass(1);
    expect(ended).toEqual(['early', 'late']);
    expect(take(late)).toBeNull();
    expect(ended).toEqual(['early', 'late']);
  });

  it('ends after 15 minutes, even if the machine has slept in the meantime', () => {
    const { create, take, ended, sleep } = createSecrets();
    const secret = create('ada');
    sleep(SECRET_MS);
    expect(take(secret)).toBeNull();
    expect(ended).toEqual(['ada']);
  });

  it('displaces the oldest of five', () => {
    const { create, take, ended } = createSecrets();
    const secrets = ['1', '2', '3', '4', '5', '6'].map(create);
    expect(ended).toEqual(['1']);
    expect(secrets.map(take)).toEqual([null, '2', '3', '4', '5', '6']);
  });

  it('ends with the process', () => {
    const { create, take, ended, close } = createSecrets();
    const secrets = ['1', '2'].map(create);
    close();
    expect(ended).toEqual(['1', '2']);
    expect(secrets.map(take)).toEqual([null, null]);
  });
});
