import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';
import { writeTextFile } from '../terminal/output-file.ts';

/** `quern sso saml metadata`: prints the metadata of the service provider as XML. */
export const run: RunCommand<'sso saml metadata'> = async (context, { options }) => {
  const text = await withWorkspace(context, ({ accounts }) => accounts.saml.printMetadata());
  const { output } = options;
  if (output !== undefined) await writeTextFile(output, context.cwd, text);
  else await context.stdout.write(text);
  return EXIT.done;
};
