import type { RunCommand } from '../command.ts';
import { confirmRemoval } from '../confirm.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern connections rm`: removes a connection and its secrets; asks first where somebody can be asked. */
export const run: RunCommand = (context, { args, options }) =>
  withWorkspace(context, async ({ connections }) => {
    const { name } = await connections.get(args[0]!);
    const question = `Remove the connection ${name} and its secrets?`;
    return confirmRemoval(context, question, options.yes === true, () => connections.delete(name));
  });
