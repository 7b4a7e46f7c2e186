import { type FilesToRead, printDescribe, printSniff } from '../../engine/run/load-files.ts';
import { elementAt, present } from '../../invariants/must.ts';
import { suggest } from '../../text/suggest.ts';
import { loadErrors } from './errors.ts';
import type { RunQuery, TableToLoad } from './table-to-load.ts';

/** The structure of a file, as the engine detects it. */
export interface Shape {
  readonly columns: readonly Column[];
  /** Only for CSV. */
  readonly dialect?: Dialect;
}

interface Column {
  readonly name: string;
  /** Undefined for CSV. */
  readonly type?: string;
}

/** The dialect of a CSV file; null: not used. */
interface Dialect {
  readonly delimiter: string;
  readonly quote: string | null;
  readonly comment: string | null;
  /** Lines before the first row or header. */
  readonly skipped: number;
}

interface Examination {
  /** One shape per file. */
  readonly shapes: readonly Shape[];
  /** Types of columns to read the files with. */
  readonly types: FilesToRead['types'];
}

type SniffRow = readonly [number, string, string, string, number, readonly string[]];

/** The maximum of files in one query. */
const FILES_AT_ONCE = 50;
const NONE = '(empty)';

/**
 * Detects the structure of files before they are loaded. Rejects with a ServiceError for files with different columns,
 * because the engine would drop columns or convert values to the types of the first file; and for types of unknown
 * columns.
 */
export async function examineFiles(
  table: TableToLoad,
  read: FilesToRead,
  query: RunQuery,
): Promise<Examination> {
  const shapes: Shape[] = [];
  for (let at = 0; at < read.files.length; at += FILES_AT_ONCE) {
    const part = { ...read, files: read.files.slice(at, at + FILES_AT_ONCE) };
    shapes.push(...(read.format === 'csv' ? await sniff(part, query) : await describe(part, query)));
  }
  if (read.format !== 'json' && read.unionByName !== true) checkSame(table, shapes);
  return { shapes, types: settleTypes(read, shapes) };
}

async function sniff(read: FilesToRead, query: RunQuery): Promise<readonly Shape[]> {
  const rows = await query<SniffRow>(printSniff(read));
  const orNull = (text: string) => (text === NONE ? null : text);
  return rows.map(([, delimiter, quote, comment, skipped, names]) => ({
    columns: names.map((name) => ({ name })),
    dialect: { delimiter, quote: orNull(quote), comment: orNull(comment), skipped },
  }));
}

async function describe(read: FilesToRead, query: RunQuery): Promise<readonly Shape[]> {
  // A single parquet file needs no comparison of columns.
  if (read.format === 'parquet' && read.files.length === 1) return [{ columns: [] }];
  if (read.format === 'json' && read.types === undefined) return [];
  const rows = await query<readonly [number, string, string]>(printDescribe({ ...read, types: undefined }));
  return read.files.map((_, at) => ({
    columns: rows.filter(([file]) => file === at).map(([, name, type]) => ({ name, type })),
  }));
}

function checkSame({ files }: TableToLoad, shapes: readonly Shape[]): void {
  const [first] = shapes;
  for (const [at, { columns }] of shapes.entries()) {
    const missing = present(first).columns.filter(({ name }) => find(columns, name) === undefined);
    const extra = columns.filter(({ name }) => find(present(first).columns, name) === undefined);
    const others = columns.filter(
      ({ name, type }) => (find(present(first).columns, name)?.type ?? type) !== type,
    );
    if (missing.length + extra.length + others.length === 0) continue;
    throw loadErrors.otherColumns(elementAt(files, at).name, elementAt(files, 0).name, {
      missing,
      extra,
      others,
    });
  }
}

/** Finds a column by its name; case does not matter. */
function find(columns: readonly Column[], name: string): Column | undefined {
  return columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
}

/** The types of all columns for JSON, whose reader needs all of them. */
function settleTypes({ format, types }: FilesToRead, shapes: readonly Shape[]): FilesToRead['types'] {
  if (types === undefined) return undefined;
  const known = new Map(shapes.flatMap(({ columns }) => columns).map(({ name, type = '' }) => [name, type]));
  for (const name of Object.keys(types)) {
    if (!known.has(name)) throw loadErrors.unknownColumn(name, suggest(name, known.keys()));
  }
  return format === 'json' ? { ...Object.fromEntries(known), ...types } : types;
}
