import { describe, expect, it } from 'vitest';
import { COMMON_PASSWORDS } from '../../../src/identity/passwords/common-passwords.ts';
import { findPasswordWeakness } from '../../../src/identity/passwords/find-password-weakness.ts';

const names = ['Grace Hopper', 'grace@navy.example', 'li'];

describe('the list of common passwords', () => {
  it('is sorted, in lower case, and has no password below the minimum length', () => {
    const all = COMMON_PASSWORDS.split(' ');
    expect(all.length).toBeGreaterThan(5000);
    expect(all).toEqual([...new Set(all)].sort());
    expect(all.filter((one) => one.length < 8 || one !== one.normalize('NFKC').toLowerCase())).toEqual([]);
  });
});

describe('a password', () => {
  it.each(['password', 'PassW0rd', 'qwertyuiop', 'ｐａｓｓｗｏｒｄ', 'Trustno1', 'Patricia'])(
    '%j is one of the most common passwords',
    async (password) => {
      expect(await findPasswordWeakness(password, names)).toMatch(/^it is /);
    },
  );

  it.each([
    'grace hopper',
    'GRACE2026!',
    'grace@navy.example',
    'navy.example1',
    'Quern123',
    'quern-admin-2026',
    'admin@quern',
    'AdminAdmin',
    '!!changeme!!',
  ])('%j consists of names', async (password) => {
    expect(await findPasswordWeakness(password, names)).toBe('it is made of names and obvious words');
  });

  it.each(['aaaaaaaa', 'abababababab', '0000000000000000'])(
    '%j has too few different characters',
    async (password) => {
      expect(await findPasswordWeakness(password, names)).toBe('it has hardly any different characters');
    },
  );

  it.each([
    'correct horse battery',
    'grace is not alone',
    'lightning2',
    'quern918273645546',
    '83749261940275',
    // Two passwords of the list together are not in the list.
    'patricia password',
    'asked for on a terminal',
    'ßtraße-ünder',
  ])('%j is not weak', async (password) => {
    expect(await findPasswordWeakness(password, names)).toBeNull();
  });

  it('ignores empty names', async () => {
    expect(await findPasswordWeakness('83749261', ['', '@', 'a@b'])).toBeNull();
  });
});
