import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { generateToken, hashToken, isWellFormedToken } from '../../../src/identity/tokens/token-format.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('a token', () => {
  it('has a prefix, 30 random characters and a checksum of 6 characters', () => {
    const tokens = Array.from({ length: 500 }, generateToken);
    for (const token of tokens) {
      expect(token).toMatch(/^qrn_[0-9A-Za-z]{36}$/);
      expect(isWellFormedToken(token)).toBe(true);
    }
    expect(new Set(tokens).size).toBe(500);
    expect(new Set(tokens.flatMap((token) => [...token.slice(4, 34)])).size).toBe(62);
  });

  it('ends with the CRC-32 of all characters before it, in base 62', () => {
    const token = generateToken();
    const value = [...token.slice(-6)].reduce((sum, digit) => sum * 62 + DIGITS.indexOf(digit), 0);
    expect(value).toBe(crc32(token.slice(0, -6)));
  });

  it('is refused with one wrong character, or two swapped characters', () => {
    const token = generateToken();
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'x' ? 'y' : 'x';
      expect(isWellFormedToken(`${token.slice(0, at)}${other}${token.slice(at + 1)}`)).toBe(false);
      const swapped = `${token.slice(0, at)}${token[at + 1] ?? ''}${token[at]}${token.slice(at + 2)}`;
      if (swapped !== token) expect(isWellFormedToken(swapped)).toBe(false);
    }
  });

  it.each(['', 'qrn_', ' ', 'x'.repeat(100_000)])('is refused as a malformed text %#', (text) => {
    expect(isWellFormedToken(text)).toBe(false);
    expect(isWellFormedToken(`${generateToken()}${text || '\n'}`)).toBe(false);
  });

  it('is stored as its SHA-256', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
