import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import {
  createPasswords,
  findPasswordError,
  isOutdatedHash,
} from '../../../src/identity/passwords/passwords.ts';
import { refusalOf } from '../account-world.ts';

const password = 'correct horse';

describe('a password', () => {
  it('is only verified against its own hash', async () => {
    const passwords = createPasswords();
    const hashed = await passwords.hash(password);
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await passwords.hash(password)).not.toBe(hashed);
    const tried = [password, 'Correct horse', `${password} `, `${password}\0`, '', 'x'.repeat(100_000)];
    const found = await Promise.all(tried.map((one) => passwords.verify(one, hashed)));
    expect(found).toEqual([true, false, false, false, false, false]);
  });

  it('matches in any Unicode normalization', async () => {
    const passwords = createPasswords();
    const hashed = await passwords.hash('Über-Gänge\u0301');
    expect(await passwords.verify('U\u0308ber-Ga\u0308nge\u0301'.normalize('NFD'), hashed)).toBe(true);
    expect(await passwords.verify('Uber-Gange', hashed)).toBe(false);
  });

  it('never matches for an unknown user', async () => {
    const passwords = createPasswords();
    for (const tried of ['', '\0', password]) expect(await passwords.verify(tried, null)).toBe(false);
  });

  it.each([
    ['1234567', 'a password needs at least 8 characters'],
    ['🐟🐟🐟🐟', 'a password needs at least 8 characters'],
    ['a\u0301'.repeat(7), 'a password needs at least 8 characters'],
    ['🐟'.repeat(8), null],
    [' '.repeat(8), null],
    ['\ud800'.repeat(9), 'a password must be well-formed Unicode'],
    ['x'.repeat(1000), null],
    ['x'.repeat(1001), 'a password has at most 1000 characters'],
  ])('%j is checked by its length', (given, error) => {
    expect(findPasswordError(given)).toBe(error);
  });
});

describe('hashes', () => {
  it('are computed a few at a time, and refused when too many wait', async () => {
    const passwords = createPasswords({ atOnce: 1, waiting: 2 });
    const three = [1, 2, 3].map(() => passwords.hash(password));
    const fourth = await passwords.verify(password, null).catch((error: unknown) => error);
    expect(fourth).toMatchObject({ status: 503, retryAfter: 5 });
    expect(new Set(await Promise.all(three)).size).toBe(3);
    // All hashes have returned their slots.
    const again = await Promise.all([1, 2, 3].map(() => passwords.verify(password, null)));
    expect(again).toEqual([false, false, false]);
  });

  it('return their slots when they fail', async () => {
    const passwords = createPasswords({ atOnce: 1, waiting: 0 });
    await expect(passwords.verify(password, 'no hash')).rejects.toThrow();
    expect(await passwords.verify(password, null)).toBe(false);
    expect(await refusalOf(() => Promise.all([passwords.hash('a'), passwords.hash('b')]))).toMatch(/^503 /);
  });

  it('are outdated when their parameters are cheaper or different', async () => {
    const cheap = { memoryCost: 19_455, timeCost: 2, parallelism: 1 };
    expect(isOutdatedHash(await createPasswords().hash(password))).toBe(false);
    expect(isOutdatedHash(await hash(password, cheap))).toBe(true);
    expect(isOutdatedHash(await hash(password, { ...cheap, memoryCost: 20_000, timeCost: 1 }))).toBe(true);
    expect(isOutdatedHash(await hash(password, { ...cheap, memoryCost: 20_000, timeCost: 3 }))).toBe(false);
    expect(isOutdatedHash('$argon2i$v=19$m=99999,t=9,p=1$AAAA$AAAA')).toBe(true);
    expect(isOutdatedHash('nonsense')).toBe(true);
  });
});
