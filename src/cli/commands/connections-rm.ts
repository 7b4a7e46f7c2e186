import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { askWhether, canAsk } from '../terminal/prompts.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern connections rm`: removes a connection and its secrets; asks first where somebody can be asked. */
export const run: RunCommand = (context, { args, options }) =>
  withWorkspace(context, async ({ connections }) => {
    const { name } = await connections.get(args[0]!);
    const mustAsk = options.yes !== true && canAsk(context);
    if (mustAsk && !(await askWhether(`Remove the connection ${name} and its secrets?`, context))) {
      await context.stderr.write('nothing was removed\n');
      return EXIT.failed;
    }
    await connections.delete(name);
    return EXIT.done;
  });
