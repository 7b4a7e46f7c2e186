import type { CompiledStep } from '../../engine/script/compile.ts';
import { elementAt } from '../../invariants/must.ts';
import { withScripts } from '../actions/with-scripts.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readScriptSettings } from '../options/run-options.ts';
import { printAnnotatedSteps, printSqlSteps } from '../print/print-steps.ts';
import { printWarnings } from '../print/print-warnings.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern compile`: prints the SQL of a script step by step, with the origin of every line. */
export const run: RunCommand<'compile'> = async (context, { args, options }) => {
  const path = elementAt(args, 0);
  if (options.json && options.sql) throw new UsageError('choose one of --json and --sql');
  const settings = await readScriptSettings(context, options);
  const { steps, warnings } = await withScripts(context, [path], options, (scripts) =>
    scripts.compile(path, settings),
  );
  await printWarnings(context, warnings);
  await context.stdout.write(print(steps, options));
  return EXIT.done;
};

function print(steps: readonly CompiledStep[], { json, sql }: { json?: unknown; sql?: unknown }): string {
  if (json) return `${JSON.stringify(steps, null, 2)}\n`;
  return sql ? printSqlSteps(steps) : printAnnotatedSteps(steps);
}
