import { confirmDeletion } from '../actions/confirm-deletion.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern sso saml rm`: deletes the settings and the certificates. */
export const run: RunCommand<'sso saml rm'> = (context, { options }) =>
  withWorkspace(context, ({ accounts: { samlAdmin }, principal }) =>
    confirmDeletion(context, options.yes, {
      what: 'the SAML configuration',
      consequence: 'The certificates are deleted, too; accounts stay.',
      run: () => {
        samlAdmin.delete(principal);
        return 'the SAML configuration and the certificates';
      },
    }),
  );
