import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'qrn_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * Generates a token (docs/reference/tokens.md#form-and-storage): `qrn_`, 30 random Base62 characters, and a checksum of
 * 6 characters over all before it.
 */
export function generateToken(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('');
  return withChecksum(`${PREFIX}${secret}`);
}

/** Whether a text has the form of a token and a valid checksum. This finds typos without a look-up. */
export function isWellFormedToken(text: string): boolean {
  return SHAPE.test(text) && withChecksum(text.slice(0, -CHECKSUM_LENGTH)) === text;
}

/** Hashes a token for storage. A token has 178 random bits, so a slow hash is not needed. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

function withChecksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = `${DIGITS[value % DIGITS.length]}${digits}`;
    value = Math.floor(value / DIGITS.length);
  }
  return `${text}${digits}`;
}
