import { explainRefusal } from '../actions/explain-refusal.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readExpiry } from '../options/read-expiry.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern token create`: makes a token and prints it, alone and this once. */
export const run: RunCommand<'token create'> = async (context, { options }) => {
  const { name, user, description, expires } = options;
  if (name === undefined) throw new UsageError('say what the token is for: --name NAME');
  const given = {
    name,
    owner: user,
    description: description,
    readOnly: options.readOnly,
    expiresAt: expires === undefined ? undefined : readExpiry(expires, new Date()),
  };
  const { token, body } = await withWorkspace(context, ({ accounts }) =>
    accounts.tokens.create(given).catch(explainRefusal),
  );
  await context.stdout.write(options.json ? `${JSON.stringify({ token, ...body })}\n` : `${token}\n`);
  return EXIT.done;
};
