import { withChosenModel } from '../actions/with-model.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printExploration } from '../print/print-exploration.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern semantic explore`: shows what semantic queries can use of a model, for new users of the model. */
export const run: RunCommand<'semantic explore'> = async (context, { args, options }) => {
  const exploration = await withChosenModel(context, options, (semantic, principal, target) =>
    semantic.explore(principal, target, args[0]),
  );
  const text = options.json ? `${JSON.stringify(exploration, null, 2)}\n` : printExploration(exploration);
  await context.stdout.write(text);
  return EXIT.done;
};
