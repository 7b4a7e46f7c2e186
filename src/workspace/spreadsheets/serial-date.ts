import { DAY, LAST_DAY, MISSING_DAY } from '../../engine/result/xlsx/sheet-format.ts';
import type { SerialKind } from './number-format.ts';

/** The text of a cell, and what it is. */
export interface CellValue {
  readonly kind:
    | 'whole'
    | 'large'
    | 'fraction'
    | 'boolean'
    | 'date'
    | 'timestamp'
    | 'time'
    | 'interval'
    | 'text'
    | 'error'
    | 'noValue';
  readonly text: string;
}

/**
 * The date or time of a serial number, which counts days and is exact to the millisecond; undefined for an invalid one.
 */
export function toSerialValue(
  serial: number,
  kind: Exclude<SerialKind, undefined>,
  is1904: boolean,
): CellValue | undefined {
  const total = Math.round(serial * DAY);
  if (!Number.isSafeInteger(total)) return undefined;
  if (kind === 'interval') return { kind, text: printInterval(total) };
  if (total < 0) return undefined;
  if (kind === 'time' && total < DAY) return { kind, text: printTime(total) };
  const date = printDate(Math.floor(total / DAY), is1904);
  if (date === undefined) return undefined;
  if (kind === 'date' && total % DAY === 0) return { kind, text: date };
  return { kind: 'timestamp', text: `${date} ${printTime(total % DAY)}` };
}

function printDate(day: number, is1904: boolean): string | undefined {
  if (day > LAST_DAY || (!is1904 && day === MISSING_DAY)) return undefined;
  const start = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < MISSING_DAY ? 31 : 30);
  const text = new Date(start + day * DAY).toISOString();
  return text.startsWith('+') ? undefined : text.slice(0, 10);
}

function printTime(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString().slice(11, 23);
  return text.endsWith('.000') ? text.slice(0, 8) : text;
}

/** Hours of an interval may be more than 24. */
function printInterval(milliseconds: number): string {
  const sign = milliseconds < 0 ? '-' : '';
  const size = Math.abs(milliseconds);
  const hours = Math.floor(size / (60 * 60 * 1000));
  return `${sign}${String(hours).padStart(2, '0')}${printTime(size % DAY).slice(2)}`;
}
