import { HEAD_SIZE } from './find-content.ts';

/** Columns that were read as one, because lines have different numbers of values, or quotes are not closed. */
export interface Fold {
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
export function findFold(head: Buffer): Fold | null {
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
