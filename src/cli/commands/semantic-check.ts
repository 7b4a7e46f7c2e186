import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { printCount } from '../print-count.ts';
import { printDiagnostics } from '../print-diagnostics.ts';
import { withModel } from '../with-model.ts';

/** `quern semantic check`: every finding about a model. */
export const run: RunCommand = async (context, { args, options }) => {
  const checked = await withModel(context, args[0]!, options, (semantic, target) => semantic.check(target));
  const { files, diagnostics } = checked;
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  if (options.json) await context.stdout.write(`${JSON.stringify(diagnostics, null, 2)}\n`);
  else await printDiagnostics(context, context.stdout, diagnostics);
  const found = `${printCount(errors, 'error')}, ${printCount(diagnostics.length - errors, 'warning')}`;
  await context.stderr.write(`${printCount(files, 'file')}: ${found}\n`);
  return errors > 0 ? EXIT.failed : EXIT.done;
};
