import { withChosenModel } from '../actions/with-model.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printExploration } from '../print/print-exploration.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern semantic explore`: what can be asked of a model, for people who do not know it. */
export const run: RunCommand<'semantic explore'> = async (context, { args, options }) => {
  const found = await withChosenModel(context, options, (semantic, target) =>
    semantic.explore(target, args[0]),
  );
  const text = options.json ? `${JSON.stringify(found, null, 2)}\n` : printExploration(found);
  await context.stdout.write(text);
  return EXIT.done;
};
