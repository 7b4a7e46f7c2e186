import { printLoad, printOddCount, type TypeGuess } from '../../engine/run/load-files.ts';
import { quoteArgument } from '../../errors/quote-argument.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import type { DataFile } from '../api/data-input.ts';
import { createJsonCollector } from '../api/json-result.ts';
import type { LoadOutcome } from '../api/workspace-api.ts';
import { examineFiles } from './examine-files.ts';
import { explainReadError } from './explain-read-error.ts';
import type { RunQuery, TableToLoad } from './table-to-load.ts';
import { warnOfEmpty, warnOfQuotes, warnOfShape } from './warnings.ts';

/** Runs SQL and passes the bytes of its JSON result to `write`. */
export type RunText = (text: string, write: (bytes: Uint8Array) => void) => Promise<ExecutionOutcome>;

type Failed = Extract<LoadOutcome, { status: 'failed' }>;

/** Carries a failed run to the caller. */
class FailedRun extends Error {
  readonly error: Failed['error'];

  constructor(error: Failed['error']) {
    super(error.message);
    this.error = error;
  }
}

/**
 * Loads files into a table and reads back its columns and rows. Errors name the files as the caller gave them. Rejects
 * with a ServiceError for files that do not match each other.
 */
export async function loadTable(table: TableToLoad, run: RunText): Promise<LoadOutcome> {
  const query = createQuery(run, table.files);
  const { settings, compression, format } = table;
  const paths = table.files.map(({ path }) => path);
  const read = { ...settings, compression, format, files: paths };
  try {
    const { shapes, types } = await examineFiles(table, read, query);
    const load = { ...read, types, table: table.table, replace: table.replace };
    const rows = await query<readonly [string, string, number]>(printLoad(load));
    const columns = rows.map(([name, type]) => ({ name, type }));
    const warnings = [
      ...warnOfEmpty(table),
      ...warnOfShape(table, shapes),
      ...(await warnOfQuotes(table, { shapes, columns, query })),
      ...(await warnOfOddValues(table, columns, query)),
    ];
    return { status: 'done', rows: rows[0]?.[2] ?? 0, columns, warnings };
  } catch (error) {
    if (error instanceof FailedRun) return { status: 'failed', error: error.error };
    throw error;
  }
}

function createQuery(run: RunText, files: readonly DataFile[]): RunQuery {
  return async <Row>(text: string) => {
    const collector = createJsonCollector();
    const outcome = await run(text, collector.write);
    if (outcome.status === 'failed') throw new FailedRun(explainError(outcome.error, files));
    return collector.read<Row>().data;
  };
}

/** Drops positions, which refer to generated SQL. */
function explainError(error: Failed['error'], files: readonly DataFile[]): Failed['error'] {
  const message = files.reduce((text, { path, origin }) => text.replaceAll(path, origin), error.message);
  const explained = error.code === 'sql' ? explainReadError(message) : { message };
  return { ...error, ...explained, diagnostics: [] };
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
async function warnOfOddValues(
  { settings, table, format }: TableToLoad,
  columns: readonly TypeGuess[],
  query: RunQuery,
): Promise<readonly string[]> {
  if (format !== 'csv') return [];
  const typedNames = Object.keys(settings.types ?? {});
  const texts = columns.filter(({ name, type }) => type === 'VARCHAR' && !typedNames.includes(name));
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
