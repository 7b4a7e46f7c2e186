/** More than the engine's sample of 20,480 rows. */
export const WHOLE_ROWS = 25_000;

/** Columns of csv by name: the values of all rows but the last, the value of the last row, and the type that holds both. */
const COLUMNS: Readonly<Record<string, readonly [fill: string, last: string, type: string]>> = {
  fraction: ['1', '1.5', 'DOUBLE'],
  long: ['1', '9223372036854775807', 'BIGINT'],
  huge: ['1', '9223372036854775808', 'HUGEINT'],
  vast: ['1', '1'.repeat(60), 'VARCHAR'],
  precise: ['1.25', '0.1234567890123456789', 'DECIMAL(38,19)'],
  too_precise: ['1.25', `0.${'123456789'.repeat(5)}`, 'VARCHAR'],
  exponent: ['1.25', '1e+300', 'DOUBLE'],
  word: ['1', 'one', 'VARCHAR'],
  zero: ['1', '007', 'VARCHAR'],
  truth: ['true', '1', 'VARCHAR'],
  day: ['2026-01-15', '2026-01-15 23:59:59', 'VARCHAR'],
  no_day: ['2026-01-15', '2026-02-30', 'VARCHAR'],
  other_day: ['15/01/2026', '2026-01-15', 'VARCHAR'],
  moment: ['2026-01-15 10:00:00', '2026-01-15 10:00:00+02', 'VARCHAR'],
  fine: ['2026-01-15 10:00:00', '2026-01-15 10:00:00.123456', 'TIMESTAMP'],
  too_fine: ['2026-01-15 10:00:00', '2026-01-15 10:00:00.1234567', 'VARCHAR'],
  clock: ['10:00:00', 'noon', 'VARCHAR'],
  quoted: ['a', 'a "quoted" text', 'VARCHAR'],
  comma: ['a', 'a, b', 'VARCHAR'],
  lines: ['a', 'a\nb', 'VARCHAR'],
  empty: ['1', '', 'BIGINT'],
};
export const NAMES = Object.keys(COLUMNS);
const pick = (at: number) => Object.values(COLUMNS).map((column) => column[at]!);
/** The last row, and the types of the columns. */
export const [LAST, TYPES] = [pick(1), pick(2)];

function printRow(values: readonly string[]): string {
  const cells = values.map((text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text));
  return `${cells.join(',')}\n`;
}

const HEADER = printRow(NAMES);
/** All rows but the last. */
export const WHOLE_FIRST = HEADER + printRow(pick(0)).repeat(WHOLE_ROWS);
/** All rows. */
export const WHOLE = WHOLE_FIRST + printRow(LAST);
/** Only the last row. */
export const WHOLE_LAST = HEADER + printRow(LAST);
