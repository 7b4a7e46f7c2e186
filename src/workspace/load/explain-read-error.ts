import { quoteArgument } from '../../errors/quote-argument.ts';
import { elementAt, present } from '../../invariants/must.ts';

/** A read error of a file, and advice. */
export interface ReadAdvice {
  readonly message: string;
  readonly note?: string;
}

interface CsvError {
  readonly position: string;
  readonly line: string;
  /** The engine's message about the row. */
  readonly text: string;
}

const FIX = 'Fix the file';
const SPLIT = `${FIX}, or set how rows are split with --delimiter and --quote`;
/** Advice for lines with fewer values than the header. */
export const FILL_SHORT = '--fill-short reads missing values as NULL';
/** Advice for lines with more values than the header. */
export const ADD_COLUMNS = '--fill-short adds a column for each value without a name';
/** The maximum of a quoted line, in characters. */
const LINE_LENGTH = 100;

/** The engine's messages about invalid rows of CSV, and their replacements. */
const CSV_ERRORS: readonly (readonly [RegExp, (match: RegExpExecArray, error: CsvError) => ReadAdvice])[] = [
  [
    /^Expected Number of Columns: (\d+) Found: (\d+)/m,
    ([, expected, actual], { position, line }) => ({
      message: `${position}: this line has ${count(present(actual), 'value')}, the header ${expected}${line}`,
      note: Number(actual) < Number(expected) ? FILL_SHORT : ADD_COLUMNS,
    }),
  ],
  [
    /^Error when converting column "(.*)"\. Could not convert string "(.*)" to '(.*)'[\s\S]*?type was (auto-detected)?/m,
    ([, column = '', value = '', type, isFound], { position }) => ({
      message: `${position}: \`${value}\` in the column \`${column}\` is not a valid ${type}`,
      note:
        isFound === undefined
          ? `${FIX}, set another type for the column with --types, or read this text as NULL with --null`
          : `--types ${quoteArgument(`${column}=VARCHAR`)} reads the column as text; --null ${quoteArgument(value)} reads this text as NULL`,
    }),
  ],
  [
    /^Invalid unicode/m,
    (_, { position }) => ({
      message: `${position}: invalid UTF-8`,
      note: 'Set the encoding of the file, for example --encoding windows-1252',
    }),
  ],
  [
    /unterminated quote/,
    (_, { position, line }) => ({
      message: `${position}: a quote is not closed${line}`,
      note: `${FIX}; --quote '' reads quotes as part of the values`,
    }),
  ],
  [
    /^Maximum line size of (\d+) bytes exceeded/m,
    ([, size], { position }) => ({
      message: `${position}: this line has more than ${size} bytes`,
      note: "Split the line. If a quote in it is not closed, --quote '' reads quotes as part of the values",
    }),
  ],
];

/** Advice about settings of the engine that `quern load` does not offer, and the settings that it used. */
const FOREIGN_ADVICE =
  /\n+(?:Possible (?:fixes|solutions?)\b|Potential Fixes\b|Try (?:increasing|setting)\b|If you are trying\b|The search space used\b|\s*file = )[\s\S]*$/i;

/** Rewrites the engine's read errors with the flags of `quern load`. */
export function explainReadError(text: string): ReadAdvice {
  const row = /^[\w ]+ Error: CSV Error on Line: (\d+)\n(?:Original Line: ([\s\S]*?)\n)?([\s\S]*)$/.exec(
    text,
  );
  if (row !== null) return explainRow(elementAt(row, 1), row[2], elementAt(row, 3));
  const sniffed = /^[\w ]+ Error: Error when sniffing file "(.*)"\./.exec(text);
  if (sniffed !== null) {
    return {
      message: `${sniffed[1]} cannot be split into columns: its rows have different numbers of values`,
      note: SPLIT,
    };
  }
  const type = /^Catalog Error: Type with name (.*) does not exist!/.exec(text);
  if (type !== null) return { message: `--types: there is no type \`${type[1]}\`` };
  const message = text.replace(FOREIGN_ADVICE, '');
  const isUnion = /union_by_name/.test(text.slice(message.length));
  return isUnion ? { message, note: UNION_ADVICE } : { message };
}

/** Advice for files with different columns. */
export const UNION_ADVICE =
  '--union-by-name creates a table with the columns of all files, and NULL where a file lacks a column';

function explainRow(number: string, original: string | undefined, text: string): ReadAdvice {
  const file = /\n {2}file = (.*)\n/.exec(text)?.[1] ?? '';
  const position = `${file}:${number}`;
  const error = { position, line: original === undefined ? '' : `: \`${shorten(original)}\``, text };
  for (const [pattern, explain] of CSV_ERRORS) {
    const match = pattern.exec(text);
    if (match !== null) return explain(match, error);
  }
  return { message: `${position}: ${text.replace(FOREIGN_ADVICE, '').trim()}`, note: SPLIT };
}

/** The first line of a text, cut to a length for messages. */
export function shorten(text: string): string {
  const [first = ''] = text.split('\n', 1);
  return first.length > LINE_LENGTH || first !== text ? `${first.slice(0, LINE_LENGTH)}…` : first;
}

function count(number: string, noun: string): string {
  return `${number} ${noun}${number === '1' ? '' : 's'}`;
}
