import type { Reporter, TestModule } from 'vitest/node';
import { findGroup, GROUPS, type Group, toName } from './groups.ts';
import { readServersWork } from './servers-work.ts';

/** Hundredths in a second. */
const HERTZ = 100;
const SHOWN_FILES = 10;

interface Spent {
  readonly name: string;
  readonly group: Group;
  /** Seconds of processor time. */
  readonly seconds: number;
  readonly tests: number;
}

/** Ends the output of a run with the processor time of each group of tests, the slowest files, and the result. */
export default class ReportWork implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map(readSpent);
    const rows = GROUPS.map((group) => sumGroup(group, files)).filter(({ tests }) => tests > 0);
    const own = process.cpuUsage();
    rows.push({ name: 'transforms and reports', seconds: (own.user + own.system) / 1e6, tests: 0 });
    rows.push({ name: 'all', seconds: sum(rows, 'seconds'), tests: sum(rows, 'tests') });
    console.log('\nprocessor time in seconds, and tests');
    for (const row of rows) console.log(printRow(row));
    const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SHOWN_FILES);
    console.log('\nslowest files');
    for (const row of slowest) console.log(printRow(row));
    console.log(`\n${countResults(modules)}`);
  }
}

function readSpent(module: TestModule): Spent {
  return {
    name: toName(module.moduleId),
    group: findGroup(module.moduleId),
    seconds: (module.meta().work ?? 0) / HERTZ,
    tests: [...module.children.allTests()].length,
  };
}

function sumGroup(group: Group, files: readonly Spent[]): Omit<Spent, 'group'> {
  const own = files.filter((file) => file.group === group);
  return {
    name: group,
    seconds: sum(own, 'seconds') + readServersWork(group) / HERTZ,
    tests: sum(own, 'tests'),
  };
}

function sum(rows: readonly Omit<Spent, 'group'>[], field: 'seconds' | 'tests'): number {
  return rows.reduce((total, row) => total + row[field], 0);
}

function printRow({ name, seconds, tests }: Omit<Spent, 'group'>): string {
  return `${seconds.toFixed(1).padStart(8)}  ${String(tests).padStart(6)}  ${name}`;
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
