import { printQuoteCount } from '../../engine/run/load-files.ts';
import { elementAt } from '../../invariants/must.ts';
import type { Shape } from './examine-files.ts';
import { HEAD_SIZE } from './find-content.ts';
import type { PreparedFile } from './prepare-inputs.ts';
import type { RunQuery, TableToLoad } from './table-to-load.ts';

interface Loaded {
  readonly shapes: readonly Shape[];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly query: RunQuery;
}

/** Warns about empty files. */
export function warnOfEmpty({ empty }: TableToLoad): readonly string[] {
  return empty.map((name) => `${name} is empty: no rows were loaded from it`);
}

/** Warns about CSV whose columns were read as one, and about skipped lines. */
export function warnOfShape(table: TableToLoad, shapes: readonly Shape[]): readonly string[] {
  return shapes.flatMap((shape, at) => {
    const file = elementAt(table.files, at);
    return [...warnOfSkipped(file, shape), ...warnOfComments(file, shape), ...warnOfFold(table, file, shape)];
  });
}

function warnOfSkipped({ name }: PreparedFile, { dialect }: Shape): readonly string[] {
  const skipped = dialect?.skipped ?? 0;
  if (skipped === 0) return [];
  const lines = skipped === 1 ? 'the first line was' : `the first ${skipped} lines were`;
  return [`${name}: ${lines} skipped, because the lines below have different numbers of values`];
}

function warnOfComments({ name }: PreparedFile, { dialect }: Shape): readonly string[] {
  const comment = dialect?.comment ?? null;
  return comment === null
    ? []
    : [`${name}: the rest of a line after \`${comment}\` was skipped as a comment`];
}

function warnOfFold(
  { settings }: TableToLoad,
  { name, head }: PreparedFile,
  shape: Shape,
): readonly string[] {
  if (shape.dialect === undefined || shape.columns.length !== 1 || settings.delimiter !== undefined)
    return [];
  const fold = findFold(head);
  if (fold === null) return [];
  const delimiter = fold.delimiter === '\t' ? '\\t' : fold.delimiter;
  return [
    `${name} was read as one column, but most lines have ${fold.values} values between \`${delimiter}\`${describeOdd(fold)}. ` +
      `Fix the file and load it with --delimiter '${delimiter}'`,
  ];
}

function describeOdd({ odd }: Fold): string {
  if (odd === null) return '';
  if (odd.hasOpenQuote) return `, and line ${odd.line} has a quote that is not closed`;
  return `, and line ${odd.line} has ${odd.values === 1 ? 'one value' : `${odd.values} values`}`;
}

/**
 * Warns about quotes that stayed in values: one unclosed quote disables the detection of all quotes. There is no
 * warning if the caller requested quotes as text.
 */
export async function warnOfQuotes(
  { settings, files, table }: TableToLoad,
  { shapes, columns, query }: Loaded,
): Promise<readonly string[]> {
  const suspects = shapes.filter(({ dialect }) => dialect !== undefined && dialect.quote !== '"');
  const texts = columns.filter(({ type }) => type === 'VARCHAR').map(({ name }) => name);
  if (settings.quote !== undefined || suspects.length === 0 || texts.length === 0) return [];
  const rows = await query<readonly [string, number]>(printQuoteCount(table, texts));
  return rows
    .filter(([, count]) => count > 0)
    .map(([column, count]) => {
      const values = count === 1 ? '1 value' : `${count.toLocaleString('en')} values`;
      const names = files.length === 1 ? `${elementAt(files, 0).name}: ` : '';
      return (
        `${names}${values} of \`${column}\` kept a quote (") at the start or end, because some quotes are not closed or doubled. ` +
        `--quote '"' shows the first invalid line; --quote '' reads quotes as part of the values`
      );
    });
}

/** Columns that were read as one, because lines have different numbers of values, or quotes are not closed. */
interface Fold {
  readonly delimiter: string;
  /** The number of values in most lines. */
  readonly values: number;
  /** The first different line; null without one. */
  readonly odd: OddLine | null;
}

interface OddLine {
  /** Counted from 1. */
  readonly line: number;
  readonly values: number;
  readonly hasOpenQuote: boolean;
}

const DELIMITERS = [',', ';', '\t', '|'];
/** The share of lines that must have the same number of values. */
const SHARE = 0.5;

/** Finds a delimiter that occurs equally often in most of the first lines of a file; null without one. */
function findFold(head: Buffer): Fold | null {
  const lines = head.toString('utf8').split(/\r?\n|\r/);
  // The last line may be incomplete.
  if (head.length >= HEAD_SIZE) lines.pop();
  const full = lines.map((text, at) => ({ text, line: at + 1 })).filter(({ text }) => text.trim() !== '');
  const folds = DELIMITERS.map((delimiter) => countFold(delimiter, full)).filter((fold) => fold !== null);
  return folds.sort((one, other) => other.values - one.values)[0] ?? null;
}

function countFold(
  delimiter: string,
  lines: readonly { readonly text: string; readonly line: number }[],
): Fold | null {
  const counted = lines.map(({ text, line }) => ({
    line,
    values: countValues(text, delimiter),
    hasOpenQuote: text.split('"').length % 2 === 0,
  }));
  const groups = Map.groupBy(counted, ({ values }) => values);
  const [values, common] = [...groups].sort(([, one], [, other]) => other.length - one.length)[0] ?? [0, []];
  if (values < 2 || common.length < lines.length * SHARE) return null;
  const odd = counted.find((one) => one.hasOpenQuote || one.values !== values) ?? null;
  return { delimiter, values, odd };
}

/** Delimiters in quotes do not count. */
function countValues(text: string, delimiter: string): number {
  return text.replace(/"[^"]*"/g, '').split(delimiter).length;
}
