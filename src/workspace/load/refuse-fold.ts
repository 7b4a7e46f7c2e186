import { quoteArgument } from '../../errors/quote-argument.ts';
import { elementAt } from '../../invariants/must.ts';
import { ADD_COLUMNS, FILL_SHORT, shorten } from './explain-read-error.ts';
import { type FailedRun, refuseData } from './failed-run.ts';
import { HEAD_SIZE } from './find-content.ts';
import type { PreparedFile } from './prepare-inputs.ts';
import type { Shape } from './shape.ts';
import type { TableToLoad } from './table-to-load.ts';

/** How the first lines of a file would be split at a delimiter. */
interface Fold {
  readonly delimiter: string;
  /** The number of values in most lines. */
  readonly values: number;
  /** The number of values in the first line. */
  readonly header: number;
  /** Whether all lines have the same number of values if quotes are part of them. */
  readonly isEven: boolean;
  /** The first line with another number of values than most, or with an open quote; null without one. */
  readonly odd: OddLine | null;
}

/** A line that differs from most. */
interface OddLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly values: number;
  readonly hasOpenQuote: boolean;
}

const DELIMITERS = [',', ';', '\t', '|'];
/** The share of lines that must have the same number of values. */
const SHARE = 0.5;

/** Finds the delimiter that occurs equally often in most of the first lines of a file; null without one. */
export function findFold(head: Buffer, delimiter?: string): Fold | null {
  const lines = head.toString('utf8').split(/\r?\n|\r/);
  // The last line may be incomplete.
  if (head.length >= HEAD_SIZE) lines.pop();
  const full = lines.map((text, at) => ({ text, line: at + 1 })).filter(({ text }) => text.trim() !== '');
  const delimiters = delimiter === undefined ? DELIMITERS : [delimiter];
  const folds = delimiters.map((one) => countFold(one, full)).filter((fold) => fold !== null);
  return folds.sort((one, other) => other.values - one.values)[0] ?? null;
}

function countFold(
  delimiter: string,
  lines: readonly { readonly text: string; readonly line: number }[],
): Fold | null {
  const counted = lines.map(({ text, line }) => ({
    line,
    text,
    values: countValues(text, delimiter),
    hasOpenQuote: text.split('"').length % 2 === 0,
  }));
  const groups = Map.groupBy(counted, ({ values }) => values);
  const [values, common] = [...groups].sort(([, one], [, other]) => other.length - one.length)[0] ?? [0, []];
  if (values < 2 || common.length < lines.length * SHARE) return null;
  const odd = counted.find((one) => one.hasOpenQuote || one.values !== values) ?? null;
  const isEven = new Set(lines.map(({ text }) => text.split(delimiter).length)).size === 1;
  return { delimiter, values, header: counted[0]?.values ?? 0, odd, isEven };
}

/** Delimiters in quotes do not count. */
function countValues(text: string, delimiter: string): number {
  return text.replace(/"[^"]*"/g, '').split(delimiter).length;
}

/** Throws a FailedRun for CSV whose columns would be read as one. */
export function refuseFolds({ settings, files }: TableToLoad, shapes: readonly Shape[]): void {
  if (settings.delimiter !== undefined) return;
  for (const [at, { layout }] of shapes.entries()) {
    if (layout === undefined || layout.names.length !== 1) continue;
    const file = elementAt(files, at);
    const fold = findFold(file.head);
    if (fold !== null) throw refuseFold(file, fold);
  }
}

/** An error with the line of a file that is not like the others. */
export function refuseFold({ name }: PreparedFile, fold: Fold): FailedRun {
  const { odd } = fold;
  const delimiter = quoteArgument(fold.delimiter === '\t' ? 'tab' : fold.delimiter);
  if (odd === null) {
    const message = `${name}: all lines have ${fold.values} values between \`${fold.delimiter}\`, and were read as one column`;
    return refuseData(message, `--delimiter ${delimiter} splits them`);
  }
  const line = `\`${shorten(odd.text)}\``;
  if (odd.hasOpenQuote) {
    return refuseData(
      `${name}:${odd.line}: a quote is not closed: ${line}`,
      `--quote ''${fold.isEven ? '' : ' --fill-short'} reads quotes as part of the values`,
    );
  }
  const [what, expected] = odd.line === 1 ? ['the header', fold.values] : ['this line', fold.header];
  const other =
    odd.line === 1 || fold.header === odd.values ? `most lines ${fold.values}` : `the header ${expected}`;
  const values = `${odd.values} ${odd.values === 1 ? 'value' : 'values'}`;
  return refuseData(
    `${name}:${odd.line}: ${what} has ${values}, ${other}: ${line}`,
    hasUnnamed(odd, fold) ? ADD_COLUMNS : FILL_SHORT,
  );
}

/** Whether lines have more values than the header. */
function hasUnnamed({ line, values }: OddLine, fold: Fold): boolean {
  return line === 1 ? fold.header < fold.values : values > fold.header;
}
