import { printOddCount, type TypeGuess } from '../../engine/run/load-files.ts';
import { quoteArgument } from '../../errors/quote-argument.ts';
import type { Query, TableToLoad } from './table-to-load.ts';

/** What the values of each type are called: one, several. */
const NOUNS: Readonly<Record<string, readonly [string, string]>> = {
  DOUBLE: ['a number', 'numbers'],
  TIMESTAMP: ['a date or time', 'dates or times'],
};
/** The first rows, which decide whether all rows of a column are read: prose and names cost little. */
const SAMPLED_ROWS = 20_480;
/** A column with more odd values than one of these is intended as text. */
const MIN_VALUES_PER_ODD = 10;
/** The maximum of a quoted value, in characters. */
const MAX_EXAMPLE = 40;

type OddRow = readonly [
  column: string,
  type: string,
  values: number,
  odd: number,
  distinct: number,
  example: string | null,
];

/**
 * Warns about columns of csv that are text only because of a few values: the database reports such values as errors
 * only if it detects the type before it reads them. There is no warning about a column whose type the caller set.
 */
export async function warnOfOddValues(
  { settings, table, format }: TableToLoad,
  columns: readonly TypeGuess[],
  query: Query,
): Promise<readonly string[]> {
  if (format !== 'csv') return [];
  const given = Object.keys(settings.types ?? {});
  const texts = columns.filter(({ name, type }) => type === 'VARCHAR' && !given.includes(name));
  const guesses = texts.flatMap(({ name }) => Object.keys(NOUNS).map((type) => ({ name, type })));
  const count = async (counted: readonly TypeGuess[], maxRows?: number) =>
    counted.length === 0 ? [] : query<OddRow>(printOddCount(table, counted, maxRows));
  const sampled = (await count(guesses, SAMPLED_ROWS)).filter(hasType);
  const counted = await count(sampled.map(([name, type]) => ({ name, type })));
  return counted.filter((row) => hasType(row) && row[3] > 0).map(printOdd);
}

function hasType([, , values, odd]: OddRow): boolean {
  return values > 0 && odd * MIN_VALUES_PER_ODD <= values;
}

function printOdd([column, type, values, odd, distinct, example]: OddRow): string {
  const text = example ?? '';
  const isShort = text.length <= MAX_EXAMPLE;
  const shown = `\`${isShort ? text : `${text.slice(0, MAX_EXAMPLE)}…`}\``;
  const [one, several] = NOUNS[type] ?? [type, type];
  const count = `${odd.toLocaleString('en')} of ${values.toLocaleString('en')} values`;
  const verdict = odd === 1 ? `${count} is not ${one}` : `${count} are not ${several}`;
  const which = distinct === 1 ? `: ${shown}` : `, such as ${shown}`;
  const asNull =
    distinct === 1 && isShort
      ? `--null ${quoteArgument(text)} reads this text as NULL`
      : '--null TEXT reads a text as NULL';
  const findLine = `--types ${quoteArgument(`${column}=${type}`)} names the line of the first one`;
  return `\`${column}\` is VARCHAR, because ${verdict}${which}. ${asNull}; ${findLine}`;
}
