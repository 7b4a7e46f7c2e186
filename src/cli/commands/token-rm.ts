import { elementAt } from '../../invariants/must.ts';
import { confirmDeletion } from '../actions/confirm-deletion.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern token rm`: revokes a token by its name or id. */
export const run: RunCommand<'token rm'> = (context, { args, options }) =>
  withWorkspace(context, ({ accounts: { tokens }, principal }) => {
    const user = options.user;
    const { id, name, owner } = tokens.get(principal, elementAt(args, 0), user);
    const what = `the token ${name} of ${owner}`;
    return confirmDeletion(context, options.yes, {
      what,
      consequence: 'Programs that use it lose their access.',
      run: () => {
        tokens.delete(principal, id, user);
        return what;
      },
    });
  });
