// Runs after an install from a checkout: builds, unless dist/ is newer than everything it is made from.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { build, root, stamp } from './build.js';

const inputs = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts/build.js', 'src'];

function newest(file) {
  const stat = statSync(file);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(file).map((name) => newest(path.join(file, name))));
}

const built = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (built < Math.max(...inputs.map((name) => newest(path.join(root, name))))) process.exitCode = build();
