import { elementAt } from '../../invariants/must.ts';
import type { CheckedModel } from '../../workspace/api/semantic-api.ts';
import { checkUnrestricted } from '../actions/check-unrestricted.ts';
import { type ModelTestResult, runModelTests } from '../actions/run-model-tests.ts';
import { withModel } from '../actions/with-model.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printQuantity } from '../context/print-quantity.ts';
import { printDiagnostics } from '../print/print-diagnostics.ts';
import { reportOutcome } from '../print/report-outcome.ts';
import type { OptionsOf, RunCommand } from '../table/commands.ts';

/** `quern semantic check`: prints all diagnostics of a model, and with a connection, runs tests of its data. */
export const run: RunCommand<'semantic check'> = async (context, { args, options }) => {
  const checked = await withModel(context, elementAt(args, 0), options, (semantic, principal, target) =>
    semantic.check(principal, target),
  );
  const { diagnostics } = checked;
  if (!options.json) await printDiagnostics(context, context.stdout, diagnostics);
  const tested = await test(context, checked, options);
  if (tested?.stopped) return reportOutcome(context, tested.stopped);
  const results = tested?.results ?? [];
  const failed = results.flatMap(({ finding }) => finding ?? []);
  if (options.json) {
    await context.stdout.write(`${JSON.stringify({ diagnostics, tests: results.map(toBody) }, null, 2)}\n`);
  } else {
    await printDiagnostics(context, context.stdout, failed);
  }
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const summary = `${printQuantity(errors, 'error')}, ${printQuantity(diagnostics.length - errors, 'warning')}`;
  const sum = tested === null ? '' : `; ${printQuantity(results.length, 'test')}, ${failed.length} failed`;
  await context.notices.write(`${printQuantity(checked.files, 'file')}: ${summary}${sum}\n`);
  return errors + failed.length > 0 ? EXIT.failed : EXIT.done;
};

/** Null without a database, and for a model with errors. */
async function test(
  context: CliContext,
  model: CheckedModel,
  { connection: connectionName, unrestricted }: OptionsOf<'semantic check'>,
) {
  const connection = connectionName ?? model.connection;
  if (connection === null || model.tests.length === 0) return null;
  return withWorkspace(context, async (workspace) => {
    if (unrestricted) await checkUnrestricted(context, workspace);
    return runModelTests(workspace, model, { connection, unrestricted }, context.signal);
  });
}

function toBody({ name, finding }: ModelTestResult) {
  if (finding === null) return { name, message: null };
  const { message, file, line, column } = finding;
  return { name, message, file, line, column };
}
