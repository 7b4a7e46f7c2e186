import { elementAt } from '../../invariants/must.ts';
import { confirmDeletion } from '../actions/confirm-deletion.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern connection rm`: deletes a connection and its secrets; its database stays. */
export const run: RunCommand<'connection rm'> = (context, { args, options }) =>
  withWorkspace(context, ({ connections, principal }) => {
    const { name } = connections.get(principal, elementAt(args, 0));
    const what = `the connection ${name}`;
    return confirmDeletion(context, options.yes, {
      what,
      consequence: 'Its secrets are deleted, too; its database stays.',
      run: () => {
        connections.delete(principal, name);
        return what;
      },
    });
  });
