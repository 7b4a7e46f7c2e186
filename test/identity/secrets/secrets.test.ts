import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSecrets, type SealedSecret, type Secrets } from '../../../src/identity/secrets/secrets.ts';
import { makeFolder } from '../../store/temporary-home.ts';

const PLACE = { owner: 'connection-1', name: 'password' };
const LABEL = 'the password of pg';
const SECRET = 'correct horse – 正しい馬 🐎';

function createKeyed(byte: number): Secrets {
  return createSecrets({ folder: makeFolder(), variable: Buffer.alloc(32, byte).toString('hex') });
}

/** The same ciphertext with one changed byte. */
function tamper({ keyId, ciphertext }: SealedSecret, at: number): SealedSecret {
  const bytes = Buffer.from(ciphertext, 'base64');
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = bytes[index]! ^ 1;
  return { keyId, ciphertext: bytes.toString('base64') };
}

describe('a secret', () => {
  it('is decrypted unchanged, and every ciphertext is different', () => {
    const secrets = createKeyed(1);
    const sealed = [SECRET, SECRET, 'x', 'y'.repeat(16_384)].map((text) => secrets.seal(text, PLACE, []));
    expect(sealed.map((one) => secrets.open(one, PLACE, LABEL))).toEqual([
      SECRET,
      SECRET,
      'x',
      'y'.repeat(16_384),
    ]);
    expect(new Set(sealed.map(({ ciphertext }) => ciphertext.slice(0, 16))).size).toBe(4);
    expect(JSON.stringify(sealed)).not.toContain('correct');
    expect(Buffer.from(sealed[0]!.ciphertext, 'base64').toString('latin1')).not.toContain('correct');
  });

  it.each([0, 11, 12, 20, -17, -16, -1])('is refused when byte %i was changed', (at) => {
    const secrets = createKeyed(1);
    const sealed = secrets.seal(SECRET, PLACE, []);
    expect(() => secrets.open(tamper(sealed, at), PLACE, LABEL)).toThrow(
      expect.objectContaining({
        name: 'HomeError',
        code: 'key',
        message: 'the password of pg is damaged: store the secret again',
      }),
    );
  });

  it.each([0, 12, 27])('is refused when only %i bytes are left', (length) => {
    const secrets = createKeyed(1);
    const { keyId, ciphertext } = secrets.seal(SECRET, PLACE, []);
    const cut = Buffer.from(ciphertext, 'base64').subarray(0, length).toString('base64');
    expect(() => secrets.open({ keyId, ciphertext: cut }, PLACE, LABEL)).toThrow('is damaged');
  });

  it.each([
    { owner: 'connection-2', name: 'password' },
    { owner: 'connection-1', name: 'token' },
    { owner: 'connection-1password', name: '' },
  ])('cannot be decrypted as %j', (place) => {
    const secrets = createKeyed(1);
    const sealed = secrets.seal(SECRET, PLACE, []);
    expect(() => secrets.open(sealed, place, LABEL)).toThrow('is damaged');
  });

  it('can only be decrypted with its own key', () => {
    const sealed = createKeyed(1).seal(SECRET, PLACE, []);
    expect(createKeyed(1).open(sealed, PLACE, LABEL)).toBe(SECRET);
    expect(() => createKeyed(2).open(sealed, PLACE, LABEL)).toThrow(
      expect.objectContaining({
        code: 'key',
        message:
          'the password of pg was encrypted with a different master key than the one of QUERN_MASTER_KEY: provide the original key, or store the secret again',
      }),
    );
  });

  it('is refused with the id of another key', () => {
    const { keyId } = createKeyed(2).seal(SECRET, PLACE, []);
    const { ciphertext } = createKeyed(1).seal(SECRET, PLACE, []);
    expect(() => createKeyed(2).open({ keyId, ciphertext }, PLACE, LABEL)).toThrow('is damaged');
  });
});

describe('the master key', () => {
  it('is the same for all secrets of a home', () => {
    const { keyId } = createKeyed(1).seal(SECRET, PLACE, []);
    expect(createKeyed(1).seal(SECRET, PLACE, [keyId]).keyId).toBe(keyId);
    expect(() => createKeyed(2).seal(SECRET, PLACE, [keyId])).toThrow(
      /^other secrets of this home were encrypted with a different master key than the one of QUERN_MASTER_KEY:/,
    );
  });

  it('is created in a home without one, unless existing secrets need a lost key', () => {
    const folder = makeFolder();
    const secrets = createSecrets({ folder, variable: undefined });
    const missing =
      /secret\.key is missing, but secrets of this home were encrypted with it: restore the file/;
    expect(() => secrets.open({ keyId: 'k', ciphertext: '' }, PLACE, LABEL)).toThrow(missing);
    expect(() => secrets.seal(SECRET, PLACE, ['k'])).toThrow(missing);
    expect(existsSync(join(folder, 'secret.key'))).toBe(false);
    const sealed = secrets.seal(SECRET, PLACE, []);
    expect(existsSync(join(folder, 'secret.key'))).toBe(true);
    expect(createSecrets({ folder, variable: undefined }).open(sealed, PLACE, LABEL)).toBe(SECRET);
  });

  it('is not read before it is needed', () => {
    expect(() => createSecrets({ folder: makeFolder(), variable: 'no key' })).not.toThrow();
  });
});
