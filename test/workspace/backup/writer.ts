import { setTimeout as sleep } from 'node:timers/promises';
import { openWorkspace } from '../../../src/workspace/instance/open-workspace.ts';

// A process of its own: `writer.ts HOME PREFIX` makes one asset after another and prints the name of each when it has
// been stored, until it is killed. Between them it pauses: SQLite's writers do not queue, and one that never lets go starves
// the others.

const [home = '', prefix = ''] = process.argv.slice(2);
const { catalog } = openWorkspace({ home });
for (let number = 1; ; number++) {
  const name = `${prefix}${number}`;
  await catalog.createAsset({ parent_path: '@Shared', name, content: `SELECT '${name}'` });
  process.stdout.write(`${name}\n`);
  await sleep(1);
}
