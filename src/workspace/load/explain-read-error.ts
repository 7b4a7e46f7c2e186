import { elementAt, present } from '../../invariants/must.ts';

/** What is wrong with a file, and what to do about it. */
export interface ReadAdvice {
  readonly message: string;
  readonly note?: string;
}

interface CsvError {
  readonly place: string;
  readonly line: string;
  /** What the engine says of the row. */
  readonly text: string;
}

const MEND = 'Mend the file';
const SPLIT = `${MEND}, or say how rows are split with --delimiter and --quote`;
/** More of a line says nothing. */
const LINE_LENGTH = 100;

/** What rows of csv may be wrong with, in the engine's words, and ours for it. */
const CSV_ERRORS: readonly (readonly [RegExp, (found: RegExpExecArray, error: CsvError) => ReadAdvice])[] = [
  [
    /^Expected Number of Columns: (\d+) Found: (\d+)/m,
    ([, expected, found], { place, line }) => ({
      message: `${place}: this row has ${count(present(found), 'value')}, and not ${expected}${line}`,
      note: SPLIT,
    }),
  ],
  [
    /^Error when converting column "(.*)"\. Could not convert string "(.*)" to '(.*)'[\s\S]*?type was (auto-detected)?/m,
    ([, column, value, type, isFound], { place }) => ({
      message: `${place}: \`${value}\` in the column \`${column}\` is no ${type}`,
      note:
        isFound === undefined
          ? `${MEND}, give the column another type with --types, or read this text as NULL with --null`
          : `--types '${column}=VARCHAR' reads the column as text; --null '${value}' reads this text as NULL`,
    }),
  ],
  [
    /^Invalid unicode/m,
    (_, { place }) => ({
      message: `${place}: this is no UTF-8 text`,
      note: 'Name the encoding of the file, as in --encoding windows-1252',
    }),
  ],
  [
    /unterminated quote/,
    (_, { place, line }) => ({
      message: `${place}: a quote is opened here and not closed${line}`,
      note: `${MEND}; --quote '' reads quotes as a part of the text`,
    }),
  ],
  [
    /^Maximum line size of (\d+) bytes exceeded/m,
    ([, size], { place }) => ({
      message: `${place}: this line has more than ${size} bytes`,
      note: `Is a quote not closed? ${MEND}; --quote '' reads quotes as a part of the text`,
    }),
  ],
];

/** Advice that names settings of the engine, which no user of ours can give, and the settings that it used. */
const FOREIGN_ADVICE =
  /\n+(?:Possible (?:fixes|solutions?)\b|Potential Fixes\b|Try (?:increasing|setting)\b|If you are trying\b|The search space used\b|\s*file = )[\s\S]*$/i;

/** Says what the engine said of files that it could not read, with the flags of `quern load` in place of its own. */
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

/** What to do about files with different columns. */
export const UNION_ADVICE =
  '--union-by-name makes a table with the columns of all files, and NULL where a file has none';

function explainRow(number: string, original: string | undefined, text: string): ReadAdvice {
  const file = /\n {2}file = (.*)\n/.exec(text)?.[1] ?? '';
  const place = `${file}:${number}`;
  const error = { place, line: original === undefined ? '' : `: \`${shorten(original)}\``, text };
  for (const [pattern, explain] of CSV_ERRORS) {
    const found = pattern.exec(text);
    if (found !== null) return explain(found, error);
  }
  return { message: `${place}: ${text.replace(FOREIGN_ADVICE, '').trim()}`, note: SPLIT };
}

function shorten(text: string): string {
  const [first = ''] = text.split('\n', 1);
  return first.length > LINE_LENGTH || first !== text ? `${first.slice(0, LINE_LENGTH)}…` : first;
}

function count(number: string, noun: string): string {
  return `${number} ${noun}${number === '1' ? '' : 's'}`;
}
