import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readExpiry } from '../options/read-expiry.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern token create`: creates a token and prints only the token, once. */
export const run: RunCommand<'token create'> = async (context, { options }) => {
  const { name, user, description, expires } = options;
  if (name === undefined) throw new UsageError('missing `--name NAME`: the purpose of the token');
  const fields = {
    name,
    owner: user,
    description,
    scope: options.scope,
    // Left out: `--scope read` has the same meaning.
    readOnly: options.readOnly || undefined,
    expiresAt: expires === undefined ? undefined : readExpiry(expires, new Date()),
  };
  const { token, body } = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.tokens.create(principal, fields),
  ).catch(explainError);
  if (expires === undefined && body.expires_at !== null) {
    await context.notices.write(
      `the token expires on ${body.expires_at.slice(0, 10)}; --expires sets another day or \`never\`\n`,
    );
  }
  await context.stdout.write(options.json ? `${JSON.stringify({ token, ...body })}\n` : `${token}\n`);
  return EXIT.done;
};
