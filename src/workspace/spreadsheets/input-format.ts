import { type DataFormat, findDataFormat } from '../../engine/run/load/read-files.ts';
import type { InputFormat } from '../api/data-input.ts';

/** The format that a file's extension indicates, or undefined. */
export function findInputFormat(file: string): InputFormat | undefined {
  return /\.xls[xm]$/i.test(file) ? 'xlsx' : findDataFormat(file);
}

/** The format that the engine reads: sheets are written as csv first. */
export function toDataFormat(format: InputFormat): DataFormat {
  return format === 'xlsx' ? 'csv' : format;
}
