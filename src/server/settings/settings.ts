import type { TokenSettings } from '../auth/require-token.ts';
import type { ConnectionSettings } from '../http/limit-connections.ts';

/** How an app meets its clients. */
export interface AppSettings extends TokenSettings, ConnectionSettings {
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed; nobody's when empty. */
  readonly trustProxy: readonly string[];
  /** Requests that one token may make in a minute; null for any number. */
  readonly rateLimit: number | null;
  /** How long a whole request may take to arrive. */
  readonly requestTimeoutMs: number;
  /** The instance's address as its clients know it; null where they know it as it listens. */
  readonly baseUrl: string | null;
}
