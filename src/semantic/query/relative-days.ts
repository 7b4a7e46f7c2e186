import { present } from '../../invariants/must.ts';
import { isKeyOf } from '../../invariants/narrow.ts';
import { suggest } from '../../text/suggest.ts';
import { findDay, findUnitStart } from '../model/local-time.ts';
import type { Grain } from '../model/model.ts';

/** A range of days, inclusive; each day is its UTC midnight in milliseconds. */
export interface Days {
  readonly first: number;
  readonly last: number;
}

const DAY_MS = 86_400_000;
const FIRST_YEAR = 1;
const LAST_YEAR = 9999;

/** Examples for messages without a suggestion. */
const EXAMPLES = ['today', 'yesterday', 'tomorrow', 'this week', 'last 30 days', 'last quarter'];
const UNITS: readonly Grain[] = ['day', 'week', 'month', 'quarter', 'year'];
const NAMED: Readonly<Record<string, string>> = {
  today: 'this day',
  yesterday: 'last day',
  tomorrow: 'next day',
};

/** Reads a date or, relative to `today` unless that is null, words such as `last 30 days`; null for any other text. */
export function findDays(text: string, today: number | null): Days | null {
  const day = findDay(text);
  if (day !== null) return { first: day, last: day };
  return today === null ? null : findRelativeDays(text, today);
}

/**
 * Reads words for days (docs/reference/semantic-queries.md#words-for-dates): `today`, `yesterday`, `tomorrow`; `this`,
 * `last` or `next` day, week, month, quarter or year; `last` or `next` with a number of units, which are complete units
 * before or after the current one; a unit with `to date`. Weeks start on Monday. Null for other text, or outside the
 * years 1 to 9999.
 */
export function findRelativeDays(text: string, today: number): Days | null {
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ');
  const phrase = Object.hasOwn(NAMED, words) ? present(NAMED[words]) : words;
  const toDate = /^(day|week|month|quarter|year) to date$/.exec(phrase);
  if (toDate !== null) return { first: findUnitStart(findUnit(toDate[1]), today, 0), last: today };
  const match = /^(this|last|next)(?: (\d{1,5}))? (day|week|month|quarter|year)(s?)$/.exec(phrase);
  if (match === null) return null;
  const [, side = '', digits, word, plural] = match;
  const unit = findUnit(word);
  if (!isKeyOf(SPANS, side)) return null;
  const count = digits === undefined ? 1 : Number(digits);
  const isValid = digits === undefined ? plural === '' : side !== 'this' && count > 0;
  if (!isValid) return null;
  const [from, to] = SPANS[side](count);
  return checkYears({
    first: findUnitStart(unit, today, from),
    last: findUnitStart(unit, today, to) - DAY_MS,
  });
}

/** Finds the unit that a word names. */
function findUnit(word: string | undefined): Grain {
  return present(UNITS.find((unit) => unit === word));
}

/** A hint for text that is not a date. */
export function suggestDays(text: string): string {
  const near = suggest(text.trim(), listPhrases(text));
  return near === undefined
    ? `write a date as 2026-01-31, or as ${EXAMPLES.join(', ')}`
    : `did you mean \`${near}\`?`;
}

/** All phrases for days, with the number in the text. */
function listPhrases(text: string): readonly string[] {
  const count = /(?<!\d)0*[1-9]\d*(?!\d)/.exec(text)?.[0];
  const counts = count === undefined || count.length > 5 ? [] : [count];
  const phrases = UNITS.flatMap((unit) => [
    `this ${unit}`,
    `last ${unit}`,
    `next ${unit}`,
    `${unit} to date`,
    ...counts.flatMap((each) => [`last ${each} ${unit}s`, `next ${each} ${unit}s`]),
  ]);
  return [...Object.keys(NAMED), ...phrases];
}

type Side = 'this' | 'last' | 'next';

/** The first unit and the end (exclusive), relative to the current unit. */
const SPANS: Readonly<Record<Side, (count: number) => readonly [number, number]>> = {
  this: () => [0, 1],
  last: (count) => [-count, 0],
  next: (count) => [1, count + 1],
};

function checkYears(days: Days): Days | null {
  const isInside = [days.first, days.last].every((ms) => {
    const year = new Date(ms).getUTCFullYear();
    return year >= FIRST_YEAR && year <= LAST_YEAR;
  });
  return isInside ? days : null;
}
