import { readKey, readText } from '../address.ts';

/** Filters by the last use: the tokens without a request for this number of days. */
export const UNUSED: Readonly<Record<'30' | '90' | '365', string>> = {
  '30': 'Unused for 30 days',
  '90': 'Unused for 90 days',
  '365': 'Unused for a year',
};

/** Filters by the expiry: the tokens that expire within this number of days, or have expired. */
export const EXPIRING: Readonly<Record<'0' | '7' | '30', string>> = {
  '0': 'Expired',
  '7': 'Expires within 7 days',
  '30': 'Expires within 30 days',
};

/** What the list of API keys shows, in the address. */
export interface KeysSearch {
  readonly q?: string | undefined;
  readonly unused?: keyof typeof UNUSED | undefined;
  readonly expires?: keyof typeof EXPIRING | undefined;
  /** The API key that the panel shows, and its owner. */
  readonly key?: string | undefined;
  readonly owner?: string | undefined;
  /** Whether the dialog that creates an API key is open. */
  readonly create?: 1 | undefined;
}

/** Reads the search parameters of an address; ignores invalid ones. */
export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  return {
    q: readText(search.q),
    unused: readKey(UNUSED, String(search.unused)),
    expires: readKey(EXPIRING, String(search.expires)),
    key: readText(search.key),
    owner: readText(search.owner),
    create: String(search.create) === '1' ? 1 : undefined,
  };
}

const DAY_MS = 86_400_000;

/** The parameters of the list for a search; times are those of `today`, so that the list stays the same all day. */
export function toKeysParameters({ q, unused, expires }: KeysSearch, today: Date) {
  const midnight = Math.floor(today.getTime() / DAY_MS) * DAY_MS;
  const print = (days: number) => new Date(midnight + days * DAY_MS).toISOString();
  return {
    q,
    unused_since: unused === undefined ? undefined : print(-Number(unused)),
    expires_before:
      expires === undefined ? undefined : expires === '0' ? today.toISOString() : print(Number(expires)),
  };
}
