import { elementAt } from '../../invariants/must.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readRole } from '../options/read-user.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern user invite`: creates a link with which a person sets the first password, and prints it. */
export const run: RunCommand<'user invite'> = async (context, { args, options }) => {
  const name = elementAt(args, 0);
  const { email, group: groups, existing } = options;
  const settings = { email, role: readRole(options.role), groups };
  const invitation = await withWorkspace(context, ({ accounts: { invitations }, principal }) =>
    invitations.create(principal, { ...settings, ...(existing ? { user: name } : { userName: name }) }),
  ).catch(explainError);
  if (options.json) {
    await context.stdout.write(`${JSON.stringify(invitation)}\n`);
    return EXIT.done;
  }
  await context.stdout.write(`${invitation.link}\n`);
  await context.notices.write(
    `invited ${invitation.user_name}: send the link, which works once, until ${invitation.expires_at}\n`,
  );
  return EXIT.done;
};
