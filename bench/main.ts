import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, hostname, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Bench, type Row, runBench } from './bench.ts';
import { printSection, replaceSections } from './results-page.ts';

// Runs every benchmark of this folder except the longest ones, or the given ones. Writes RESULTS.md after a run of all of
// them, or with --keep; --gate fails when a figure exceeds its limit: a count at all, other figures by more than a quarter.
const TOLERANCE = 1.25;
/** Run only if they are given. */
const LONG = ['soak', 'comparisons', 'fuzz', 'builds'];
const { values, positionals } = parseArgs({
  options: { gate: { type: 'boolean' }, keep: { type: 'boolean' } },
  allowPositionals: true,
});

// A signal alone does not run the exit handlers that end the started processes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''))
  .filter((name) => (positionals.length === 0 ? !LONG.includes(name) : isGiven(name)));

/** `engines` stands for `engines-growth`, too. */
function isGiven(name: string): boolean {
  return positionals.includes(name) || positionals.includes(name.replace(/-growth$/, ''));
}

const memory = `${Math.round(totalmem() / 1024 ** 3)} GB`;
const machine = `${hostname()}: ${cpus().length} × ${cpus()[0]?.model.trim()}, ${memory}, Node ${process.version}`;
console.log(`${machine}\n`);

const rows: Row[] = [];
const sections = new Map<string, string>();
for (const name of names) {
  const before = rows.length;
  const { benches }: { benches: readonly Bench[] } = await import(`./${name}.bench.ts`);
  for (const bench of benches) {
    for (const row of await runBench(bench)) {
      rows.push(row);
      console.log(
        `${row.name}: ${row.value} (${row.limit}${row.share > 1 ? ', MISSED' : ''}); ${row.detail}`,
      );
    }
  }
  const day = new Date().toISOString().slice(0, 10);
  sections.set(name, printSection(name, `${machine}, ${day}`, rows.slice(before)));
}
if (positionals.length === 0 || values.keep === true) {
  const page = path.join(import.meta.dirname, 'RESULTS.md');
  writeFileSync(page, replaceSections(readFileSync(page, 'utf8'), sections));
}

const missed = rows.filter(({ share, isCount }) => share > (isCount ? 1 : TOLERANCE));
if (values.gate && missed.length > 0) {
  console.error(`\nlimit exceeded: ${missed.map(({ name }) => name).join('; ')}`);
  process.exitCode = 1;
}
// Exits explicitly, because started servers keep their pipes open; exit handlers end them.
process.exit();
