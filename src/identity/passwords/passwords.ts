import { passwordErrors, passwordRefused } from '../errors.ts';
import { findPasswordWeakness } from './find-password-weakness.ts';

/** Cost of a password hash (docs/reference/passwords.md#hashes): argon2id, 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The length of a password in code points: the minimum and the maximum (docs/reference/passwords.md#rules). */
const MIN_LENGTH = 8;
const MAX_LENGTH = 1_000;

/** The number of hashes computed at the same time, and the maximum number of waiting ones. */
const TURNS = { atOnce: 4, waiting: 100 } as const;

/**
 * The hash that a password is verified against when the user has no hash: it has the same cost and matches no password.
 */
const NOBODYS_HASH = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${toBase64(16)}$${toBase64(32)}`;

/** Hashes passwords, a few at a time. Both methods throw 503 when too many calls wait. */
export interface Passwords {
  /** The password's argon2id hash as a PHC string. */
  hash(password: string): Promise<string>;
  /** Whether the password matches the hash. Null matches no password, and takes the same time. */
  verify(password: string, hash: string | null): Promise<boolean>;
}

/** The password hashing of one process. */
export function createPasswords(turns: { atOnce: number; waiting: number } = TURNS): Passwords {
  const inTurn = createTurns(turns);
  return {
    hash: (password) =>
      inTurn(async () => {
        const { hash } = await import('@node-rs/argon2');
        return hash(compose(password), COST);
      }),
    verify: (password, known) =>
      inTurn(async () => {
        const { verify } = await import('@node-rs/argon2');
        const isSame = await verify(known ?? NOBODYS_HASH, compose(password));
        return isSame && known !== null;
      }),
  };
}

/** Explains why a password is invalid for every user, or returns null. */
export function findPasswordError(password: string): string | null {
  if (!password.isWellFormed()) return 'a password must be well-formed Unicode';
  const { length } = [...compose(password)];
  if (length < MIN_LENGTH) return `a password needs at least ${MIN_LENGTH} characters`;
  return length > MAX_LENGTH ? `a password has at most ${MAX_LENGTH} characters` : null;
}

/** Whether a hash has a lower cost than new ones. */
export function isOutdatedHash(hash: string): boolean {
  const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(hash) ?? [];
  return !(Number(memory) >= COST.memoryCost && Number(passes) >= COST.timeCost);
}

/** Normalizes a password, so that a letter with an accent matches however a keyboard sends it. */
function compose(password: string): string {
  return password.normalize('NFC');
}

/** The given number of zero bytes, encoded as in PHC strings. */
function toBase64(bytes: number): string {
  return Buffer.alloc(bytes).toString('base64').replace(/=+$/, '');
}

function createTurns({ atOnce, waiting: max }: { atOnce: number; waiting: number }) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running++;
    else if (waiting.length >= max) throw passwordErrors.busy();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The next call in the queue takes over this slot.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

/** The circumstances in which a new password is set. */
interface PasswordUse {
  /**
   * Whether a person has just typed the password and can choose another one. If so, an easily guessed password is
   * refused.
   */
  readonly isTyped: boolean;
  /** The user name and e-mail address of its user. */
  readonly names: readonly string[];
}

/** Throws 400 for an invalid password (docs/reference/passwords.md#rules). */
export async function checkPassword(password: string, { isTyped, names }: PasswordUse): Promise<void> {
  const error = findPasswordError(password);
  if (error !== null) throw passwordRefused(error);
  const weakness = isTyped ? await findPasswordWeakness(password, names) : null;
  if (weakness !== null) throw passwordErrors.weak(weakness);
}
