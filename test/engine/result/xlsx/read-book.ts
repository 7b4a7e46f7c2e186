import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readRows } from '../../../../src/workspace/spreadsheets/read-rows.ts';
import { openWorkbook } from '../../../../src/workspace/spreadsheets/workbook.ts';
import { ZipArchive } from '../../../../src/workspace/spreadsheets/zip-archive.ts';
import { makeFolder } from '../../../support/quern.ts';

/** A row of a sheet: `kind text` of each cell, null without a cell. */
type BookRow = readonly (string | null)[];

/** The rows of a workbook, by the reader of `quern load`. */
export async function readBook(bytes: Uint8Array): Promise<readonly BookRow[]> {
  const file = writeBook(bytes);
  const rows: BookRow[] = [];
  for await (const { cells } of readRows(await openWorkbook({ path: file, name: 'book.xlsx' }, undefined))) {
    rows.push(Array.from(cells, (cell) => (cell === undefined ? null : `${cell.kind} ${cell.text}`)));
  }
  return rows;
}

/** A file of a workbook. */
export async function readPart(bytes: Uint8Array, name: string): Promise<Buffer> {
  const archive = await ZipArchive.open(writeBook(bytes), 'book.xlsx');
  const parts: Buffer[] = [];
  for await (const part of archive.read(name)) parts.push(part);
  return Buffer.concat(parts);
}

function writeBook(bytes: Uint8Array): string {
  const file = path.join(makeFolder(), 'book.xlsx');
  writeFileSync(file, bytes);
  return file;
}
