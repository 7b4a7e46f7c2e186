import { answerRequest, readAnswerOptions } from '../actions/run-answer.ts';
import { withRunningModel } from '../actions/with-model.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readQuestion } from '../options/read-question.ts';
import { printWarnings } from '../print/print-warnings.ts';
import type { RunCommand } from '../table/commands.ts';

/**
 * `quern semantic query`: translates a semantic query and runs its SQL
 * (docs/reference/semantic-http.md#sql-of-a-semantic-query).
 */
export const run: RunCommand<'semantic query'> = async (context, { args, options }) => {
  const question = await readQuestion(context, args[0], options);
  const answer = readAnswerOptions(context, options);
  const { sql, warnings, connection, database, overrides } = await withRunningModel(
    context,
    options,
    (semantic, principal, target) => semantic.prepare(principal, target, question),
  );
  await printWarnings(context, warnings);
  if (options.sql) {
    await context.stdout.write(`${sql}\n`);
    await context.notices.write(`nothing was run; this would run on ${database}\n`);
    return EXIT.done;
  }
  const { unrestricted } = options;
  const target = { kind: 'sql', source: { name: 'question', text: sql }, isGenerated: true } as const;
  const request = { target, params: {}, connection, overrides, isQuestion: true, unrestricted, ...answer };
  return answerRequest(context, request, options);
};
