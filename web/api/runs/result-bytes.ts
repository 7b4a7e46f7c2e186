import { exchangeBytes } from '../request.ts';
import { printRunPath } from './run.ts';

/** Some bytes of a result's Arrow stream. */
interface ResultBytes {
  readonly bytes: Uint8Array;
  /** The offset of the bytes that follow. */
  readonly next: number;
  /** Whether the stream ends with these bytes. */
  readonly isComplete: boolean;
}

/** How long the server waits for further bytes, in seconds. */
const WAIT = 20;

/** Reads the bytes of a result from an offset to what the server has now, at most 8 MB; waits for some. */
export async function readResultBytes(
  run: string,
  index: number,
  from: number,
  signal: AbortSignal,
): Promise<ResultBytes> {
  const query = new URLSearchParams({ from: String(from), wait: String(WAIT) });
  const { body, headers } = await exchangeBytes(`${printRunPath(run)}/results/${index}?${query}`, {
    headers: { accept: 'application/vnd.apache.arrow.stream' },
    signal,
  });
  return {
    bytes: body,
    next: Number(headers.get('x-result-next')),
    isComplete: headers.get('x-result-complete') === 'true',
  };
}

/** The formats of downloads by the names that people know, with their queries. */
export const DOWNLOADS = {
  XLSX: 'format=xlsx',
  'CSV for spreadsheets': 'format=csv&bom=true&escape_formulas=true',
  CSV: 'format=csv',
  JSON: 'format=json',
  'JSON lines': 'format=ndjson',
  Markdown: 'format=markdown',
  Parquet: 'format=parquet',
  Arrow: 'format=arrow',
} as const;

export type DownloadName = keyof typeof DOWNLOADS;

/** The address of a result as a file, converted by the server; it can be a plain link. */
export function printDownload(run: string, index: number, name: DownloadName): string {
  return `/console/api/${printRunPath(run)}/results/${index}/download?${DOWNLOADS[name]}`;
}
