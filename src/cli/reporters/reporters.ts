import { accessSync, appendFileSync, constants, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type EndedTest,
  isWarned,
  printTestBody,
  type TestResult,
} from '../../engine/run/outcome/test-report.ts';
import { explainFileError } from '../../errors/explain-file-error.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { present } from '../../invariants/must.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { printGithub, printSummary } from './github.ts';
import { printJunit } from './junit.ts';
import { printTests } from './list.ts';

type Stats = ExecutionOutcome['stats'];

/** Prints test results for people or for programs. */
type Report = (tests: readonly EndedTest[], stats: Stats) => Promise<void>;

type OpenReport = (context: CliContext, file: string | null) => Report;

/** A requested reporter: `name`, or `name=file`. */
interface Reporter {
  readonly name: string;
  readonly file: string | null;
}

const REPORTERS: Readonly<Record<string, OpenReport>> = {
  list: (context) => (tests) => printTests(context, tests),
  dot: (context) => async (tests) => {
    const dots = tests.map((test) => (isWarned(test) ? 'w' : DOTS[test.status])).join('');
    await context.stdout.write(`${dots}\n`);
    await printTests(
      context,
      tests.filter(({ status }) => status === 'FAILED'),
      tests,
    );
  },
  tap: (context, file) => async (tests) => write(context, file, printTap(tests)),
  json: (context, file) => async (tests, stats) =>
    write(context, file, printTestBody(tests.filter(hasRun), stats)),
  junit: (context, file) => async (tests) => write(context, file, printJunit(tests)),
  github: (context) => async (tests) => {
    const { GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: workspace } = context.env;
    await context.stdout.write(printGithub(tests, context.cwd, workspace || undefined));
    if (summary) await appendSummary(context, summary, printSummary(tests));
  },
};

const DOTS: Readonly<Record<EndedTest['status'], string>> = { PASSED: '.', FAILED: 'F', SKIPPED: 's' };

function hasRun(test: EndedTest): test is EndedTest & TestResult {
  return test.status !== 'SKIPPED';
}

/** Reporters that may write to a file. */
const WITH_FILE = ['tap', 'json', 'junit'];

/** Reads `--reporter`, which may be repeated; `list` without one. Throws a UsageError. */
export function readReporters(names: readonly string[]): readonly Reporter[] {
  const requested = names.length === 0 ? ['list'] : names;
  return requested.map((text) => {
    const [name = '', file] = text.split(/=(.*)/s);
    if (Object.hasOwn(REPORTERS, name)) return toReporter(name, file);
    throw new UsageError(`unknown reporter \`${name}\`: use ${Object.keys(REPORTERS).join(', ')}`);
  });
}

function toReporter(name: string, file: string | undefined): Reporter {
  if (file === undefined) return { name, file: null };
  if (file === '') throw new UsageError(`--reporter ${name}=: expected a file after the \`=\``);
  if (WITH_FILE.includes(name)) return { name, file };
  throw new UsageError(`the reporter \`${name}\` does not write to a file: omit \`=${file}\``);
}

/** Opens the requested reporters. Throws a UsageError for a file that cannot be written. */
export function openReports(context: CliContext, reporters: readonly Reporter[]): readonly Report[] {
  for (const { file } of reporters) if (file !== null) checkPlace(context, file);
  return reporters.map(({ name, file }) => present(REPORTERS[name])(context, file));
}

/** Prints results with each report. */
export async function printReports(
  { stdout }: CliContext,
  reports: readonly Report[],
  tests: readonly EndedTest[],
  stats: Stats,
): Promise<void> {
  for (const print of reports) {
    await print(tests, stats).catch((error) => {
      // A reader that closes the pipe early (`| head`) changes neither the results nor the other reports.
      if (!stdout.isBroken) throw error;
    });
  }
}

function checkPlace({ cwd }: CliContext, file: string): void {
  const target = path.resolve(cwd, file);
  try {
    if (!statSync(path.dirname(target)).isDirectory()) throw new Error('its folder is a file');
    const existing = statSync(target, { throwIfNoEntry: false });
    if (existing?.isDirectory()) throw new Error('it is a folder');
    accessSync(existing ? target : path.dirname(target), constants.W_OK);
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${explainFileError(error)}`);
  }
}

/** Writes the summary of the step, too; an error here does not change the result of the tests. */
async function appendSummary({ cwd, stderr }: CliContext, file: string, text: string): Promise<void> {
  try {
    appendFileSync(path.resolve(cwd, file), text);
  } catch (error) {
    await stderr.write(`warning: cannot write GITHUB_STEP_SUMMARY, ${file}: ${explainFileError(error)}\n`);
  }
}

async function write(context: CliContext, file: string | null, text: string): Promise<void> {
  if (file === null) await context.stdout.write(text);
  else writeFileSync(path.resolve(context.cwd, file), text);
}

/** Version 14 of the Test Anything Protocol. */
function printTap(tests: readonly EndedTest[]): string {
  const lines = tests.map((test, i) => {
    const name = `${test.package_name}.${test.test_name}`.replace(/[#\\]/g, '\\$&');
    if (isWarned(test)) return `ok ${i + 1} - ${name} # ${test.rows} wrong rows`;
    if (test.status === 'PASSED') return `ok ${i + 1} - ${name}`;
    if (test.status === 'SKIPPED') return `ok ${i + 1} - ${name} # SKIP ${test.message}`;
    const details = { message: test.message, at: `${test.file}:${test.line}:${test.column}` };
    const yaml = Object.entries(details).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`);
    return [`not ok ${i + 1} - ${name}`, '  ---', ...yaml, '  ...'].join('\n');
  });
  return ['TAP version 14', `1..${tests.length}`, ...lines].map((line) => `${line}\n`).join('');
}
