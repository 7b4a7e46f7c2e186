import { withScripts } from '../actions/with-scripts.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printQuantity } from '../context/print-quantity.ts';
import { readScriptSettings } from '../options/run-options.ts';
import { printDiagnostics } from '../print/print-diagnostics.ts';
import { printWarnings } from '../print/print-warnings.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern check`: prints all diagnostics of scripts, without running them. */
export const run: RunCommand<'check'> = async (context, { args, options }) => {
  const paths = args.length === 0 ? ['.'] : args;
  const settings = await readScriptSettings(context, options);
  const checked = await withScripts(context, paths, options, (scripts) => scripts.check(paths, settings));
  const { packages, files, diagnostics, warnings } = checked;
  await printWarnings(context, warnings);
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  if (options.json) await context.stdout.write(`${JSON.stringify(diagnostics, null, 2)}\n`);
  else await printDiagnostics(context, context.stdout, diagnostics);
  const summary = `${printQuantity(errors, 'error')}, ${printQuantity(diagnostics.length - errors, 'warning')}`;
  await context.notices.write(
    `${printQuantity(files, 'script')} in ${printQuantity(packages, 'package')}: ${summary}\n`,
  );
  return errors > 0 ? EXIT.failed : EXIT.done;
};
