import { open, rm } from 'node:fs/promises';
import type { Column, ColumnType, Vector } from '../../result/columns/column.ts';
import { createCsvEncoder } from '../../result/text/to-csv.ts';
import { quoteName, quoteText } from '../../text/sql-quote.ts';
import { DatabaseError, type FileFormat, type StatementResult } from '../contract/connection.ts';

type Rows = Extract<StatementResult, { readonly kind: 'rows' }>;

/** What a written file may take; without a limit by default. */
export interface WriteLimits {
  readonly rows?: number;
  /** Bytes of the temporary file. */
  readonly bytes?: number;
  /** Memory of DuckDB, such as `512MB`. */
  readonly memory?: string;
}

/** The rows of a result take more bytes than the limit allows. */
export class TooManyBytesError extends Error {}

/** DuckDB does not benefit from a line limit below this, in bytes. */
const MIN_LINE = 2_000_000;
const NEVER = { started_at: '', finished_at: '', duration_ms: 0 };

/**
 * Writes the rows of any database to a new file in the formats that DuckDB writes, through a temporary file next to it.
 * Resolves with the number of rows. Rejects with a DatabaseError, a TooManyBytesError, or a file system error.
 */
export async function writeThroughDuckDb(
  result: StatementResult,
  file: string,
  format: FileFormat,
  signal: AbortSignal,
  limits: WriteLimits = {},
): Promise<number> {
  if (result.kind === 'done') throw new DatabaseError('sql', 'The statement has no rows to write.');
  const rows = `${file}.rows`;
  try {
    const { count, longest } = await writeRows(result, rows, limits);
    const read = printRead(result.columns, rows, longest);
    await convert(read, file, format, { signal, memory: limits.memory });
    return count;
  } finally {
    for (const own of [rows, spillFolder(file)]) await rm(own, { force: true, recursive: true });
  }
}

/** Resolves with the number of rows, and the maximum bytes of a line. */
async function writeRows({ columns, chunks }: Rows, file: string, limits: WriteLimits) {
  const { rows: maxRows = Number.POSITIVE_INFINITY, bytes: maxBytes = Number.POSITIVE_INFINITY } = limits;
  const handle = await open(file, 'wx');
  let written = 0;
  try {
    const encoder = createCsvEncoder({
      write: async (bytes) => {
        written += bytes.length;
        if (written > maxBytes) throw new TooManyBytesError();
        await handle.writeFile(bytes);
      },
    });
    await encoder.start(columns);
    let [count, longest] = [0, columns.reduce((sum, { name }) => sum + name.length * 6, 0)];
    for await (const { rows, vector } of chunks) {
      const taken = Math.min(rows, maxRows - count);
      const lengths = columns.map((_, i) => findLongest(vector(i), taken));
      longest = Math.max(
        longest,
        lengths.reduce((sum, length) => sum + length, 0),
      );
      if (taken > 0) await encoder.chunk({ rows: taken, vector });
      count += taken;
      if (count === maxRows) break;
    }
    await encoder.end(NEVER);
    return { count, longest };
  } finally {
    await handle.close();
  }
}

/** Maximum bytes of a column's value in a line, including doubled quotes. */
function findLongest(vector: Vector, rows: number): number {
  if (vector.kind === 'fixed') return 64;
  let longest = 0;
  for (let row = 0; row < rows; row += 1) {
    longest = Math.max(longest, vector.kind === 'bytes' ? vector.lengths[row]! : vector.texts[row]!.length);
  }
  return longest * 6 + 64;
}

function spillFolder(file: string): string {
  return `${file}.spill`;
}

async function convert(
  query: string,
  file: string,
  format: FileFormat,
  { signal, memory }: { readonly signal: AbortSignal; readonly memory: string | undefined },
): Promise<void> {
  const { duckdbDriver } = await import('./driver.ts');
  const session = await duckdbDriver.connect(
    {
      name: 'files',
      kind: 'duckdb',
      options: {
        file: ':memory:',
        temp_directory: spillFolder(file),
        ...(memory === undefined ? {} : { memory_limit: memory }),
      },
      overrides: {},
    },
    signal,
  );
  try {
    await session.publishing.writeFile(query, file, format, signal);
  } finally {
    await session.close();
  }
}

function printRead(columns: readonly Column[], rows: string, longest: number): string {
  const types = columns.map(({ type }, i) => `c${i}: ${quoteText(printType(type))}`);
  const names = columns.map(({ name }, i) => `c${i} AS ${quoteName(name)}`);
  return `SELECT ${names.join(', ')} FROM read_csv(${quoteText(rows)}, columns = {${types.join(', ')}},
    auto_detect = false, header = true, delim = ',', quote = '"', escape = '"', nullstr = '',
    allow_quoted_nulls = false, max_line_size = ${Math.max(longest, MIN_LINE)})`;
}

/** The DuckDB type with which it reads values from the CSV; text for values that it would read differently. */
function printType(type: ColumnType): string {
  switch (type.kind) {
    case 'boolean':
      return 'BOOLEAN';
    case 'integer':
      return `${type.signed ? '' : 'U'}${INTEGERS[type.bits]}`;
    case 'decimal':
      return `DECIMAL(${type.precision}, ${type.scale})`;
    case 'timestamp':
      return type.utc ? 'TIMESTAMPTZ' : 'TIMESTAMP';
    default:
      return PLAIN[type.kind] ?? 'VARCHAR';
  }
}

const INTEGERS = { 8: 'TINYINT', 16: 'SMALLINT', 32: 'INTEGER', 64: 'BIGINT' } as const;
const PLAIN: { readonly [K in ColumnType['kind']]?: string } = {
  hugeint: 'HUGEINT',
  uhugeint: 'UHUGEINT',
  float: 'FLOAT',
  double: 'DOUBLE',
  date: 'DATE',
  time: 'TIME',
  json: 'JSON',
  binary: 'BLOB',
};
