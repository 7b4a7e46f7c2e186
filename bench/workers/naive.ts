import { DuckDBInstance } from '@duckdb/node-api';
import { stringify } from 'csv-stringify';
import { readFigures } from '../measure.ts';

// naive FILE FORMAT SQL: the method of most programs: row objects of the engine's package, a library call for each row.
const [file = '', format = 'csv', sql = ''] = process.argv.slice(2);

const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
const connection = await instance.connect();
const [start, cpu] = [performance.now(), process.cpuUsage()];
const result = await connection.stream(sql);
const out = stringify();
let bytes = 0;
out.on('data', (part) => {
  bytes += part.length;
});
for await (const rows of result.yieldRowsJson()) {
  for (const row of rows) {
    if (format === 'csv') out.write(row.map(String));
    else bytes += Buffer.byteLength(JSON.stringify(row));
  }
}
await new Promise((resolve) => out.end().on('end', resolve));
console.log(JSON.stringify({ ...readFigures(start, cpu), bytes }));
