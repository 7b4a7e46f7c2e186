import { elementAt } from '../../invariants/must.ts';
import { confirmDeletion } from '../actions/confirm-deletion.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { RunCommand } from '../context/command.ts';

/** `quern token rm`: deletes a token by its name or id. */
export const run: RunCommand = (context, { args, options }) =>
  withWorkspace(context, async ({ accounts: { tokens } }) => {
    const given = typeof options.user === 'string' ? options.user : undefined;
    const { id, name, owner } = await tokens.get(elementAt(args, 0), given);
    const what = `the token ${name} of ${owner}`;
    return confirmDeletion(context, options.yes === true, {
      what,
      consequence: 'Whatever uses it is refused from then on.',
      run: async () => {
        await tokens.delete(id, given);
        return what;
      },
    });
  });
