import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printPending } from '../print/print-saml.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern sso saml refresh-metadata`: reads the metadata URL again. */
export const run: RunCommand<'sso saml refresh-metadata'> = async (context, { options }) => {
  const saml = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.samlAdmin.refreshMetadata(principal),
  );
  if (options.json) {
    await context.stdout.write(`${JSON.stringify(saml)}\n`);
    return EXIT.done;
  }
  const [pending] = printPending(saml);
  if (pending === undefined) {
    await context.stderr.write(`the metadata at ${saml.metadata_url} has not changed\n`);
    return EXIT.done;
  }
  await context.stdout.write(pending);
  await context.notices.write('not applied yet: run `quern sso saml apply-metadata`\n');
  return EXIT.done;
};
