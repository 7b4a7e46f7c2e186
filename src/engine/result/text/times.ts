import { toDateText } from '../columns/date-text.ts';
import { packFour, writeAscii } from './ascii.ts';
import { THREE } from './digits.ts';

const ZERO = 0x30;
const POINT = 0x2e;
/** The days whose year has four digits: 0001-01-01 to 9999-12-31. */
const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

/** A cache of printed days; each slot has the day, then its ten bytes. An empty slot has a day of another slot. */
const SLOTS = 1 << 14;
const TEXTS = new Int32Array(SLOTS * 4);
TEXTS[0] = 1;

/** `00:0` to `24:0` by tens of minutes of the day; `0:00` to `9:59` by seconds of ten minutes. */
const TENS_OF_MINUTES = new Int32Array(24 * 6 + 1).map((_, n) => packFour(`${twoDigits(n / 6)}:${n % 6}`));
const SECONDS = new Int32Array(600).map((_, n) => packFour(`${Math.trunc(n / 60)}:${twoDigits(n % 60)}`));

function twoDigits(n: number): string {
  return String(Math.trunc(n)).padStart(2, '0');
}

/** Whether a day since 1970-01-01 is printed as `2024-01-02`, without a suffix. */
export function isPlainDay(days: number): boolean {
  return days >= FIRST_DAY && days <= LAST_DAY;
}

/** Writes any day since 1970-01-01. */
export function writeDate(out: DataView, at: number, days: number): number {
  const slot = (days & (SLOTS - 1)) << 2;
  if (TEXTS[slot] !== days) {
    if (!isPlainDay(days)) return writeAscii(out, at, toDateText(days));
    fillSlot(slot, days);
  }
  out.setInt32(at, TEXTS[slot + 1]!, true);
  out.setInt32(at + 4, TEXTS[slot + 2]!, true);
  out.setInt16(at + 8, TEXTS[slot + 3]!, true);
  return at + 10;
}

function fillSlot(slot: number, days: number): void {
  const text = toDateText(days);
  TEXTS[slot] = days;
  TEXTS[slot + 1] = packFour(text.slice(0, 4));
  TEXTS[slot + 2] = packFour(text.slice(4, 8));
  TEXTS[slot + 3] = packFour(`${text.slice(8)}  `);
}

/** Writes `03:04:05`: seconds of the day, at most 24:00:00. */
export function writeClock(out: DataView, at: number, seconds: number): number {
  const tens = (seconds / 600) | 0;
  out.setInt32(at, TENS_OF_MINUTES[tens]!, true);
  out.setInt32(at + 4, SECONDS[seconds - tens * 600]!, true);
  return at + 8;
}

/** Writes `.25`: a fraction of a second of `digits` (3, 6 or 9) digits, without trailing zeros. */
export function writeFraction(out: DataView, at: number, fraction: number, digits: number): number {
  if (fraction === 0) return at;
  out.setUint8(at, POINT);
  let n = fraction | 0;
  for (let position = at + digits - 2; position > at; position -= 3) {
    const thousands = (n / 1000) | 0;
    writeThree(out, position, n - thousands * 1000);
    n = thousands;
  }
  let end = at + 1 + digits;
  while (out.getUint8(end - 1) === ZERO) end -= 1;
  return end;
}

function writeThree(out: DataView, at: number, n: number): void {
  const digits = THREE[n]!;
  out.setInt16(at, digits, true);
  out.setUint8(at + 2, digits >> 16);
}
