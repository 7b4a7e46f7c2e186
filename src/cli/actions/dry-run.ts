import type { ScriptTarget } from '../../workspace/api/target.ts';
import type { CliContext } from '../context/context.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';
import { readRunOptions } from '../options/run-options.ts';
import { printSqlSteps } from '../print/print-steps.ts';
import { printWarnings } from '../print/print-warnings.ts';
import { reportOutcome } from '../print/report-outcome.ts';
import type { OptionsOf } from '../table/commands.ts';
import { withWorkspace } from './with-workspace.ts';

/** Prints the SQL that a run of a script would send, and its connection. */
export async function dryRun(
  context: CliContext,
  target: ScriptTarget,
  options: OptionsOf<'exec'>,
): Promise<ExitCode> {
  const request = { target, ...(await readRunOptions(context, options)) };
  const plan = await withWorkspace(context, (workspace) => workspace.plan(request));
  if (plan.status === 'failed') return reportOutcome(context, plan);
  const { connection, overrides, steps, warnings } = plan;
  await printWarnings(context, warnings);
  await context.stdout.write(printSqlSteps(steps));
  await context.stdout.flush();
  const changes = Object.entries(overrides).map(([key, value]) => `${key}=${value}`);
  const connectionText = [connection, ...changes].join(', ');
  await context.notices.write(`nothing was run; this would run on ${connectionText}\n`);
  return EXIT.done;
}
