import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern sso saml activate-certificate`: replaces the active certificate with the pending one. */
export const run: RunCommand<'sso saml activate-certificate'> = async (context, { options }) => {
  const saml = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.samlAdmin.activateCertificate(principal),
  );
  if (options.json) await context.stdout.write(`${JSON.stringify(saml)}\n`);
  else await context.notices.write('activated the certificate\n');
  return EXIT.done;
};
