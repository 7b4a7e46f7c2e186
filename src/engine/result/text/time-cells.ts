import type { TimeUnit } from '../columns/column.ts';
import { type Cell, createFixedCell, toWords } from './cell.ts';
import { writeDate } from './times.ts';
import { createIsoWriter, createTimestampWriter, type WriteTimestamp, writeTime } from './timestamps.ts';

/** The maximum bytes of any printed date, timestamp or time. */
const MAX_BYTES = 48;

/** Days. */
export const dateCell: Cell = createFixedCell('date', MAX_BYTES, toWords, (out, at, words, row) =>
  writeDate(out, at, words[row]!),
);

/** Times of day. */
export const timeCell: Cell = createFixedCell('time', MAX_BYTES, toWords, (out, at, words, row) =>
  writeTime(out, at, words[2 * row]!, words[2 * row + 1]!),
);

/** Timestamps as databases print them. */
export function createTimestampCell(unit: TimeUnit, utc: boolean): Cell {
  return createCellOf(`timestamp-${unit}-${utc}`, createTimestampWriter(unit, utc));
}

/** Timestamps in ISO 8601. */
export function createIsoCell(unit: TimeUnit, utc: boolean): Cell {
  return createCellOf(`iso-${unit}-${utc}`, createIsoWriter(unit, utc));
}

function createCellOf(key: string, write: WriteTimestamp): Cell {
  return createFixedCell(key, MAX_BYTES, toWords, (out, at, words, row) =>
    write(out, at, words[2 * row]!, words[2 * row + 1]!),
  );
}
