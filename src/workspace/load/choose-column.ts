import { chooseDecimal, chooseType, DATE_FORMATS } from '../../engine/run/load/choose-type.ts';
import type { LoadColumn } from '../../engine/run/load/columns.ts';
import { KIND, type NumberStyle } from '../../engine/run/load/kinds.ts';
import {
  printDigitCounts,
  printFormatMisses,
  printStyleMisses,
  type TextSource,
} from '../../engine/run/load/survey.ts';
import { quoteArgument } from '../../errors/quote-argument.ts';
import { elementAt } from '../../invariants/must.ts';
import { shorten } from './explain-read-error.ts';
import type { RunQuery } from './table-to-load.ts';

/** The texts of a table. */
export interface Texts {
  readonly source: TextSource;
  readonly style: NumberStyle;
  readonly query: RunQuery;
}

/** A column whose type follows from its values. */
export interface ChosenColumn {
  readonly column: LoadColumn;
  readonly warnings: readonly string[];
}

/** The first rows; the formats that they have are compared with every row. */
const SAMPLED_ROWS = 1000;

/** Chooses the type of a column from the bits of KIND that its values have. */
export async function chooseColumn(texts: Texts, name: string, kinds: number): Promise<ChosenColumn> {
  const choice = chooseType(kinds);
  switch (choice.kind) {
    case 'type':
      return plain(name, choice.type);
    case 'decimal':
      return plain(name, (await chooseDigits(texts, name)) ?? 'VARCHAR');
    case 'otherDate':
      return chooseFormat(texts, name);
    case 'separated':
      return { column: { name, type: 'VARCHAR' }, warnings: await warnOfSeparators(texts, name) };
    default:
      return plain(name, 'VARCHAR');
  }
}

function plain(name: string, type: string): ChosenColumn {
  return { column: { name, type }, warnings: [] };
}

/** The DECIMAL that holds all numbers of a column; undefined if none does. */
export async function chooseDigits(
  { source, style, query }: Texts,
  name: string,
): Promise<string | undefined> {
  const [row] = await query<readonly [number | null, number | null]>(printDigitCounts(source, name, style));
  return chooseDecimal(row?.[0] ?? 0, row?.[1] ?? 0);
}

/** The formats that every value of a column has. */
export async function findFormats(
  { source, query }: Texts,
  name: string,
  formats: readonly string[],
): Promise<readonly string[]> {
  const filter = async (tried: readonly string[], maxRows?: number) => {
    if (tried.length === 0) return [];
    const rows = await query<readonly number[]>(
      printFormatMisses(source, name, { formats: tried, ...(maxRows === undefined ? {} : { maxRows }) }),
    );
    return tried.filter((_, at) => rows[0]?.[at] === 0);
  };
  return filter(await filter(formats, SAMPLED_ROWS));
}

/** Whether a format of dates has a time. */
function hasClock(format: string): boolean {
  return format.includes(':');
}

async function chooseFormat(texts: Texts, name: string): Promise<ChosenColumn> {
  const fitting = await findFormats(texts, name, DATE_FORMATS);
  // `%Y` also accepts a year of two digits.
  const formats = fitting.some((format) => format.includes('%y'))
    ? fitting.filter((format) => format.includes('%y'))
    : fitting;
  if (formats.length === 0) return plain(name, 'VARCHAR');
  const [format, other] = [elementAt(formats, 0), formats[1]];
  const column = { name, type: hasClock(format) ? 'TIMESTAMP' : 'DATE', format };
  if (other === undefined) return { column, warnings: [] };
  const flag = hasClock(format) ? '--timestamp-format' : '--date-format';
  const warning =
    `\`${name}\` was read as ${quoteArgument(format)}, and ${quoteArgument(other)} fits every value, too. ` +
    `${flag} ${quoteArgument(other)} chooses that one`;
  return { column, warnings: [warning] };
}

const STYLES: readonly NumberStyle[] = [
  { decimal: ',' },
  { thousands: ',' },
  { decimal: ',', thousands: '.' },
  { thousands: ' ' },
  { thousands: "'" },
  { decimal: ',', thousands: ' ' },
  { decimal: ',', thousands: "'" },
  { decimal: ',', thousands: '\u00a0' },
  { decimal: ',', thousands: '\u202f' },
  { thousands: '\u00a0' },
  { thousands: '\u202f' },
];

async function warnOfSeparators({ source, query }: Texts, name: string): Promise<readonly string[]> {
  const [row] = await query<readonly (number | string | null)[]>(printStyleMisses(source, name, STYLES));
  const fitting = STYLES.filter((_, at) => row?.[at] === 0);
  if (fitting.length === 0) return [];
  const [first, second] = fitting.map(printStyle);
  const example = row?.[STYLES.length];
  const such = typeof example === 'string' ? `, such as \`${shorten(example)}\`` : '';
  const choice = second === undefined ? `${first} reads them` : `${first} or ${second} reads them`;
  return [`\`${name}\` is VARCHAR, because its numbers have separators${such}. ${choice}`];
}

function printStyle({ decimal, thousands }: NumberStyle): string {
  const flags = [
    ...(decimal === undefined ? [] : [`--decimal ${quoteFlag(decimal)}`]),
    ...(thousands === undefined ? [] : [`--thousands ${quoteFlag(thousands)}`]),
  ];
  return flags.join(' ');
}

function quoteFlag(text: string): string {
  return text === ',' ? ',' : quoteArgument(text);
}

/** Whether the values of a column, by the bits of KIND, are dates, some with a time. */
export function isMixedDates(kinds: number): boolean {
  const dates = KIND.date | KIND.timestamp;
  return kinds !== 0 && (kinds & ~dates) === 0;
}
