import { DuckDBInstance } from '@duckdb/node-api';
import type { Snapshot } from '../../src/engine/project/snapshot.ts';
import type { Work } from '../../src/execution/contract/request.ts';
import { readFigures } from '../measure.ts';
import { runInThread } from './run-in-thread.ts';

// blocks MODE [FILE]: measures a run of 500 trivial tests (serial; parallel: 2 at once; plain: only the queries), and of a
// chain of 50 blocks over ten million rows (chain; inlined: the same SQL by hand).
const [mode = 'serial', file = ':memory:'] = process.argv.slice(2);
const TESTS = 500;
const CHAIN = 50;

function toSnapshot(text: string): Snapshot {
  return {
    needs: [{ id: 'p' }],
    packages: [{ id: 'p', name: 'p', files: [{ name: 'main.sql', text }], unreadable: [], imports: {} }],
  };
}

function createTests(parallel: number): Work {
  const names = Array.from({ length: TESTS }, (_, i) => `Test${i}`);
  const text = names
    .map((name, i) => `#+test sql ${name}() #+begin SELECT ${i} AS a WHERE false #+end`)
    .join('\n');
  const selection = { packages: ['p'], include: [], exclude: [] };
  return { kind: 'tests', snapshot: toSnapshot(text), selection, parallel, failFast: false };
}

const step = (from: string, i: number) => `SELECT id, dec + 1 AS dec, dt, vs FROM ${from} WHERE id <> ${i}`;
const total = (from: string) => `SELECT dt, count(*), sum(dec), max(vs) FROM ${from} GROUP BY dt ORDER BY dt`;

function createChain(): Work {
  const blocks = Array.from({ length: CHAIN }, (_, i) => {
    return `#+src sql Step${i}() #+begin ${step(i === 0 ? 't10' : `{{ Step${i - 1}() }}`, i)} #+end`;
  });
  const text = `${blocks.join('\n')}\n${total(`{{ Step${CHAIN - 1}() }}`)}`;
  return { kind: 'script', snapshot: toSnapshot(text), file: 'main.sql' };
}

function createInlined(): Work {
  let text = 't10';
  for (let i = 0; i < CHAIN; i += 1) text = `(${step(text, i)})`;
  return { kind: 'sql', source: { name: 'sql', text: total(text) } };
}

/** Loads the code that the measured work needs. */
const WARM_SQL: Work = { kind: 'sql', source: { name: 'sql', text: 'SELECT 1' } };
const WARM_SCRIPT: Work = { kind: 'script', snapshot: toSnapshot('SELECT 1'), file: 'main.sql' };

const WORK: Readonly<Record<string, () => Work>> = {
  serial: () => createTests(1),
  parallel: () => createTests(2),
  chain: createChain,
  inlined: createInlined,
};

if (mode === 'plain') await measurePlain();
else await measureWork(WORK[mode]!());

async function measureWork(work: Work): Promise<void> {
  const { runWork, close } = runInThread({ file });
  for (const first of [WARM_SQL, WARM_SCRIPT]) await runWork(first, 'csv', () => {});
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const outcome = await runWork(work, 'csv', () => {});
  if (outcome.status === 'failed') throw new Error(outcome.error.message);
  console.log(JSON.stringify(readFigures(start, cpu)));
  await close();
}

async function measurePlain(): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run('SELECT 1');
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  for (let i = 0; i < TESTS; i += 1) await connection.runAndReadAll(`SELECT ${i} AS a WHERE false`);
  console.log(JSON.stringify(readFigures(start, cpu)));
  connection.closeSync();
  instance.closeSync();
}
