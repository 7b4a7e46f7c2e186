import mysql from 'mysql2';
import pg from 'pg';
import { readFigures } from '../measure.ts';

// plain-client KIND OPTIONS TEXT: measures a query with a package alone, which joins each row into a line of text, without
// keeping rows.
const [kind, options = '{}', text = ''] = process.argv.slice(2);
const { host, port, user, password, database } = JSON.parse(options);
const account = { host, port: Number(port), user, password, database };
let bytes = 0;

const take = (row: readonly unknown[]) => {
  bytes += Buffer.byteLength(`${row.join(',')}\n`);
};

const [start, cpu] = [performance.now(), process.cpuUsage()];
await (kind === 'mysql' ? readMysql() : readPostgresql());
if (bytes === 0) throw new Error('the query has no rows');
console.log(JSON.stringify(readFigures(start, cpu)));

async function readPostgresql(): Promise<void> {
  const client = new pg.Client(account);
  await client.connect();
  // Strings as the server sends them: decoded values would cost more.
  const types = { getTypeParser: () => (value: string) => value };
  const query = new pg.Query({ text, rowMode: 'array', types } as pg.QueryArrayConfig);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  query.on('row', take as (row: object) => void);
  query.on('error', reject);
  query.on('end', () => resolve());
  client.query(query);
  await promise;
  await client.end();
}

async function readMysql(): Promise<void> {
  const connection = mysql.createConnection({ ...account, rowsAsArray: true, typeCast: false });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const query = connection.query(text);
  query.on('result', take as (row: object) => void);
  query.on('error', reject);
  query.on('end', () => resolve());
  await promise;
  connection.end();
}
