import type { Reporter, TestModule } from 'vitest/node';
import { findGroup, GROUPS, type Group, toName } from './groups.ts';
import { keepTimes } from './kept-times.ts';
import { readServersWork } from './servers-work.ts';

/** Of the processor time of `/proc` in a second. */
const HERTZ = 100;
const SHOWN_FILES = 10;
/** Fewer files need no table. */
const LEAST_FILES = 20;

interface Spent {
  readonly name: string;
  /** Seconds of processor time. */
  readonly seconds: number;
  readonly tests: number;
}

/**
 * Ends the output of a run with the processor time of each group of tests, the slowest files, the commands that repeat
 * what failed, and the result.
 */
export default class ReportWork implements Reporter {
  onTestRunStart(): void {
    console.log(`QUERN_SEED=${process.env.QUERN_SEED} chooses the same cases again\n`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length >= LEAST_FILES) printWork(modules);
    if (process.env.KEEP_TIMES !== undefined) keepTimes(readTimes(modules));
    printRepeats(modules);
    console.log(`\n${countResults(modules)}`);
  }
}

function printWork(modules: readonly TestModule[]): void {
  const files = modules.map((module) => ({ ...readSpent(module), group: findGroup(module.moduleId) }));
  const rows = GROUPS.map((group) => sumGroup(group, files)).filter(({ tests }) => tests > 0);
  const own = process.cpuUsage();
  rows.push({ name: 'transforms and reports', seconds: (own.user + own.system) / 1e6, tests: 0 });
  const all = { name: 'all', seconds: sum(rows, 'seconds'), tests: sum(rows, 'tests') };
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SHOWN_FILES);
  console.log(['', 'processor time in seconds, and tests', ...[...rows, all].map(printRow)].join('\n'));
  console.log(['', 'slowest files', ...slowest.map(printRow)].join('\n'));
}

function readSpent(module: TestModule): Spent {
  return {
    name: toName(module.moduleId),
    seconds: (module.meta().work ?? 0) / HERTZ,
    tests: [...module.children.allTests()].length,
  };
}

function sumGroup(group: Group, files: readonly (Spent & { readonly group: Group })[]): Spent {
  const own = files.filter((file) => file.group === group);
  const servers = own.length > 0 ? readServersWork(group) / HERTZ : 0;
  return { name: group, seconds: sum(own, 'seconds') + servers, tests: sum(own, 'tests') };
}

function sum(rows: readonly Spent[], field: 'seconds' | 'tests'): number {
  return rows.reduce((total, row) => total + row[field], 0);
}

function printRow({ name, seconds, tests }: Spent): string {
  return `${seconds.toFixed(1).padStart(8)}  ${String(tests).padStart(6)}  ${name}`;
}

/** Seconds of each file that has run, by absolute path. */
function readTimes(modules: readonly TestModule[]): ReadonlyMap<string, number> {
  return new Map(modules.map((module) => [module.moduleId, module.diagnostic().duration / 1_000]));
}

function hasFailed(module: TestModule): boolean {
  return module.state() === 'failed';
}

/** With the seed of the run, which chooses the cases. */
function printRepeats(modules: readonly TestModule[]): void {
  const failed = modules.filter(hasFailed);
  if (failed.length === 0) return;
  const seed = `QUERN_SEED=${process.env.QUERN_SEED}`;
  const files = failed.map(({ moduleId }) => `  ${seed} npx vitest run test/${toName(moduleId)}`);
  const groups = [...new Set(failed.map(({ moduleId }) => findGroup(moduleId)))];
  console.log(['', 'repeat what failed:', ...files].join('\n'));
  console.log(
    ['or its groups:', ...groups.map((group) => `  ${seed} npm run test:group -- '${group}'`)].join('\n'),
  );
}

/** `N passed, N failed`, and the skipped tests if there are any. A file that cannot be loaded has failed, too. */
function countResults(modules: readonly TestModule[]): string {
  const states = modules.flatMap((module) => [
    ...(module.errors().length > 0 ? ['failed'] : []),
    ...[...module.children.allTests()].map((test) => test.result().state),
  ]);
  const count = (state: string) => states.filter((own) => own === state).length;
  const skipped = count('skipped');
  return `${count('passed')} passed, ${count('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
