import { withChosenModel } from '../actions/with-model.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readQuestion } from '../options/read-question.ts';
import { printWarnings } from '../print/print-warnings.ts';
import type { RunCommand } from '../table/commands.ts';

/**
 * `quern semantic codegen`: prints the SQL of a semantic query
 * (docs/reference/semantic-http.md#sql-of-a-semantic-query).
 */
export const run: RunCommand<'semantic codegen'> = async (context, { args, options }) => {
  const question = await readQuestion(context, args[0], options);
  const answer = await withChosenModel(context, options, (semantic, principal, target) =>
    semantic.codegen(principal, target, { ...question, explain: options.explain }),
  );
  if (options.explain) {
    await context.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
    return EXIT.done;
  }
  await context.stdout.write(`${answer.sql}\n`);
  await printWarnings(context, answer.warnings);
  return EXIT.done;
};
