import type { TokenBody } from '../../workspace/api/accounts-api.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';
import { printColumns } from '../terminal/print-columns.ts';

/** `quern token ls`: names of tokens, how they begin and end, until when they are good; or whole records. */
export const run: RunCommand<'token ls'> = async (context, { options }) => {
  const owner = options.user;
  const data = await withWorkspace(context, ({ accounts }) => accounts.tokens.list(owner));
  const text = options.json ? `${JSON.stringify({ data })}\n` : printColumns(data.map(toRow));
  await context.stdout.write(text);
  return EXIT.done;
};

function toRow(token: TokenBody): string[] {
  const { name, first8, last4, read_only, expires_at, last_used_at, description } = token;
  return [
    name,
    `${first8}…${last4}`,
    read_only ? 'read only' : 'read and write',
    expires_at === null ? 'never expires' : `expires ${expires_at}`,
    last_used_at === null ? 'never used' : `used ${last_used_at}`,
    description,
  ];
}
