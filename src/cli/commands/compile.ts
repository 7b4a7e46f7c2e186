import type { CompiledStep } from '../../workspace/scripts-api.ts';
import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { printAnnotatedSteps, printSqlSteps } from '../print-steps.ts';
import { printWarnings } from '../print-warnings.ts';
import { readParams } from '../run-options.ts';
import { UsageError } from '../usage-error.ts';
import { withScripts } from '../with-scripts.ts';

/** `quern compile`: the SQL that a script becomes, step by step, with the origin of every line. */
export const run: RunCommand = async (context, { args, options }) => {
  const path = args[0]!;
  if (options.json && options.sql) throw new UsageError('choose one of --json and --sql');
  const given = await readParams(context, options);
  const { steps, warnings } = await withScripts(context, [path], options, (scripts) =>
    scripts.compile(path, given),
  );
  await printWarnings(context, warnings);
  await context.stdout.write(print(steps, options));
  return EXIT.done;
};

function print(steps: readonly CompiledStep[], { json, sql }: { json?: unknown; sql?: unknown }): string {
  if (json) return `${JSON.stringify(steps, null, 2)}\n`;
  return sql ? printSqlSteps(steps) : printAnnotatedSteps(steps);
}
