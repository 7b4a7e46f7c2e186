import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../../store/values/clock.ts';

/**
 * How long a secret can be used, in milliseconds.
 *
 * @internal
 */
export const SECRET_MS = 15 * 60_000;
/** The maximum number of unused secrets; a further one ends the oldest. */
const MAX_SECRETS = 5;
const RANDOM_BYTES = 32;

/** Secrets that each sign one user in once. They are kept in memory, as hashes, and end with the process. */
export interface OneTimeSecrets {
  /**
   * Creates a secret with 256 random bits. `onEnd` is called once: when the secret is used, expires, or is displaced.
   */
  create(userId: string, onEnd: () => void): string;
  /** The user of a secret, which ends with this call; null for one that is unknown, used or expired. */
  take(secret: string): string | null;
  /** Ends all secrets. */
  close(): void;
}

interface Pending {
  readonly userId: string;
  /** In milliseconds since 1970. The timer alone could be late, because it stops while the machine sleeps. */
  readonly expiresAt: number;
  readonly end: () => void;
}

/** No secrets at first. */
export function createOneTimeSecrets(clock: Clock): OneTimeSecrets {
  const pending = new Map<string, Pending>();
  return {
    create(userId, onEnd) {
      const [oldest] = pending.values();
      if (pending.size >= MAX_SECRETS) oldest?.end();
      const secret = randomBytes(RANDOM_BYTES).toString('base64url');
      const key = toKey(secret);
      const end = () => {
        clearTimeout(timer);
        if (pending.delete(key)) onEnd();
      };
      const timer = setTimeout(end, SECRET_MS).unref();
      pending.set(key, { userId, expiresAt: clock().getTime() + SECRET_MS, end });
      return secret;
    },
    take(secret) {
      const entry = pending.get(toKey(secret));
      entry?.end();
      return entry !== undefined && clock().getTime() < entry.expiresAt ? entry.userId : null;
    },
    close() {
      for (const { end } of pending.values()) end();
    },
  };
}

/** The secret has 256 random bits, so it needs no slow hash. */
function toKey(secret: string): string {
  return hash('sha256', secret);
}
