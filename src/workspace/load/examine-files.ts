import {
  type CsvLayout,
  type FilesToRead,
  printCsvTexts,
  printDescribe,
  printSniff,
} from '../../engine/run/load/read-files.ts';
import { elementAt, present } from '../../invariants/must.ts';
import { loadErrors } from './errors.ts';
import { UNION_ADVICE } from './explain-read-error.ts';
import { FailedRun } from './failed-run.ts';
import { countLines, hasQuote } from './find-row-line.ts';
import { findFold, refuseFold } from './refuse-fold.ts';
import { findNamedColumn, type Shape } from './shape.ts';
import type { RunQuery, TableToLoad } from './table-to-load.ts';

type SniffRow = readonly [number, string, string, string, string, number, boolean, readonly string[]];

/** The maximum of files in one query. */
const FILES_AT_ONCE = 50;
const NONE = '(empty)';

/**
 * Detects the structure of files before they are loaded, one shape for each. Rejects with a ServiceError for files with
 * different columns, because the engine would drop columns or convert values to the types of the first file.
 */
export async function examineFiles(
  table: TableToLoad,
  read: FilesToRead,
  { query, signal }: { readonly query: RunQuery; readonly signal: AbortSignal },
): Promise<readonly Shape[]> {
  if (read.format === 'json' || (read.format === 'parquet' && read.unionByName)) {
    return describe(read, query);
  }
  await refuseSkipped(table, signal);
  const shapes: Shape[] = [];
  for (let at = 0; at < read.files.length; at += FILES_AT_ONCE) {
    const part = { ...read, files: read.files.slice(at, at + FILES_AT_ONCE) };
    const examine = () => (read.format === 'csv' ? sniff(part, query, signal) : describe(part, query));
    shapes.push(...(await examine().catch((error: unknown) => explain(table, error))));
  }
  if (read.unionByName !== true) checkSame(table, shapes);
  return shapes;
}

/** Throws a ServiceError for a file with no line after those to skip: the engine may take a skipped one for the header. */
async function refuseSkipped(
  { files, settings, compression }: TableToLoad,
  signal: AbortSignal,
): Promise<void> {
  const { skip = 0 } = settings;
  for (const { name, path } of skip === 0 ? [] : files) {
    const lines = await countLines({ path, compression }, skip, signal);
    if (lines <= skip) throw loadErrors.skippedAll(name, lines, skip);
  }
}

/** Names the line of a file that cannot be split into columns. */
function explain({ files, settings, format }: TableToLoad, error: unknown): never {
  if (!(error instanceof FailedRun) || error.error.code !== 'sql' || format !== 'csv') throw error;
  const { skip = 0, delimiter } = settings;
  for (const file of skip === 0 ? files : []) {
    const fold = findFold(file.head, delimiter);
    if (fold?.odd) throw refuseFold(file, fold);
  }
  throw error;
}

/** Quotes that only later rows have are found by reading the whole file. */
async function sniff(read: FilesToRead, query: RunQuery, signal: AbortSignal): Promise<readonly Shape[]> {
  const layouts = await sniffLayouts(read, query, read.fillShort === true);
  if (read.fillShort) {
    const filled: CsvLayout[] = [];
    for (const [at, layout] of layouts.entries()) filled.push(await addUnnamed(read, at, layout, query));
    return filled.map(toShape);
  }
  if (read.quote !== undefined) return layouts.map(toShape);
  const settled: CsvLayout[] = [];
  for (const [at, path] of read.files.entries()) {
    const layout = elementAt(layouts, at);
    const isSure =
      layout.quote !== null || !(await hasQuote({ path, compression: read.compression }, signal));
    settled.push(isSure ? layout : elementAt(await sniffLayouts({ ...read, files: [path] }, query, true), 0));
  }
  return settled.map(toShape);
}

/** The maximum of lines that are each longer than those before them. */
const MAX_LONGER = 100;

/** Adds a column for each value without a name of the longest line. */
async function addUnnamed(
  read: FilesToRead,
  at: number,
  layout: CsvLayout,
  query: RunQuery,
): Promise<CsvLayout> {
  const file = { ...read, files: [elementAt(read.files, at)] };
  let { names } = layout;
  for (let left = MAX_LONGER; ; left--) {
    try {
      await query(`SELECT count(*) FROM ${printCsvTexts(file, [{ ...layout, names }])}`);
      return { ...layout, names };
    } catch (error) {
      const values = error instanceof FailedRun ? readValues(error.message) : 0;
      if (values <= names.length || left === 0) throw error;
      names = Array.from({ length: values }, (_, index) => names[index] ?? `column${index}`);
    }
  }
}

/** The number of values of a line that has too many; 0 for other errors. */
function readValues(message: string): number {
  return Number(/: this line has (\d+) values, the header \d+/.exec(message)?.[1] ?? 0);
}

async function sniffLayouts(
  read: FilesToRead,
  query: RunQuery,
  isWhole: boolean,
): Promise<readonly CsvLayout[]> {
  const rows = await query<SniffRow>(printSniff(read, isWhole));
  const orNull = (text: string) => (text === NONE ? null : text);
  return rows.map(([, delimiter, quote, escapeWith, comment, skipped, hasHeader, names]) => ({
    delimiter,
    quote: orNull(quote),
    escape: orNull(escapeWith),
    comment: orNull(comment),
    skipped,
    hasHeader,
    names,
  }));
}

function toShape(layout: CsvLayout): Shape {
  return { columns: layout.names.map((name) => ({ name })), layout };
}

/** JSON files, and parquet files whose columns may differ, have one shape together. */
async function describe(read: FilesToRead, query: RunQuery): Promise<readonly Shape[]> {
  const isTogether = read.format === 'json' || read.unionByName === true;
  const groups = isTogether ? [read.files] : read.files.map((file) => [file]);
  const rows = await query<readonly [number, string, string]>(printDescribe(read, groups));
  return groups.map((_, at) => ({
    columns: rows.filter(([group]) => group === at).map(([, name, type]) => ({ name, type })),
  }));
}

function checkSame({ files }: TableToLoad, shapes: readonly Shape[]): void {
  const [first] = shapes;
  for (const [at, { columns }] of shapes.entries()) {
    const missing = present(first).columns.filter(({ name }) => findNamedColumn(columns, name) === undefined);
    const extra = columns.filter(({ name }) => findNamedColumn(present(first).columns, name) === undefined);
    const others = columns.filter(
      ({ name, type }) => (findNamedColumn(present(first).columns, name)?.type ?? type) !== type,
    );
    if (missing.length + extra.length + others.length === 0) continue;
    const [name, firstName] = [elementAt(files, at).name, elementAt(files, 0).name];
    throw loadErrors.otherColumns(name, firstName, { missing, extra, others }, UNION_ADVICE);
  }
}
