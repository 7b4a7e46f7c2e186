import { parseDay, printDay } from './value.ts';

/** A day some months later or earlier; the last day of the month if the day does not exist. */
export function addMonths(day: bigint, months: number): bigint {
  const [year = 0, month = 1, date = 1] = printDay(day).split('-').map(Number);
  const count = year * 12 + (month - 1) + months;
  const first = new Date(Date.UTC(2000, 0, 1));
  first.setUTCFullYear(Math.floor(count / 12), count % 12, 1);
  const last = new Date(first);
  last.setUTCMonth(first.getUTCMonth() + 1, 0);
  first.setUTCDate(Math.min(date, last.getUTCDate()));
  return parseDay(first.toISOString().slice(0, 10));
}

const toWeekday = (day: bigint) => Number((((day + 4n) % 7n) + 7n) % 7n);
const firstOf = (year: number) => parseDay(`${String(year).padStart(4, '0')}-01-01`);

/** The ISO 8601 week: the first week contains the year's first Thursday. */
function findWeek(day: bigint): number {
  const thursday = day + 4n - BigInt(toWeekday(day) || 7);
  const year = Number(printDay(thursday).slice(0, 4));
  return Number((thursday - firstOf(year)) / 7n) + 1;
}

/** Parts of a day, by the names of EXTRACT. */
export const DAY_PARTS: Readonly<Record<string, (day: bigint) => number>> = {
  year: (day) => Number(printDay(day).slice(0, 4)),
  quarter: (day) => Math.ceil(Number(printDay(day).slice(5, 7)) / 3),
  month: (day) => Number(printDay(day).slice(5, 7)),
  week: findWeek,
  day: (day) => Number(printDay(day).slice(8, 10)),
  dow: toWeekday,
  isodow: (day) => toWeekday(day) || 7,
  doy: (day) => Number(day - firstOf(Number(printDay(day).slice(0, 4)))) + 1,
};

const DAY_US = 86_400_000_000n;
const toTime = (moment: bigint) => Number((((moment % DAY_US) + DAY_US) % DAY_US) / 1_000_000n);

/** Parts of the time in a DATETIME. */
export const TIME_PARTS: Readonly<Record<string, (moment: bigint) => number>> = {
  hour: (moment) => Math.floor(toTime(moment) / 3600),
  minute: (moment) => Math.floor(toTime(moment) / 60) % 60,
  second: (moment) => toTime(moment) % 60,
};
