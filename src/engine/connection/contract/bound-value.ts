// Values that a database binds to the placeholders of a statement, as plain data: they never become a part of its text.

/** Types that a request can name for a value: those of results (docs/reference/exec.md#bind). */
export const BOUND_TYPES = [
  'BOOLEAN',
  'INTEGER',
  'DECIMAL',
  'DOUBLE',
  'STRING',
  'DATE',
  'TIME',
  'TIMESTAMP',
  'BINARY',
  'JSON',
] as const;

export type BoundType = (typeof BOUND_TYPES)[number];

/**
 * A value as text: digits, `true`, `2026-01-15`, `09:30:00.5`, `2026-01-15T09:30:00Z`, base64 of BINARY; null is NULL.
 * The type is null for a text or NULL that fits any type, as far as the database converts it.
 */
export interface BoundScalar {
  readonly type: BoundType | null;
  readonly text: string | null;
}

export type BoundValue = BoundScalar | { readonly items: readonly BoundValue[] };

/** The microseconds of a text of type TIME: `09:30`, `09:30:00`, `09:30:00.5`; null for another text. */
export function toTimeMicros(text: string): bigint | null {
  const [, hour, minute, second = '0', fraction = ''] =
    /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?$/.exec(text) ?? [];
  if (hour === undefined) return null;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
}

/** The days since 1970-01-01 of a text of type DATE; null for another text, and for a day that no month has. */
export function toDays(text: string): number | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return null;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.toISOString().startsWith(text) ? date.getTime() / 86_400_000 : null;
}

/** A point in time. */
interface Moment {
  /** Microseconds since 1970, in UTC if it `hasZone`. */
  readonly micros: bigint;
  readonly hasZone: boolean;
}

/** The moment of a text of type TIMESTAMP: a date, `T` or a space, a time, and perhaps `Z` or `+01:00`; null otherwise. */
export function toMoment(text: string): Moment | null {
  const [, date = '', time = '', zone] = /^([\d-]{10})[T ]([\d:.]+)(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  const [days, micros] = [toDays(date), toTimeMicros(time)];
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(zone ?? '') ?? [];
  if (days === null || micros === null || Number(hours) > 15 || Number(minutes) > 59) return null;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return {
    micros: BigInt(days * 86_400 - offset * 60) * 1_000_000n + micros,
    hasZone: zone !== undefined,
  };
}
