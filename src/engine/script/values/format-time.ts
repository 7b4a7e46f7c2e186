import { elementAt, notNull } from '../../../invariants/must.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const TOKEN = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+/g;

/** An invalid pattern. */
export class PatternError extends Error {}

type Print = (time: Date, width: number) => string;

const pad = (value: number, width: number) => String(value).padStart(width, '0');

/** The printer of each letter, in UTC; `width` is the number of repetitions. */
const LETTERS: Readonly<Record<string, Print>> = {
  y: (time, width) => (width === 2 ? pad(time.getUTCFullYear() % 100, 2) : pad(time.getUTCFullYear(), width)),
  M: (time, width) => printName(MONTHS, time.getUTCMonth(), width) ?? pad(time.getUTCMonth() + 1, width),
  d: (time, width) => pad(time.getUTCDate(), width),
  D: (time, width) => pad(findDayOfYear(time), width),
  E: (time, width) => notNull(printName(DAYS, time.getUTCDay(), Math.max(width, 3))),
  H: (time, width) => pad(time.getUTCHours(), width),
  h: (time, width) => pad(time.getUTCHours() % 12 || 12, width),
  a: (time) => (time.getUTCHours() < 12 ? 'AM' : 'PM'),
  m: (time, width) => pad(time.getUTCMinutes(), width),
  s: (time, width) => pad(time.getUTCSeconds(), width),
  S: (time, width) => pad(time.getUTCMilliseconds(), 3).padEnd(width, '0').slice(0, width),
};

/** The first three letters of a name for a width of 3, the full name for more. */
function printName(names: readonly string[], index: number, width: number): string | null {
  if (width < 3) return null;
  return width === 3 ? elementAt(names, index).slice(0, 3) : elementAt(names, index);
}

function findDayOfYear(time: Date): number {
  const start = Date.UTC(time.getUTCFullYear(), 0, 1);
  return Math.floor((time.getTime() - start) / 86_400_000) + 1;
}

/** Formats a time in UTC with a pattern of Java's letters: `yyyy-MM-dd'T'HH:mm:ss.SSS`. Throws a PatternError. */
export function formatTime(millis: number, pattern: string): string {
  const time = new Date(millis);
  let text = '';
  let end = 0;
  for (const { index, 0: token, 1: quoted, 2: letter } of pattern.matchAll(TOKEN)) {
    if (index !== end) break;
    end = index + token.length;
    if (quoted !== undefined) text += quoted === '' ? "'" : quoted.replaceAll("''", "'");
    else text += letter === undefined ? token : printLetter(letter, time, token.length);
  }
  if (end < pattern.length) throw new PatternError("the pattern has an unclosed `'`");
  return text;
}

function printLetter(letter: string, time: Date, width: number): string {
  const print = LETTERS[letter];
  if (print !== undefined) return print(time, width);
  throw new PatternError(
    `unknown pattern letter \`${letter}\`: use y M d D E H h a m s S, and put text between '…'`,
  );
}
