import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const folder = path.join(tmpdir(), 'quern-bench-data-1');

/** Ten million rows of eight plain types, one value in twenty NULL. */
const T10 = `CREATE TABLE t10 AS SELECT
  i::BIGINT AS id,
  CASE WHEN hash(i) % 20 = 0 THEN NULL ELSE (hash(i * 3 + 1) % 1000000007) / 1000.0 + (hash(i) % 97) / 97.0 END::DOUBLE AS dbl,
  CASE WHEN hash(i + 7) % 20 = 0 THEN NULL ELSE DATE '1992-01-01' + (hash(i * 7) % 10000)::INT END AS dt,
  CASE WHEN hash(i + 9) % 20 = 0 THEN NULL
    ELSE ((hash(i * 11) % 200000000000)::BIGINT - 100000000000)::DECIMAL(18, 0) / 100 END::DECIMAL(18, 2) AS dec,
  CASE WHEN hash(i + 11) % 20 = 0 THEN NULL
    ELSE make_timestamp((1500000000000000 + (hash(i * 13) % 300000000000000))::BIGINT) END AS ts,
  CASE WHEN hash(i + 13) % 20 = 0 THEN NULL ELSE 'k' || (hash(i * 17) % 1000000)::VARCHAR END AS vs,
  CASE WHEN hash(i + 17) % 20 = 0 THEN NULL
    ELSE 'customer comment ' || (hash(i * 19) % 1000000000)::VARCHAR || ' lorem "q", x' END AS vl,
  CASE WHEN hash(i + 19) % 20 = 0 THEN NULL ELSE hash(i * 23) % 2 = 0 END AS b
FROM range(10000000) r(i)`;

/** Six million rows in the shape of TPC-H's lineitem. */
const LINEITEM = `CREATE TABLE lineitem AS SELECT
  (i // 4 + 1)::BIGINT l_orderkey, (hash(i) % 200000 + 1)::BIGINT l_partkey,
  (hash(i * 3) % 10000 + 1)::BIGINT l_suppkey, (i % 7 + 1)::BIGINT l_linenumber,
  (hash(i * 5) % 50 + 1)::DECIMAL(15, 2) l_quantity,
  ((hash(i * 7) % 10000000)::DECIMAL(15, 0) / 100 + 900)::DECIMAL(15, 2) l_extendedprice,
  ((hash(i * 9) % 11)::DECIMAL(15, 2) / 100)::DECIMAL(15, 2) l_discount,
  ((hash(i * 11) % 9)::DECIMAL(15, 2) / 100)::DECIMAL(15, 2) l_tax,
  ['A', 'N', 'R'][1 + (hash(i * 13) % 3)::INT] l_returnflag, ['O', 'F'][1 + (hash(i * 15) % 2)::INT] l_linestatus,
  DATE '1992-01-02' + (hash(i * 17) % 2500)::INT l_shipdate,
  DATE '1992-01-31' + (hash(i * 19) % 2500)::INT l_commitdate,
  DATE '1992-01-04' + (hash(i * 21) % 2500)::INT l_receiptdate,
  ['DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN'][1 + (hash(i * 23) % 4)::INT] l_shipinstruct,
  ['REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB'][1 + (hash(i * 25) % 7)::INT] l_shipmode,
  substr('carefully final deposits sleep furiously. regular, express accounts above the quick',
    1 + (hash(i * 27) % 40)::INT, 10 + (hash(i * 29) % 34)::INT) l_comment
FROM range(6001215) r(i)`;

/** The database file with the benchmark's tables, which is created once on each machine. */
export async function ensureData(): Promise<string> {
  const file = path.join(folder, 'data.duckdb');
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const draft = `${file}.${process.pid}`;
  const instance = await DuckDBInstance.create(draft);
  const connection = await instance.connect();
  for (const sql of [T10, LINEITEM, 'CHECKPOINT']) await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
  renameSync(draft, file);
  rmSync(`${draft}.wal`, { force: true });
  return file;
}
