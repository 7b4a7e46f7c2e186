import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Work } from '../../src/execution/contract/request.ts';
import { readFigures } from '../measure.ts';
import { runInThread } from './run-in-thread.ts';

// publications MODE COUNT: opens a file, publishes tables of one row into it, and closes it (quern), or does this with
// DuckDB alone (duckdb).
const [mode = 'quern', given = '10'] = process.argv.slice(2);
const count = Number(given);
const folder = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
const file = path.join(folder, 'data.duckdb');
const MAIN = '#+import "std/publication"\n#+import "bench/tables"\n{{ publication.Run(packages=[tables]) }}';

/** A script that publishes tables whose names start with `prefix`. */
function createWork(prefix: string, tables: number): Work {
  const blocks = Array.from({ length: tables }, (_, i) => {
    const meta = `{ :publication { :type "table", :name "${prefix}${i}" } }`;
    return `#+src sql Table${i}()\n#+meta ${meta}\n#+begin SELECT ${i} AS a #+end\n`;
  });
  const imports = { 'bench/tables': { kind: 'package', id: 'tables' } } as const;
  const packages = [
    { id: 'p', name: 'p', files: [{ name: 'main.sql', text: MAIN }], unreadable: [], imports },
    {
      id: 'tables',
      name: 'tables',
      files: [{ name: 'tables.sql', text: blocks.join('') }],
      unreadable: [],
      imports: {},
    },
  ];
  return { kind: 'script', snapshot: { needs: [{ id: 'p' }], packages }, file: 'main.sql' };
}

async function publish(): Promise<void> {
  const { runWork, close } = runInThread({ file });
  // Loads the code.
  await runWork(createWork('warm', 1), 'csv', () => {});
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const outcome = await runWork(createWork('t', count), 'csv', () => {});
  if (outcome.status === 'failed') throw new Error(outcome.error.message);
  if (outcome.targets?.length !== count) throw new Error('not every table was published');
  await close();
  console.log(JSON.stringify(readFigures(start, cpu)));
}

async function create(): Promise<void> {
  // Loads the code, and makes the file, as the first run of `publish` does.
  await createTables('warm', 1);
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await createTables('t', count);
  console.log(JSON.stringify(readFigures(start, cpu)));
}

/** Opens the file, creates tables with DuckDB alone, and closes it. */
async function createTables(prefix: string, tables: number): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  for (let i = 0; i < tables; i += 1)
    await connection.run(`CREATE OR REPLACE TABLE ${prefix}${i} AS SELECT ${i} AS a`);
  connection.closeSync();
  instance.closeSync();
}

try {
  await (mode === 'quern' ? publish() : create());
} finally {
  rmSync(folder, { recursive: true });
}
