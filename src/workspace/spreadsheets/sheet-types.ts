import type { CellValue } from './serial-date.ts';

type ValueKind = Exclude<CellValue['kind'], 'error' | 'noValue'>;

const BITS: Readonly<Record<ValueKind, number>> = {
  whole: 1,
  large: 2,
  fraction: 4,
  boolean: 8,
  date: 16,
  timestamp: 32,
  time: 64,
  interval: 128,
  text: 256,
};
const NUMBER = BITS.whole | BITS.large | BITS.fraction;

/** Types by the kinds of values that a column has. */
const TYPES: readonly (readonly [bits: number, type: string])[] = [
  [BITS.whole, 'BIGINT'],
  [BITS.whole | BITS.fraction, 'DOUBLE'],
  [BITS.boolean, 'BOOLEAN'],
  [BITS.date, 'DATE'],
  [BITS.date | BITS.timestamp, 'TIMESTAMP'],
  [BITS.time, 'TIME'],
  [BITS.interval, 'INTERVAL'],
];

/** Collects the kinds of the values of columns. */
export class ColumnKinds {
  readonly #bits: number[] = [];

  add(column: number, kind: ValueKind): void {
    this.#bits[column] = (this.#bits[column] ?? 0) | BITS[kind];
  }

  /**
   * The type of a column; undefined without values, and for numbers that a double does not hold, whose type the loader
   * chooses by their digits.
   */
  typeOf(column: number): string | undefined {
    const bits = this.#bits[column] ?? 0;
    const isDigits = (bits & BITS.large) !== 0 && (bits & ~NUMBER) === 0;
    if (bits === 0 || isDigits) return undefined;
    return TYPES.find(([held]) => (bits & ~held) === 0)?.[1] ?? 'VARCHAR';
  }
}
