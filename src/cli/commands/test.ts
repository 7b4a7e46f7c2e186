import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestResult } from '../../engine/run/outcome/test-report.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { RunRequest } from '../../workspace/api/workspace-api.ts';
import { checkUnrestricted } from '../actions/check-unrestricted.ts';
import { areInCatalog } from '../actions/with-scripts.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { explainCallError } from '../context/explain-call-error.ts';
import { readRunOptions, readStore, readTimeout } from '../options/run-options.ts';
import { printWarnings } from '../print/print-warnings.ts';
import { reportOutcome } from '../print/report-outcome.ts';
import { openReports, printReports, readReporters } from '../reporters/reporters.ts';
import type { OptionsOf, RunCommand } from '../table/commands.ts';

/** `quern test`: runs data tests; exit code 1 means exactly that a test failed. */
export const run: RunCommand<'test'> = async (context, { args, options }) => {
  const reports = openReports(context, readReporters(options.reporter));
  const request = await readRequest(context, args, options);
  const outcome = await withWorkspace(context, async (workspace) => {
    if (options.unrestricted) await checkUnrestricted(context, workspace);
    return workspace
      .run(request, { write: () => {} }, context.signal)
      .catch((error: unknown) =>
        options.allowNone && isWithoutScripts(error) ? null : explainCallError(error),
      );
  });
  if (outcome === null) return EXIT.done;
  await printWarnings(context, outcome.warnings);
  if (outcome.status === 'failed') return reportOutcome(context, outcome);
  const tests: readonly TestResult[] = outcome.tests ?? [];
  if (tests.length === 0 && !options.allowNone) {
    throw new UsageError('no tests found: --allow-none accepts that');
  }
  await printReports(context, reports, tests, outcome.stats);
  await writeFailed(context, tests);
  return tests.some(({ status }) => status === 'FAILED') ? EXIT.failed : EXIT.done;
};

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
function printSelector({ package_name, test_name, file }: TestResult): string {
  const folder = file.startsWith('@') ? path.posix.dirname(file) : package_name;
  return `${folder}.${test_name}`;
}

/** Not in `tmp/`, which a server empties when it starts. */
async function findFile(context: CliContext): Promise<string> {
  const { findHome } = await import('../../workspace/home/find-home.ts');
  return path.join(findHome({ ...context, flag: context.home }), 'failed-tests.json');
}
