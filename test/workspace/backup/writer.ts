import { setTimeout as sleep } from 'node:timers/promises';
import { openWorkspace } from '../../../src/workspace/instance/open-workspace.ts';

// A process: `writer.ts HOME PREFIX` creates assets until it is killed, and prints the name of each stored asset. It
// pauses between them: SQLite's writers have no queue, and a writer without pauses blocks all others.

const [home = '', prefix = ''] = process.argv.slice(2);
const { catalog, principal } = openWorkspace({ home });
for (let number = 1; ; number++) {
  const name = `${prefix}${number}`;
  catalog.createAsset(principal, { parentPath: '@Shared', name, content: `SELECT '${name}'` });
  process.stdout.write(`${name}\n`);
  await sleep(1);
}
