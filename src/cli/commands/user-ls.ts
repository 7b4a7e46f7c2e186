import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';
import { printColumns } from '../terminal/print-columns.ts';

/** `quern user ls`: names, roles and e-mail addresses, or whole records. */
export const run: RunCommand<'user ls'> = async (context, { options }) => {
  const data = await withWorkspace(context, ({ accounts }) => accounts.users.list());
  const rows = data.map((user) => [
    user.user_name,
    user.active ? user.role : `${user.role} (disabled)`,
    user.email ?? '',
    user.display_name,
  ]);
  await context.stdout.write(options.json ? `${JSON.stringify({ data })}\n` : printColumns(rows));
  return EXIT.done;
};
