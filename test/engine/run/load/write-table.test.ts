import { renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import duckdb from '@duckdb/node-bindings';
import { describe, expect, it } from 'vitest';
import {
  FILES_CHANGED,
  printWrites,
  type TableToWrite,
} from '../../../../src/engine/run/load/write-table.ts';
import { makeFolder } from '../../../support/quern.ts';

const LONG_AGO = new Date(-3250);

/** A table of one file with one row, and what the file is at this moment. */
function plan(file: string): TableToWrite {
  return {
    table: 't',
    mode: 'create',
    query: 'SELECT 1 AS x',
    rows: 1,
    files: [
      { path: file, size: BigInt(statSync(file).size), changedAt: BigInt(LONG_AGO.getTime()) * 1_000_000n },
    ],
    columns: [{ name: 'x', type: 'BIGINT' }],
    added: [],
  };
}

/** The message of the error of the statements, if there is one. */
async function write(table: TableToWrite): Promise<string | undefined> {
  const connection = await duckdb.connect(await duckdb.open());
  try {
    await duckdb.query(connection, printWrites([table]));
    return undefined;
  } catch (error) {
    return String(error);
  }
}

describe('printWrites', () => {
  const makeFile = () => {
    const file = path.join(makeFolder(), "a'b.csv");
    writeFileSync(file, 'x\n1\n');
    utimesSync(file, LONG_AGO, LONG_AGO);
    return file;
  };

  it('writes the rows of a file that is as it was, also one of before 1970', async () => {
    expect(await write(plan(makeFile()))).toBeUndefined();
  });

  it.each([
    ['a time', (file: string) => utimesSync(file, LONG_AGO, 1000)],
    ['a size', (file: string) => writeFileSync(file, 'x\n10\n')],
    ['a place', (file: string) => renameSync(file, `${file}.old`)],
  ])('ends with an error if a file got %s while it was read', async (_, change) => {
    const file = makeFile();
    const table = plan(file);
    change(file);
    expect(await write(table)).toMatch(new RegExp(`${FILES_CHANGED}|No files found`));
  });

  it('ends with an error if there are more rows', async () => {
    expect(await write({ ...plan(makeFile()), query: 'SELECT range AS x FROM range(2)' })).toContain(
      FILES_CHANGED,
    );
  });
});
