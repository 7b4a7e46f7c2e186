import { describe, expect, it } from 'vitest';
import { findDataFormat, printLoad } from '../../../src/engine/run/load-files.ts';

describe('findDataFormat', () => {
  it.each([
    ['a.csv', 'csv'],
    ['a.b.TSV.gz', 'csv'],
    ['a.parquet', 'parquet'],
    ['a.jsonl.zst', 'json'],
    ['a.csv.bz2', undefined],
    ['csv', undefined],
  ])('%s is %s', (file, format) => {
    expect(findDataFormat(file)).toBe(format);
  });
});

describe('printLoad', () => {
  it('quotes all names and values', () => {
    const sql = printLoad({ files: [`/d/it's [1]*.csv`], format: 'csv', table: 's"x.t t', replace: true });
    expect(sql.split('\n')).toEqual([
      'CREATE SCHEMA IF NOT EXISTS "s""x";',
      `CREATE OR REPLACE TABLE "s""x"."t t" AS SELECT * FROM read_csv(['/d/it''s [[]1][*].csv'], files_to_sniff = -1);`,
      'SELECT column_name, column_type, (SELECT count(*) FROM "s""x"."t t") AS row_count FROM (DESCRIBE "s""x"."t t");',
    ]);
  });
});
