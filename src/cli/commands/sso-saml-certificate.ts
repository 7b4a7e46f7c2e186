import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';
import { writeTextFile } from '../terminal/output-file.ts';

/** `quern sso saml certificate`: prints the active certificate of the service provider as PEM. */
export const run: RunCommand<'sso saml certificate'> = async (context, { options }) => {
  const text = await withWorkspace(context, ({ accounts }) => accounts.saml.getCertificate());
  const { output } = options;
  if (output !== undefined) await writeTextFile(output, context.cwd, text);
  else await context.stdout.write(text);
  return EXIT.done;
};
