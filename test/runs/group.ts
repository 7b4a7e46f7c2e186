import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { findGroup, GROUPS } from '../support/spent/groups.ts';

// Runs the tests of one group, as the report at the end of a run names it: `npm run test:group -- 'command line'`.
const root = path.resolve(import.meta.dirname, '../..');
const [wanted, ...options] = process.argv.slice(2);
const group = GROUPS.find((name) => name === wanted);

if (group === undefined) {
  console.error(
    `error: unknown group \`${wanted ?? ''}\`: use ${GROUPS.map((name) => `'${name}'`).join(', ')}`,
  );
  process.exitCode = 2;
} else {
  const files = globSync('test/**/*.test.ts', {
    cwd: root,
    exclude: (name) => /^(?:node_modules|\..*)$/.test(path.basename(name)),
  });
  const own = files.filter((file) => findGroup(path.join(root, file)) === group);
  const { status } = spawnSync('vitest', ['run', ...own, ...options], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
