import { type CsvLayout, type FilesToRead, printCsvTexts } from '../../engine/run/load/read-files.ts';
import {
  printOddCount,
  printQuoteCount,
  type TextSource,
  type TypeGuess,
} from '../../engine/run/load/survey.ts';
import { quoteArgument } from '../../errors/quote-argument.ts';
import { elementAt } from '../../invariants/must.ts';
import type { PreparedFile } from './prepare-inputs.ts';
import type { Shape } from './shape.ts';
import type { RunQuery, TableToLoad } from './table-to-load.ts';

/** The rows of a table, and the types of its columns. */
interface Planned {
  readonly source: TextSource;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly query: RunQuery;
}

/** Warns about empty files. */
export function warnOfEmpty({ empty }: TableToLoad): readonly string[] {
  return empty.map((name) => `${name} is empty: no rows were loaded from it`);
}

/** Warns about skipped lines of CSV. */
export function warnOfShape(table: TableToLoad, shapes: readonly Shape[]): readonly string[] {
  return shapes.flatMap((shape, at) => {
    const file = elementAt(table.files, at);
    return [...warnOfSkipped(table, file, shape), ...warnOfComments(file, shape)];
  });
}

function warnOfSkipped(
  { settings }: TableToLoad,
  { name }: PreparedFile,
  { layout }: Shape,
): readonly string[] {
  const skipped = (layout?.skipped ?? 0) - (settings.skip ?? 0);
  if (skipped === 0) return [];
  const lines = skipped === 1 ? 'the first line was' : `the first ${skipped} lines were`;
  return [`${name}: ${lines} skipped, because the lines below have different numbers of values`];
}

function warnOfComments({ name }: PreparedFile, { layout }: Shape): readonly string[] {
  const comment = layout?.comment ?? null;
  return comment === null
    ? []
    : [`${name}: the rest of a line after \`${comment}\` was skipped as a comment`];
}

/** What the engine names a column without a name, or with the name of another one. */
const RENAMED = /_\d+$|^column\d+$/;

/** Warns about columns of CSV that the engine renames: their names are empty, or those of other columns in any case. */
export async function warnOfRenamed(
  { files }: TableToLoad,
  layouts: readonly CsvLayout[],
  read: FilesToRead,
  query: RunQuery,
): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const [at, layout] of layouts.entries()) {
    const { name: file, path } = elementAt(files, at);
    if (!(layout.hasHeader && layout.names.some((name) => RENAMED.test(name)))) continue;
    const header = printCsvTexts({ ...read, files: [path], nulls: undefined }, [
      { ...layout, hasHeader: false },
    ]);
    const [names = []] = await query<readonly (string | null)[]>(`SELECT * FROM ${header} LIMIT 1`);
    for (const [index, name] of layout.names.entries()) {
      const given = (names[index] ?? '').trim();
      if (given === name || !RENAMED.test(name)) continue;
      const reason = given === '' ? 'has no name' : `\`${given}\` has the name of another column`;
      warnings.push(`${file}: column ${index + 1} ${reason}, and is loaded as \`${name}\``);
    }
  }
  return warnings;
}

/**
 * Warns about quotes that stayed in values: one unclosed quote disables the detection of all quotes. There is no
 * warning if the caller requested quotes as text.
 */
export async function warnOfQuotes(
  { settings, files }: TableToLoad,
  layouts: readonly CsvLayout[],
  { source, columns, query }: Planned,
): Promise<readonly string[]> {
  const suspects = layouts.filter(({ quote }) => quote !== '"');
  const texts = columns.filter(({ type }) => type === 'VARCHAR').map(({ name }) => name);
  if (settings.quote !== undefined || suspects.length === 0 || texts.length === 0) return [];
  const [counts] = await query<readonly number[]>(printQuoteCount(source, texts));
  return texts.flatMap((column, at) => {
    const count = counts?.[at] ?? 0;
    if (count === 0) return [];
    const values = count === 1 ? '1 value' : `${count.toLocaleString('en')} values`;
    const names = files.length === 1 ? `${elementAt(files, 0).name}: ` : '';
    return [
      `${names}${values} of \`${column}\` kept a quote (") at the start or end, because some quotes are not closed or doubled. ` +
        `--quote '"' shows the first invalid line; --quote '' reads quotes as part of the values`,
    ];
  });
}

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
  { settings, format }: TableToLoad,
  { source, columns, query }: Planned,
): Promise<readonly string[]> {
  if (format !== 'csv' || settings.allText) return [];
  const typedNames = Object.keys(settings.types ?? {});
  const texts = columns.filter(({ name, type }) => type === 'VARCHAR' && !typedNames.includes(name));
  const guesses = texts.flatMap(({ name }) => Object.keys(NOUNS).map((type) => ({ name, type })));
  const count = async (counted: readonly TypeGuess[], maxRows?: number) =>
    counted.length === 0 ? [] : query<OddRow>(printOddCount(source, counted, maxRows));
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
  const findRowLine = `--types ${quoteArgument(`${column}=${type}`)} names the line of the first one`;
  return `\`${column}\` is VARCHAR, because ${verdict}${which}. ${asNull}; ${findRowLine}`;
}
