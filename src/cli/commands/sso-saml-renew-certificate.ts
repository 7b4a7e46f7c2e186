import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern sso saml renew-certificate`: creates a pending certificate. */
export const run: RunCommand<'sso saml renew-certificate'> = async (context, { options }) => {
  const saml = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.samlAdmin.renewCertificate(principal),
  );
  if (options.json) await context.stdout.write(`${JSON.stringify(saml)}\n`);
  else
    await context.notices.write(
      'a certificate is pending: upload it to the identity provider, then run `quern sso saml activate-certificate`\n',
    );
  return EXIT.done;
};
