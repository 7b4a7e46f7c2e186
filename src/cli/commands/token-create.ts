import { explainRefusal } from '../actions/explain-refusal.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { RunCommand } from '../context/command.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readExpiry } from '../options/read-expiry.ts';

/** `quern token create`: makes a token and prints it, alone and this once. */
export const run: RunCommand = async (context, { options }) => {
  const { name, user, description, expires } = options;
  if (typeof name !== 'string') throw new UsageError('say what the token is for: --name NAME');
  const given = {
    name,
    owner: typeof user === 'string' ? user : undefined,
    description: typeof description === 'string' ? description : undefined,
    readOnly: options.readOnly === true,
    expiresAt: typeof expires === 'string' ? readExpiry(expires, new Date()) : undefined,
  };
  const { token, body } = await withWorkspace(context, ({ accounts }) =>
    accounts.tokens.create(given).catch(explainRefusal),
  );
  await context.stdout.write(
    options.json === true ? `${JSON.stringify({ token, ...body })}\n` : `${token}\n`,
  );
  return EXIT.done;
};
