import process from 'node:process';
import { UnwritableError } from '../../engine/connection/contract/unwritable.ts';
import {
  TooManyBytesError,
  writeThroughDuckDb,
} from '../../engine/connection/duckdb/write-through-duckdb.ts';
import type { ParquetJob } from './convert-to-parquet.ts';
import { TOO_LARGE } from './parquet-limits.ts';
import { readStored, toWrittenColumns } from './read-stored.ts';

// The program of a process that writes one stored result to a Parquet file, because DuckDB could end the server. Its exit
// code is 0, TOO_LARGE, or another one for an error. It ends with its parent.

const FORMAT = { type: 'parquet', compression: 'snappy' } as const;

process.once('disconnect', () => process.exit(1));
process.once('message', ({ stored, file, maxBytes, memory }: ParquetJob) => {
  const result = {
    kind: 'rows',
    columns: toWrittenColumns(stored.columns, 'json'),
    chunks: readStored(stored, 'json'),
  } as const;
  const limits = { bytes: maxBytes, memory };
  writeThroughDuckDb(result, file, FORMAT, new AbortController().signal, limits).then(
    () => process.exit(0),
    (error) => {
      if (error instanceof UnwritableError) process.send?.(error.message, () => process.exit(1));
      else process.exit(error instanceof TooManyBytesError ? TOO_LARGE : 1);
    },
  );
});
