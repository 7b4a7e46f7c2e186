import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { readQuestion } from '../read-question.ts';
import { coloursOf } from '../terminal/colours.ts';
import { withChosenModel } from '../with-model.ts';

/** `quern semantic codegen`: the SQL of a question to a model (interface 4.4). */
export const run: RunCommand = async (context, { args, options }) => {
  const query = await readQuestion(context, args[0], options);
  const strict = options.strict === true ? true : undefined;
  const answer = await withChosenModel(context, options, (semantic, target) =>
    semantic.codegen(target, query, { strict }),
  );
  if (options.explain === true) {
    await context.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
    return EXIT.done;
  }
  await context.stdout.write(`${answer.sql}\n`);
  const { yellow } = coloursOf(context);
  for (const warning of answer.warnings) await context.stderr.write(`${yellow('warning')}: ${warning}\n`);
  return EXIT.done;
};
