import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Sink } from '../../engine/result/columns/sink.ts';
import type { TriedTest } from '../../engine/run/outcome/can-fail-report.ts';
import type { TestResult } from '../../engine/run/outcome/test-report.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { RunRequest } from '../../workspace/api/workspace-api.ts';
import { checkUnrestricted } from '../actions/check-unrestricted.ts';
import { readEvents } from '../actions/read-events.ts';
import { areInCatalog } from '../actions/with-scripts.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { explainCallError } from '../context/explain-call-error.ts';
import { readCanFail } from '../options/read-can-fail.ts';
import { readRunOptions, readStore, readTimeout } from '../options/run-options.ts';
import { printCanFailDocument, printTriedTests } from '../print/print-can-fail.ts';
import { printWarnings } from '../print/print-warnings.ts';
import { reportOutcome } from '../print/report-outcome.ts';
import { openReports, printReports, readReporters } from '../reporters/reporters.ts';
import type { OptionsOf, RunCommand } from '../table/commands.ts';

/** `quern test`: runs data tests; exit code 1 means exactly that a test failed. */
export const run: RunCommand<'test'> = async (context, { args, options }) => {
  const canFail = readCanFail(options);
  const reports = openReports(context, readReporters(options.reporter));
  const request = await readRequest(context, args, options);
  if (canFail !== undefined) return tryTestsOf(context, request, options);
  const outcome = await runRequest(context, request, { write: () => {} }, options);
  if (outcome === null) return EXIT.done;
  if (outcome.status === 'failed') return reportOutcome(context, outcome);
  const tests: readonly TestResult[] = outcome.tests ?? [];
  checkAny(tests, options);
  await printReports(context, reports, tests, outcome.stats);
  await writeFailed(context, tests);
  return tests.some(({ status }) => status === 'FAILED') ? EXIT.failed : EXIT.done;
};

/** `quern test --can-fail`: exit code 1 means exactly that a test cannot fail. */
async function tryTestsOf(
  context: CliContext,
  request: RunRequest,
  options: OptionsOf<'test'>,
): ReturnType<RunCommand<'test'>> {
  const tests: TriedTest[] = [];
  const sink = readEvents<TriedTest>(async (test) => void tests.push(test));
  const outcome = await runRequest(context, request, sink, options);
  if (outcome === null) return EXIT.done;
  if (outcome.status === 'done') checkAny(tests, options);
  // In the order of their names, also if several ran at once.
  tests.sort((left, right) => (printSelector(left) < printSelector(right) ? -1 : 1));
  if (outcome.status === 'done' || tests.length > 0) {
    if (options.json) await context.stdout.write(printCanFailDocument(tests, outcome.stats));
    else await printTriedTests(context, tests);
  }
  if (outcome.status === 'failed') return reportOutcome(context, outcome);
  return tests.some(({ status }) => status === 'CANNOT_FAIL') ? EXIT.failed : EXIT.done;
}

/** Runs tests, and prints the warnings; null if there are no scripts, and `--allow-none` accepts that. */
async function runRequest(
  context: CliContext,
  request: RunRequest,
  sink: Sink,
  { unrestricted, allowNone }: OptionsOf<'test'>,
) {
  const outcome = await withWorkspace(context, async (workspace) => {
    if (unrestricted) await checkUnrestricted(context, workspace);
    return workspace
      .run(request, sink, context.signal)
      .catch((error: unknown) => (allowNone && isWithoutScripts(error) ? null : explainCallError(error)));
  });
  if (outcome !== null) await printWarnings(context, outcome.warnings);
  return outcome;
}

function checkAny(tests: readonly object[], { allowNone }: OptionsOf<'test'>): void {
  if (tests.length === 0 && !allowNone) throw new UsageError('no tests found: --allow-none accepts that');
}

function isWithoutScripts(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'scripts_not_found';
}

async function readRequest(
  context: CliContext,
  args: readonly string[],
  options: OptionsOf<'test'>,
): Promise<RunRequest> {
  const include = options.rerunFailed ? await readAgain(context, args) : args;
  return {
    target: {
      kind: 'tests',
      include,
      exclude: options.exclude,
      parallel: options.parallel ?? 1,
      failFast: options.failFast,
      storeFailures: readStore(options),
      canFail: readCanFail(options),
      disk: areInCatalog(include) ? null : { cwd: context.cwd, projects: options.project },
    },
    ...(await readRunOptions(context, options)),
    format: 'table',
    unrestricted: options.unrestricted,
    timeoutMs: readTimeout(options),
  };
}

async function readAgain(context: CliContext, args: readonly string[]): Promise<readonly string[]> {
  if (args.length > 0) throw new UsageError('--rerun-failed and selectors contradict each other');
  const failed = await readFailed(context);
  if (failed.length === 0) throw new UsageError('no test failed in the last run');
  return failed;
}

/** The selectors of the tests that failed in the last run on this home; empty without a last run. */
async function readFailed(context: CliContext): Promise<readonly string[]> {
  try {
    const names: unknown = JSON.parse(await readFile(await findFile(context), 'utf8'));
    return Array.isArray(names) ? names.map(String) : [];
  } catch {
    return [];
  }
}

/** Stores the failed tests for the next run. */
async function writeFailed(context: CliContext, tests: readonly TestResult[]): Promise<void> {
  const failed = tests.filter(({ status }) => status === 'FAILED');
  const names = failed.map(printSelector);
  const file = await findFile(context);
  await writeFile(file, `${JSON.stringify(names, null, 2)}\n`, { mode: 0o600 });
}

/** Names tests of the catalog by their catalog folder, so that they are not searched on disk. */
function printSelector({
  package_name,
  test_name,
  file,
}: Pick<TestResult, 'package_name' | 'test_name' | 'file'>): string {
  const folder = file.startsWith('@') ? path.posix.dirname(file) : package_name;
  return `${folder}.${test_name}`;
}

/** Not in `tmp/`, which a server empties when it starts. */
async function findFile(context: CliContext): Promise<string> {
  const { findHome } = await import('../../workspace/home/find-home.ts');
  return path.join(findHome({ ...context, flag: context.home }), 'failed-tests.json');
}
