import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { explainRefusal } from '../explain-refusal.ts';
import { readExpiry } from '../read-expiry.ts';
import { UsageError } from '../usage-error.ts';
import { withWorkspace } from '../with-workspace.ts';

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
