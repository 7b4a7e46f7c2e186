import { passwordErrors } from '../errors.ts';

/** Cost of a password hash (identity 1): argon2id, 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The shortest password that is taken (interface 8), and the longest, in code points. */
const MIN_LENGTH = 8;
const MAX_LENGTH = 1_000;

/** Hashes that are computed at a time, and how many may wait for their turn. */
const TURNS = { atOnce: 4, waiting: 100 } as const;

/** What a password is verified against where there is none: of the same cost, and the hash of nothing. */
const NOBODYS_HASH = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${toBase64(16)}$${toBase64(32)}`;

/** Hashes passwords, few at a time. Both throw 503 when too many wait. */
export interface Passwords {
  /** The password's argon2id hash as a PHC string. */
  hash(password: string): Promise<string>;
  /** Whether a hash is this password's. No hash, null, is nobody's, and costs the same work. */
  verify(password: string, hash: string | null): Promise<boolean>;
}

/** The hashing of one process. */
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

/** Why a password is refused whoever gives it, or null. */
export function findPasswordFault(password: string): string | null {
  if (!password.isWellFormed()) return 'a password must be well-formed Unicode';
  const { length } = [...compose(password)];
  if (length < MIN_LENGTH) return `a password needs at least ${MIN_LENGTH} characters`;
  return length > MAX_LENGTH ? `a password has at most ${MAX_LENGTH} characters` : null;
}

/** Whether a hash is cheaper than those that are made now. */
export function isOutdatedHash(hash: string): boolean {
  const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(hash) ?? [];
  return !(Number(memory) >= COST.memoryCost && Number(passes) >= COST.timeCost);
}

/** A letter and its accent count as one character, however a keyboard sends them. */
function compose(password: string): string {
  return password.normalize('NFC');
}

/** So many zero bytes as PHC strings write them. */
function toBase64(bytes: number): string {
  return Buffer.alloc(bytes).toString('base64').replace(/=+$/, '');
}

function createTurns({ atOnce, waiting: most }: { atOnce: number; waiting: number }) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running++;
    else if (waiting.length >= most) throw passwordErrors.busy();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Whoever is next takes this place over.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
