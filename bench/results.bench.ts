import path from 'node:path';
import type { Bench, Figures } from './bench.ts';
import { ensureData } from './data.ts';
import { buildLimit } from './limit.ts';
import { measureWorker } from './measure.ts';

const file = await ensureData();
const limit = buildLimit();
const worker = (name: string) => path.join(import.meta.dirname, 'workers', `${name}.ts`);

const ours =
  (format: string, sql: string, ...more: string[]) =>
  () =>
    measureWorker(process.execPath, [worker('export'), file, format, sql, ...more]);
const copy = (sql: string, format: string) => () =>
  measureWorker(process.execPath, [
    worker('engine'),
    file,
    `COPY (${sql}) TO '/dev/null' (FORMAT ${format})`,
  ]);
const drain = (mode: 'drain' | 'arrow', sql: string, ...more: string[]): (() => Promise<Figures>) =>
  limit === null ? copy(sql, 'parquet') : () => measureWorker(limit, [file, mode, sql, ...more]);
const naive = (format: string, sql: string) => () =>
  measureWorker(process.execPath, [worker('naive'), file, format, sql]);

const limitName = limit === null ? "the engine's COPY to parquet" : 'C drain';

function exportOf(table: string): Bench[] {
  const sql = `FROM ${table}`;
  return [
    {
      name: `${table} to Arrow ÷ C drain and duckdb_data_chunk_to_arrow`,
      peerName: limitName,
      runs: 3,
      ours: ours('arrow', sql),
      peer: drain('arrow', sql),
      limits: [
        { metric: 'wall', most: table === 't10' ? 1.3 : 1.5 },
        { metric: 'cpu', most: null },
      ],
    },
    {
      name: `${table} to CSV ÷ the engine's COPY`,
      peerName: 'COPY',
      runs: 3,
      ours: ours('csv', sql),
      peer: copy(sql, 'csv'),
      limits: [
        { metric: 'cpu', most: 0.8 },
        { metric: 'wall', most: 1.3 },
      ],
    },
    {
      name: `${table} to JSON ÷ the engine's COPY`,
      peerName: 'COPY',
      runs: 3,
      ours: ours('json', sql),
      peer: copy(sql, 'json'),
      limits: [
        { metric: 'cpu', most: 0.9 },
        { metric: 'wall', most: 1.5 },
      ],
    },
  ];
}

/** The memory limit of the engine: less than either size of the table, so that both reach it. */
const MEMORY_LIMIT = '50MB';

/** A table that is larger than the memory limit of the engine, in two sizes. */
function memoryOf(format: string): Bench[] {
  const [all, some] = ['FROM t10', 'FROM t10 LIMIT 2000000'];
  return [
    {
      name: `peak memory of ${format}, 10 M rows ÷ 2 M rows, memory_limit ${MEMORY_LIMIT}`,
      peerName: '2 M rows',
      runs: 3,
      ours: ours(format, all, MEMORY_LIMIT),
      peer: ours(format, some, MEMORY_LIMIT),
      limits: [{ metric: 'peak', most: 1.15 }],
    },
    {
      name: `peak memory of ${format} above the C drain, memory_limit ${MEMORY_LIMIT}`,
      peerName: limitName,
      runs: 3,
      ours: ours(format, all, MEMORY_LIMIT),
      peer: drain('drain', all, MEMORY_LIMIT),
      limits: [{ metric: 'peak', most: 150, compare: 'difference' }],
    },
  ];
}

/** The method of most programs, for information, with a tenth of the rows. */
function storyOf(format: string): Bench {
  const sql = 'FROM t10 LIMIT 1000000';
  return {
    name: `1 M rows of t10 to ${format} ÷ row objects and a library`,
    peerName: 'naive',
    runs: 3,
    ours: ours(format, sql),
    peer: naive(format, sql),
    limits: [{ metric: 'cpu', most: null }],
  };
}

/** Measures how long a query continues after its cancellation. */
function cancelOf([kind, sql]: readonly [string, string]): Bench {
  return {
    name: `cancel of ${kind}`,
    peerName: '',
    runs: 3,
    ours: () => measureWorker(process.execPath, [worker('cancel'), file, sql]),
    limits: [{ metric: 'wall', most: 20, compare: 'alone' }],
  };
}

const CANCELLED: readonly (readonly [string, string])[] = [
  ['an aggregate', 'SELECT count(DISTINCT l_comment || l_orderkey), sum(l_tax) FROM lineitem'],
  ['a sort', 'SELECT * FROM t10 ORDER BY vl, dbl, id'],
  ['a join', 'SELECT count(*) FROM t10 a JOIN (FROM t10 LIMIT 1000000) b ON a.vs = b.vs'],
  ['a stream', 'SELECT * FROM range(100000000000)'],
  ['a COPY', "COPY (FROM range(100000000000)) TO '/dev/null' (FORMAT csv)"],
];

/** A slow reader, for a long and for a short time; in the short one, the engine's cache gets its full size. */
function slowReaderOf(format: string): Bench {
  const reader = (seconds: string) => () =>
    measureWorker(process.execPath, [worker('slow-reader'), file, format, 'FROM t10', seconds]);
  return {
    name: `peak memory of ${format} to a reader at 16 MB/s, 20 s ÷ 10 s`,
    peerName: '10 s',
    runs: 1,
    ours: reader('20'),
    peer: reader('10'),
    limits: [{ metric: 'peak', most: 1.15 }],
  };
}

export const benches: readonly Bench[] = [
  ...exportOf('t10'),
  ...exportOf('lineitem'),
  ...['arrow', 'csv', 'json'].flatMap(memoryOf),
  ...['arrow', 'csv', 'json'].map(slowReaderOf),
  ...CANCELLED.map(cancelOf),
  ...['csv', 'json'].map(storyOf),
];
