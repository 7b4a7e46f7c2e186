import type { ConnectionKind } from '../../src/engine/connection/contract/connection.ts';
import type { Work } from '../../src/execution/contract/request.ts';
import { readFigures } from '../measure.ts';
import { runInThread } from './run-in-thread.ts';

// server KIND OPTIONS MODE TEXT: measures a query on a database server through all layers of Quern (MODE is the format of
// the result), or eight tests that each run TEXT (MODE is the number of tests at once).
const [kind = 'postgresql', options = '{}', mode = 'csv', text = ''] = process.argv.slice(2);
const TESTS = 8;

const { run, runWork, close } = runInThread(JSON.parse(options), kind as ConnectionKind);
await run('SELECT 1', 'csv', () => {});
await runWork(createTests(1, 'SELECT 1 WHERE false'), 'csv', () => {});
const [start, cpu] = [performance.now(), process.cpuUsage()];
const outcome = await (/^\d+$/.test(mode)
  ? runWork(createTests(Number(mode), text), 'csv', () => {})
  : run(text, mode, () => {}));
if (outcome.status === 'failed') throw new Error(outcome.error.message);
console.log(JSON.stringify(readFigures(start, cpu)));
await close();

function createTests(parallel: number, body: string): Work {
  const names = Array.from({ length: TESTS }, (_, i) => `Test${i}`);
  const blocks = names.map((name) => `#+test sql ${name}() #+begin ${body} #+end`).join('\n');
  const files = [{ name: 'main.sql', text: blocks }];
  const snapshot = {
    needs: [{ id: 'p' }] as const,
    packages: [{ id: 'p', name: 'p', files, unreadable: [], imports: {} }],
  };
  const selection = { packages: ['p'], include: [], exclude: [] };
  return { kind: 'tests', snapshot, selection, parallel, failFast: false };
}
