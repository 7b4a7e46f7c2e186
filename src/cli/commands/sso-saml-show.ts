import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printSaml } from '../print/print-saml.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern sso saml show`: prints the settings without keys. */
export const run: RunCommand<'sso saml show'> = async (context, { options }) => {
  const saml = await withWorkspace(context, ({ accounts, principal }) => accounts.samlAdmin.get(principal));
  await context.stdout.write(options.json ? `${JSON.stringify(saml)}\n` : printSaml(saml, new Date()));
  return EXIT.done;
};
