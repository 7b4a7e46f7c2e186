import type { BuildEvent } from '../../engine/run/build/build.ts';
import type { TargetResult } from '../../engine/run/outcome/target-report.ts';
import { type BuildTest, isWarned } from '../../engine/run/outcome/test-report.ts';
import { namesChanged } from '../../engine/script/graph/select.ts';
import type { RunRequest } from '../../workspace/api/workspace-api.ts';
import { checkUnrestricted } from '../actions/check-unrestricted.ts';
import { readEvents } from '../actions/read-events.ts';
import { areInCatalog } from '../actions/with-scripts.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { explainCallError } from '../context/explain-call-error.ts';
import { readRunOptions, readStore, readTimeout } from '../options/run-options.ts';
import { type BuildReport, printBuildCounts, printBuildDocument } from '../print/print-build.ts';
import { printDiagnostics } from '../print/print-diagnostics.ts';
import { printTargetLine } from '../print/print-target.ts';
import { printWarnings } from '../print/print-warnings.ts';
import { reportOutcome } from '../print/report-outcome.ts';
import { printTest, printWrongRows } from '../reporters/list.ts';
import { openReports, printReports, readReporters } from '../reporters/reporters.ts';
import type { OptionsOf, RunCommand } from '../table/commands.ts';

/** `quern build`: publishes targets and runs tests in the order of the graph (docs/reference/build.md). */
export const run: RunCommand<'build'> = async (context, { args, options }) => {
  const { json, reporter } = options;
  if (json && reporter.length > 0) throw new UsageError('use either --json or --reporter');
  const requested = readReporters(reporter).filter(({ name }) => name !== 'list');
  const reports = openReports(context, requested);
  const request = await readRequest(context, args, options);
  // A reporter that writes to standard output has it for itself.
  const isQuiet = json || requested.some(({ name, file }) => file === null && name !== 'github');
  const targets: TargetResult[] = [];
  const tests: BuildTest[] = [];
  const sink = readEvents<BuildEvent>(async (event) => {
    if (event.kind === 'target') targets.push(event.target);
    else tests.push(event.test);
    if (!isQuiet) await printEvent(context, event, options);
  });
  const outcome = await withWorkspace(context, async (workspace) => {
    if (options.unrestricted) await checkUnrestricted(context, workspace);
    return workspace.run(request, sink, context.signal).catch(explainCallError);
  });
  await printWarnings(context, outcome.warnings);
  const report: BuildReport = { targets, tests, stats: outcome.stats };
  const hasStarted = targets.length + tests.length > 0;
  if (outcome.status === 'done' && !hasStarted && !namesChanged(args)) {
    throw new UsageError(`nothing to build: ${explainNothing(options)}`);
  }
  const hasReport = hasStarted || outcome.status === 'done';
  if (json && hasReport) await context.stdout.write(printBuildDocument(report));
  if (!isQuiet && hasReport) await context.stdout.write(printBuildCounts(report));
  await printReports(context, reports, tests, outcome.stats);
  // After the first target or test, every error is one of the build.
  const code = await reportOutcome(context, outcome);
  if (outcome.status === 'failed') return hasStarted ? EXIT.failed : code;
  return [...targets, ...tests].some(({ status }) => status === 'FAILED') ? EXIT.failed : EXIT.done;
};

function explainNothing({ exclude }: OptionsOf<'build'>): string {
  return exclude.length > 0
    ? '--exclude leaves no target and no test'
    : 'the selected blocks have no `:publication` and no tests';
}

/** Prints the line of a target or test that has ended, with its error; of passed tests only with `--verbose`. */
async function printEvent(
  context: CliContext,
  event: BuildEvent,
  { verbose }: OptionsOf<'build'>,
): Promise<void> {
  if (event.kind === 'test') {
    if (event.test.status !== 'PASSED' || isWarned(event.test) || verbose)
      await printTest(context, event.test, printWrongRows);
    return;
  }
  const { target } = event;
  await context.stdout.write(`${printTargetLine(target)}\n`);
  if (target.diagnostics.length > 0) await printDiagnostics(context, context.stdout, target.diagnostics);
}

async function readRequest(
  context: CliContext,
  args: readonly string[],
  options: OptionsOf<'build'>,
): Promise<RunRequest> {
  const { exclude, failFast, fullRefresh, parallel = 1, project, unrestricted } = options;
  return {
    target: {
      kind: 'build',
      mode: 'run',
      include: args,
      exclude,
      parallel,
      failFast,
      fullRefresh,
      storeFailures: readStore(options),
      disk: areInCatalog(args) ? null : { cwd: context.cwd, projects: project },
    },
    ...(await readRunOptions(context, options)),
    defer: options.defer,
    format: 'json',
    unrestricted,
    timeoutMs: readTimeout(options),
  };
}
