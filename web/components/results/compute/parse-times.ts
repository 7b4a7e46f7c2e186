import type { TimeUnit } from '../../../../src/engine/result/columns/column.ts';

const DAY_MS = 86_400_000;

/** The ticks of a unit in a second. */
const TICKS: Readonly<Record<TimeUnit, bigint>> = {
  second: 1n,
  millisecond: 1_000n,
  microsecond: 1_000_000n,
  nanosecond: 1_000_000_000n,
};

/** Days since 1970-01-01 of a date such as `2024-01-02`; null if it is not one. */
export function parseDay(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  // A day that a month does not have is another date, or none.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) return null;
  return time / DAY_MS;
}

/** Microseconds since midnight of a time such as `03:04:05.5`; seconds can be left out. */
export function parseTimeOfDay(text: string): bigint | null {
  return parseClock(text, 'microsecond');
}

/** Ticks since 1970-01-01 UTC of a timestamp such as `2024-01-02 03:04:05`; the time can be left out. */
export function parseInstant(text: string, unit: TimeUnit): bigint | null {
  const [, date = '', time] = /^(\S{10})(?:[ T]([\d:.]+)(?:Z|\+00)?)?$/.exec(text) ?? [];
  const day = parseDay(date);
  const clock = time === undefined ? 0n : parseClock(time, unit);
  if (day === null || clock === null) return null;
  return BigInt(day) * 86_400n * TICKS[unit] + clock;
}

function parseClock(text: string, unit: TimeUnit): bigint | null {
  const match = /^(\d{1,2}):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?$/.exec(text);
  if (match === null || Number(match[1]) > 24) return null;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = match;
  const whole = BigInt(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  return whole * TICKS[unit] + (BigInt(fraction.padEnd(9, '0')) * TICKS[unit]) / TICKS.nanosecond;
}
