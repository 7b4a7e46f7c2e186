import type { TokenBody } from '../../workspace/api/accounts-api.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { RunCommand } from '../context/command.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printColumns } from '../terminal/print-columns.ts';

/** `quern token ls`: names of tokens, how they begin and end, until when they are good; or whole records. */
export const run: RunCommand = async (context, { options }) => {
  const owner = typeof options.user === 'string' ? options.user : undefined;
  const data = await withWorkspace(context, ({ accounts }) => accounts.tokens.list(owner));
  const text = options.json === true ? `${JSON.stringify({ data })}\n` : printColumns(data.map(toRow));
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
