import { HEAD_SIZE } from './find-content.ts';

/** How the first lines of a file would be split at a delimiter. */
export interface Fold {
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
export interface OddLine {
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
