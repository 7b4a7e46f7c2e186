import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { printWarnings } from '../print-warnings.ts';
import { readQuestion } from '../read-question.ts';
import { withChosenModel } from '../with-model.ts';

/** `quern semantic codegen`: the SQL of a question to a model (interface 4.4). */
export const run: RunCommand = async (context, { args, options }) => {
  const question = await readQuestion(context, args[0], options);
  const answer = await withChosenModel(context, options, (semantic, target) =>
    semantic.codegen(target, question.query, question.options),
  );
  if (options.explain === true) {
    await context.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
    return EXIT.done;
  }
  await context.stdout.write(`${answer.sql}\n`);
  await printWarnings(context, answer.warnings);
  return EXIT.done;
};
