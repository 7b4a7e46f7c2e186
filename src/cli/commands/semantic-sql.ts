import { withChosenModel } from '../actions/with-model.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readSql } from '../options/read-sql.ts';
import { printWarnings } from '../print/print-warnings.ts';
import type { RunCommand } from '../table/commands.ts';

/**
 * `quern semantic sql`: translates statements of Semantic SQL to the model's platform
 * (docs/reference/semantic-sql.md#from-text-to-sql).
 */
export const run: RunCommand<'semantic sql'> = async (context, { args, options }) => {
  const source = await readSql(context, {
    argument: args[0],
    file: options.file,
    connection: options.connection,
  });
  const statements = await withChosenModel(context, options, (semantic, principal, target) =>
    semantic.codegenSql(principal, target, { source, params: {}, strict: options.strict }),
  );
  if (options.explain) {
    await context.stdout.write(`${JSON.stringify({ statements }, null, 2)}\n`);
    return EXIT.done;
  }
  await context.stdout.write(`${statements.map(({ sql }) => sql).join(';\n')}\n`);
  await printWarnings(
    context,
    statements.flatMap(({ warnings }) => warnings),
  );
  return EXIT.done;
};
