import { withWorkspace } from '../actions/with-workspace.ts';
import type { RunCommand } from '../context/command.ts';
import { EXIT } from '../context/exit-codes.ts';
import { writeTextFile } from '../terminal/output-file.ts';

/** `quern sso saml metadata`: our metadata as XML. */
export const run: RunCommand = async (context, { options }) => {
  const text = await withWorkspace(context, ({ accounts }) => accounts.saml.printMetadata());
  const { output } = options;
  if (typeof output === 'string') await writeTextFile(output, context.cwd, text);
  else await context.stdout.write(text);
  return EXIT.done;
};
