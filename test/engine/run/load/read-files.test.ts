import { describe, expect, it } from 'vitest';
import { findDataFormat } from '../../../../src/engine/run/load/read-files.ts';

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
