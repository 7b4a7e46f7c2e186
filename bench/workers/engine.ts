import { DuckDBInstance } from '@duckdb/node-api';
import { readFigures } from '../measure.ts';

// engine FILE SQL: measures a statement without rows in the engine's own package.
const [file = '', sql = ''] = process.argv.slice(2);

const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
const connection = await instance.connect();
await connection.run('SELECT 1');
const [start, cpu] = [performance.now(), process.cpuUsage()];
await connection.run(sql);
console.log(JSON.stringify(readFigures(start, cpu)));
connection.closeSync();
instance.closeSync();
