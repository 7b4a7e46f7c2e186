import type { TokenSettings } from '../auth/require-token.ts';
import type { ConnectionSettings } from '../http/limit-connections.ts';

/** Settings of the HTTP interface. */
export interface AppSettings extends TokenSettings, ConnectionSettings {
  /** Addresses and networks of the proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[];
  /** Maximum requests of one token in a minute; null for no limit. */
  readonly rateLimit: number | null;
  /** Maximum time until a request has arrived completely. */
  readonly requestTimeoutMs: number;
  /** The base URL of the instance; null if it is not set. */
  readonly baseUrl: string | null;
}
