import duckdb from '@duckdb/node-api';
import { readFigures } from '../measure.ts';

// fetch-loop: prepares, streams and fetches SELECT 42 3,200 times in sequence, with the engine's own package.
const instance = await duckdb.DuckDBInstance.create(':memory:');
const connection = await instance.connect();

async function ask(): Promise<void> {
  const statement = await connection.prepare('SELECT 42');
  const result = await statement.stream();
  while ((await result.fetchChunk())?.rowCount) {
    // The next chunk.
  }
  statement.destroySync();
}

for (let i = 0; i < 3_200; i++) await ask();
const [start, cpu] = [performance.now(), process.cpuUsage()];
for (let i = 0; i < 3_200; i++) await ask();
console.log(JSON.stringify(readFigures(start, cpu)));
