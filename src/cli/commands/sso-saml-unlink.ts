import { confirmDeletion } from '../actions/confirm-deletion.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern sso saml unlink`: deletes the links of a user, or those to an identity provider. */
export const run: RunCommand<'sso saml unlink'> = (context, { args, options }) => {
  const [userName] = args;
  const { entityId: issuer } = options;
  const owner = userName ?? issuer;
  if (owner === undefined || (userName !== undefined && issuer !== undefined))
    throw new UsageError('name either a user or `--entity-id ID`');
  return withWorkspace(context, ({ accounts, principal }) =>
    confirmDeletion(context, options.yes, {
      what: `the links of ${owner}`,
      consequence: 'The next sign-in links a user by the e-mail address again.',
      run: () => {
        const count = accounts.samlAdmin.unlink(principal, { userName, issuer });
        return `${count} ${count === 1 ? 'link' : 'links'} of ${owner}`;
      },
    }),
  ).catch(explainError);
};
