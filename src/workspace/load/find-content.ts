import type { InputFormat } from '../api/data-input.ts';

/** Compressions that are decompressed while a file is read. */
export type Compression = 'gzip' | 'zstd';

/**
 * The content of a file by its first bytes. `foreign` is a format that cannot be loaded, with its name and advice;
 * `text` may be CSV or any other text.
 */
export type DetectedContent =
  | { readonly kind: 'empty' | 'text' }
  | { readonly kind: 'compressed'; readonly compression: Compression }
  | { readonly kind: 'data'; readonly format: Exclude<InputFormat, 'csv'> }
  | { readonly kind: 'foreign'; readonly what: string; readonly advice: string };

/** The number of bytes that `findContent` needs. */
export const HEAD_SIZE = 64 * 1024;

const UNPACK = 'unpack it first';
const CONVERT = 'convert it to csv, parquet or json first';
const SHEET = 'save it as .xlsx first';
const WIDE = 'set its encoding, for example --encoding utf-16';

const ZIP = 'PK\x03\x04';
/** Formats by their first bytes, in Latin-1. */
const FOREIGN: readonly (readonly [start: string, what: string, advice: string])[] = [
  [ZIP, 'a zip archive', UNPACK],
  ['\xd0\xcf\x11\xe0', 'a spreadsheet (.xls)', SHEET],
  ['BZh', 'compressed by bzip2', 'decompress it first: bzip2 -dc FILE | quern load - --table NAME'],
  ['\xfd7zXZ\0', 'compressed by xz', 'decompress it first: xz -dc FILE | quern load - --table NAME'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive', UNPACK],
  ['\x1f\x9d', 'compressed by compress', 'decompress it first: gzip -dc FILE | quern load - --table NAME'],
  ['SQLite format 3\0', 'a SQLite database', 'export its tables as csv first'],
  ['ARROW1', 'an Arrow file', CONVERT],
  ['\xff\xff\xff\xff', 'an Arrow stream', CONVERT],
  ['Obj\x01', 'an Avro file', CONVERT],
  ['ORC', 'an ORC file', CONVERT],
  ['%PDF', 'a PDF document', CONVERT],
  ['\xff\xfe', 'text in UTF-16', WIDE],
  ['\xfe\xff', 'text in UTF-16', WIDE],
];
/** A part of a workbook, which is near the start of the archive; which one comes first depends on the program. */
const WORKBOOK_PART =
  /\[Content_Types\]\.xml|_rels\/\.rels|docProps\/\w+\.xml|xl\/(?:workbook|styles|worksheets)\b/;
const MARKUP = /^\s*<(?:!doctype|html|\?xml)\b/i;
/** `[id],[name]` is a header. */
const JSON_START = /^\s*(?:\{\s*["}]|\[\s*(?:[[{"\d\]-]|true|false|null))/;
const BYTE_ORDER_MARK = '\xef\xbb\xbf';
/** The maximum share of zero bytes in text; above it, the file is UTF-16 without a byte order mark, or binary. */
const MAX_ZEROS = 0.1;

/**
 * Detects the content of a file by its first bytes; for compressed files, call it again with the decompressed bytes.
 */
export function findContent(head: Uint8Array): DetectedContent {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_SIZE));
  if (bytes.length === 0) return { kind: 'empty' };
  const text = bytes.toString('latin1');
  if (text.startsWith('\x1f\x8b')) return { kind: 'compressed', compression: 'gzip' };
  if (text.startsWith('\x28\xb5\x2f\xfd')) return { kind: 'compressed', compression: 'zstd' };
  if (text.startsWith('PAR1')) return { kind: 'data', format: 'parquet' };
  if (text.startsWith(ZIP) && WORKBOOK_PART.test(text)) return { kind: 'data', format: 'xlsx' };
  return findForeign(text) ?? findText(text);
}

function findForeign(text: string): DetectedContent | undefined {
  const foreign = FOREIGN.find(([start]) => text.startsWith(start));
  if (foreign !== undefined && !looksLikeRows(foreign[0], text)) {
    return { kind: 'foreign', what: foreign[1], advice: foreign[2] };
  }
  if (text.startsWith('DUCK', 8)) {
    return { kind: 'foreign', what: 'a DuckDB database', advice: 'add it with `quern connection create`' };
  }
  if (MARKUP.test(text)) {
    return { kind: 'foreign', what: 'a web page or XML', advice: `read its content, or ${CONVERT}` };
  }
  const zeros = text.split('\0').length - 1;
  if (zeros > text.length * MAX_ZEROS) {
    return { kind: 'foreign', what: 'not text', advice: `if it is text in UTF-16, ${WIDE}` };
  }
  return undefined;
}

/** The first letters of a format may also start a header, as in `ORCHARD,TREES`. */
function looksLikeRows(start: string, text: string): boolean {
  return /^[\w ]+$/.test(start) && /^[\x20-\x7e\t]+[\r\n]/.test(text);
}

function findText(text: string): DetectedContent {
  const first = text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
  if (first === '') return { kind: 'empty' };
  return JSON_START.test(first) ? { kind: 'data', format: 'json' } : { kind: 'text' };
}
