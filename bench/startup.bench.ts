import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bench } from './bench.ts';
import { measureProcess } from './measure.ts';

const root = path.resolve(import.meta.dirname, '..');
const quern = path.join(root, 'bin/quern.js');
const folder = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const peerScript = path.join(folder, 'peer.mjs');
writeFileSync(
  peerScript,
  `import { DuckDBInstance } from ${JSON.stringify(path.join(root, 'node_modules/@duckdb/node-api/lib/index.js'))};
   const instance = await DuckDBInstance.create(process.argv[2]);
   const reader = await (await instance.connect()).runAndReadAll('select 42');
   console.log(reader.getRows());`,
);
spawnSync(process.execPath, [quern, 'init', folder, '--empty']);

const node =
  (...args: string[]) =>
  () =>
    measureProcess(process.execPath, args, folder);

export const benches: readonly Bench[] = [
  {
    name: 'quern --help ÷ node -e 0',
    peerName: 'node',
    runs: 25,
    ours: node(quern, '--help'),
    peer: node('-e', '0'),
    limits: [{ metric: 'wall', most: 2.5 }],
  },
  {
    name: "quern sql 'select 42' ÷ the same with the engine's package alone",
    peerName: 'package',
    runs: 25,
    ours: node(quern, 'sql', 'select 42'),
    peer: node(peerScript, path.join(folder, 'peer.duckdb')),
    limits: [{ metric: 'wall', most: 1.45 }],
  },
];
