import { elementAt } from '../../invariants/must.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern sso saml link`: links a NameID to an account. */
export const run: RunCommand<'sso saml link'> = async (context, { args, options }) => {
  const link = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.samlAdmin.link(principal, elementAt(args, 0), elementAt(args, 1)),
  ).catch(explainError);
  if (options.json) await context.stdout.write(`${JSON.stringify(link)}\n`);
  else await context.notices.write(`linked the user ${link.user_name} to ${link.name_id}\n`);
  return EXIT.done;
};
