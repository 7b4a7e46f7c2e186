import { elementAt } from '../../invariants/must.ts';
import { confirmDeletion } from '../actions/confirm-deletion.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { RunCommand } from '../context/command.ts';

/** `quern connections rm`: deletes a connection and its secrets; its database stays. */
export const run: RunCommand = (context, { args, options }) =>
  withWorkspace(context, async ({ connections }) => {
    const { name } = await connections.get(elementAt(args, 0));
    const what = `the connection ${name}`;
    return confirmDeletion(context, options.yes === true, {
      what,
      consequence: 'Its secrets are deleted, too; its database stays.',
      run: async () => {
        await connections.delete(name);
        return what;
      },
    });
  });
