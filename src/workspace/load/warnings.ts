import { printQuoteCount } from '../../engine/run/load-files.ts';
import { elementAt } from '../../invariants/must.ts';
import type { Shape } from './examine-files.ts';
import { type Fold, findFold } from './find-fold.ts';
import type { PreparedFile } from './prepare-inputs.ts';
import type { Query, TableToLoad } from './table-to-load.ts';

interface Loaded {
  readonly shapes: readonly Shape[];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly query: Query;
}

/** Tells of files without a byte. */
export function warnOfEmpty({ empty }: TableToLoad): readonly string[] {
  return empty.map((name) => `${name} is empty: it gave no rows`);
}

/** Tells of csv whose columns became one, and of lines that were left out. */
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
  return [`${name}: ${lines} left out, because the lines below have other numbers of values`];
}

function warnOfComments({ name }: PreparedFile, { dialect }: Shape): readonly string[] {
  const comment = dialect?.comment ?? null;
  return comment === null ? [] : [`${name}: what follows \`${comment}\` in a line was left out as a comment`];
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
    `${name} became one column, but most lines have ${fold.values} values between \`${delimiter}\`${describeOdd(fold)}. ` +
      `Mend the file and load it with --delimiter '${delimiter}'`,
  ];
}

function describeOdd({ odd }: Fold): string {
  if (odd === null) return '';
  if (odd.hasOpenQuote) return `, and line ${odd.line} has a quote that is not closed`;
  return `, and line ${odd.line} has ${odd.values === 1 ? 'one value' : `${odd.values} values`}`;
}

/**
 * Tells of quotes that stayed in values: with one that is not closed, no quotes are found at all. Quotes that are read
 * as text on purpose are no surprise.
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
        `${names}${values} of \`${column}\` kept a quote (") at an end, because quotes are not closed or doubled everywhere. ` +
        `--quote '"' shows the first wrong line; --quote '' takes quotes as text`
      );
    });
}
