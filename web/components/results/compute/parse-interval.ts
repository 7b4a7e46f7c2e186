const DAY_MICROS = 86_400_000_000n;

/** The days of a unit in the order of intervals. */
const DAYS: Readonly<Record<string, bigint>> = { year: 360n, mon: 30n, day: 1n };

const PART = /([+-]?\d+) (year|mon|day)\w*|([+-]?)(\d+):(\d\d):(\d\d)(?:\.(\d{1,6}))?/g;

/**
 * The length of an interval in microseconds, as databases order intervals: a month has 30 days. It is written as
 * `1 year 2 months -3 days 04:05:06.7`, or as Trino prints it: `1-2` or `-3 04:05:06.789`. Infinite for `infinity`,
 * and null for other texts.
 */
export function parseInterval(text: string): bigint | number | null {
  const infinite = /^(-?)infinity$/i.exec(text);
  if (infinite !== null) return Number(`${infinite[1]}Infinity`);
  const parts = text
    .replace(/^(-?)(\d+)-(\d+)$/, '$1$2 year $1$3 mon')
    .replace(/^(-?)(\d+) (?=\d+:)/, '$1$2 day $1');
  if (text.trim() === '' || parts.replaceAll(PART, '').trim() !== '') return null;
  return [...parts.matchAll(PART)].reduce((sum, part) => sum + toMicros(part), 0n);
}

function toMicros([, count, unit = '', sign, ...clock]: RegExpExecArray): bigint {
  if (count !== undefined) return BigInt(count) * (DAYS[unit] ?? 0n) * DAY_MICROS;
  const [hours = 0, minutes = 0, seconds = 0, fraction = ''] = clock;
  const whole = (BigInt(hours) * 60n + BigInt(minutes)) * 60n + BigInt(seconds);
  const micros = whole * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
  return sign === '-' ? -micros : micros;
}
