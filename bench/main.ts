import { readdirSync } from 'node:fs';
import { cpus, hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { type Bench, runBench } from './bench.ts';

// Runs every benchmark of this folder, or those named; --gate fails when a limit is missed by over 25 %.
const { values, positionals } = parseArgs({ options: { gate: { type: 'boolean' } }, allowPositionals: true });

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''))
  .filter((name) => positionals.length === 0 || positionals.includes(name));

console.log(`${hostname()}: ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}\n`);
let missed = 0;
for (const name of names) {
  const { benches }: { benches: readonly Bench[] } = await import(`./${name}.bench.ts`);
  for (const bench of benches) {
    const { line, ratio } = await runBench(bench);
    console.log(line);
    if (ratio > bench.limit * 1.25) missed++;
  }
}
if (values.gate && missed > 0) {
  console.error(`\n${missed} limits missed by more than 25 %`);
  process.exitCode = 1;
}
