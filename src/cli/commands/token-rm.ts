import type { RunCommand } from '../command.ts';
import { confirmRemoval } from '../confirm.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern token rm`: deletes a token by its name or id; asks first where somebody can be asked. */
export const run: RunCommand = (context, { args, options }) =>
  withWorkspace(context, ({ accounts: { tokens } }) => {
    const owner = typeof options.user === 'string' ? options.user : undefined;
    const question = `Delete the token ${args[0]}? Whatever uses it is refused from then on.`;
    return confirmRemoval(context, question, options.yes === true, () => tokens.delete(args[0]!, owner));
  });
