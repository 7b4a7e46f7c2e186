import type { Connection } from '../../../src/engine/connection/contract/connection.ts';
import { ArrowDecoder } from '../../../web/components/results/source/arrow-source.ts';
import type { ResultSource } from '../../../web/components/results/source/result-source.ts';
import { encodeAnswer } from '../../engine/result/arrow-readers.ts';
import { encodeQuery } from '../../engine/result/encode.ts';

const LIMITS = { maxRows: 1_000_000, maxBytes: 256 * 1024 * 1024 };

/** The result of a statement as the console decodes it, from an Arrow stream of `size` bytes at a time. */
export async function readSource(
  connection: Connection,
  sql: string,
  size = Number.POSITIVE_INFINITY,
): Promise<ResultSource> {
  const { bytes } = await encodeAnswer(connection, sql);
  return decode(bytes, size);
}

/** The rows of an Arrow stream, which arrives in pieces of `size` bytes. */
export function decode(bytes: Uint8Array, size = Number.POSITIVE_INFINITY, limits = LIMITS): ResultSource {
  const decoder = new ArrowDecoder(limits);
  for (let at = 0; at < bytes.length; at += size) {
    decoder.push(new Uint8Array(bytes.subarray(at, Math.min(bytes.length, at + size))));
  }
  if (decoder.source === null) throw new Error('the stream has no columns');
  return decoder.source;
}

/** The cells of a statement's result as CSV has them; NULL is null. */
export async function readCsvCells(
  connection: Connection,
  sql: string,
): Promise<readonly (readonly (string | null)[])[]> {
  return parseCsv(await encodeQuery(connection, 'csv', sql)).slice(1);
}

/** Only a quoted field can be an empty text: a field without anything is NULL. */
function parseCsv(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n]*))([,\n])/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? (plain === '' ? null : plain));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** All cells of a source as texts. */
export function readTexts({
  rowCount,
  columns,
  getText,
}: ResultSource): readonly (readonly (string | null)[])[] {
  return Array.from({ length: rowCount }, (_, row) => columns.map((_column, column) => getText(row, column)));
}
