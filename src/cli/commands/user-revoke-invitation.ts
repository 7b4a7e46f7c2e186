import { elementAt } from '../../invariants/must.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern user revoke-invitation`: revokes the invitation of a user, and deletes a user who was never signed in. */
export const run: RunCommand<'user revoke-invitation'> = async (context, { args, options }) => {
  const name = elementAt(args, 0);
  const revoked = await withWorkspace(context, ({ accounts: { invitations }, principal }) =>
    invitations.revokeOf(principal, name),
  );
  const also = revoked.user_deleted ? ', and deleted the user, who had not used the account' : '';
  if (options.json) await context.stdout.write(`${JSON.stringify(revoked)}\n`);
  else await context.notices.write(`revoked the invitation of ${revoked.user_name}${also}\n`);
  return EXIT.done;
};
