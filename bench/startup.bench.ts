import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bench } from './bench.ts';

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
run([quern, 'init', folder, '--empty']);

function run(args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, QUERN_HOME: '' },
  });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${status} ${stderr}`);
  return performance.now() - start;
}

export const benches: readonly Bench[] = [
  {
    name: 'quern --help ÷ node -e 0',
    limit: 2.5,
    runs: 25,
    ours: async () => run([quern, '--help']),
    peer: async () => run(['-e', '0']),
    peerName: 'node',
  },
  {
    name: "quern sql 'select 42' ÷ the same with the engine's package alone",
    limit: 2,
    runs: 25,
    ours: async () => run([quern, 'sql', 'select 42']),
    peer: async () => run([peerScript, path.join(folder, 'peer.duckdb')]),
    peerName: 'package',
  },
];
