import { HEAD_SIZE } from './find-content.ts';

/** Columns that lie in one, because not every line has as many of them, or quotes are not closed. */
export interface Fold {
  readonly delimiter: string;
  /** Values in most lines. */
  readonly values: number;
  /** The first line that is different; null without one. */
  readonly odd: OddLine | null;
}

interface OddLine {
  /** Counted from 1. */
  readonly line: number;
  readonly values: number;
  readonly hasOpenQuote: boolean;
}

const DELIMITERS = [',', ';', '\t', '|'];
/** This part of the lines must agree. */
const SHARE = 0.5;

/** Looks for a delimiter that most of the first lines of a file have equally often; null without one. */
export function findFold(head: Buffer): Fold | null {
  const lines = head.toString('utf8').split(/\r?\n|\r/);
  // The last line may be cut off.
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
  const [values, most] = [...groups].sort(([, one], [, other]) => other.length - one.length)[0] ?? [0, []];
  if (values < 2 || most.length < lines.length * SHARE) return null;
  const odd = counted.find((one) => one.hasOpenQuote || one.values !== values) ?? null;
  return { delimiter, values, odd };
}

/** Delimiters in quotes are a part of the text. */
function countValues(text: string, delimiter: string): number {
  return text.replace(/"[^"]*"/g, '').split(delimiter).length;
}
