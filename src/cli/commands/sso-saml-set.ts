import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readSaml } from '../options/read-saml.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern sso saml set`: changes the given settings only. */
export const run: RunCommand<'sso saml set'> = async (context, { options }) => {
  const change = await readSaml(context, options);
  const saml = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.samlAdmin.set(principal, change),
  ).catch(explainError);
  if (options.json) await context.stdout.write(`${JSON.stringify(saml)}\n`);
  else await context.notices.write(`set SAML with ${saml.identity_provider.entity_id}\n`);
  return EXIT.done;
};
