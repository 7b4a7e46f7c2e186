import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { keyErrors } from './errors.ts';
import { createKeyFile, findMasterKey, keyFile, type MasterKey, type MasterKeySource } from './master-key.ts';

/** A stored secret: `ciphertext` is base64 of nonce, ciphertext and tag. */
export interface SealedSecret {
  readonly keyId: string;
  readonly ciphertext: string;
}

/** The place that a secret belongs to; the ciphertext cannot be decrypted for another place. */
interface SecretPlace {
  /** The id of the record. */
  readonly owner: string;
  readonly name: string;
}

/**
 * Encryption of stored secrets (docs/reference/secrets.md#encryption). Both methods throw a HomeError `key` when the
 * master key does not match.
 */
export interface Secrets {
  /**
   * Encrypts a secret. `inUse` are the key ids of the home's other secrets, which must match this key. If the list is
   * empty, a missing key file is created.
   */
  seal(secret: string, place: SecretPlace, inUse: readonly string[]): SealedSecret;
  /** Decrypts a secret; `label` names the secret in messages, as in "the password of pg". */
  open(sealed: SealedSecret, place: SecretPlace, label: string): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The secrets of a home; the master key is read at first use. */
export function createSecrets(source: MasterKeySource): Secrets {
  let known: MasterKey | null = null;
  const findKey = () => {
    known ??= findMasterKey(source);
    return known;
  };
  const needKey = () => findKey() ?? fail(keyErrors.missing(keyFile(source.folder)));
  const makeKey = () => {
    if (findKey() === null) createKeyFile(source.folder);
    return needKey();
  };

  return {
    seal(secret, place, inUse) {
      const key = inUse.length === 0 ? makeKey() : needKey();
      if (inUse.some((id) => id !== key.id)) throw keyErrors.mixedKeys(key.source);
      return { keyId: key.id, ciphertext: encrypt(secret, key, place) };
    },
    open(sealed, place, label) {
      const key = needKey();
      if (sealed.keyId !== key.id) throw keyErrors.otherKey(label, key.source);
      return decrypt(sealed.ciphertext, key, place) ?? fail(keyErrors.damaged(label));
    },
  };
}

function fail(error: Error): never {
  throw error;
}

function encrypt(secret: string, key: MasterKey, place: SecretPlace): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.encryption, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(toAssociatedData(key, place));
  const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64');
}

/** Null when the ciphertext was not created with this key for this place. */
function decrypt(ciphertext: string, key: MasterKey, place: SecretPlace): string | null {
  const bytes = Buffer.from(ciphertext, 'base64');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key.encryption, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(toAssociatedData(key, place));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const body = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([body, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function toAssociatedData(key: MasterKey, { owner, name }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify(['quern secret', key.id, owner, name]));
}
