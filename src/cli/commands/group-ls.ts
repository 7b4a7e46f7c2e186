import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';
import { printColumns } from '../terminal/print-columns.ts';

/** `quern group ls`: names and members, or whole records. */
export const run: RunCommand<'group ls'> = async (context, { options }) => {
  const data = await withWorkspace(context, ({ accounts }) => accounts.groups.list());
  const rows = data.map(({ name, members, display_name }) => [name, members.join(', '), display_name]);
  await context.stdout.write(options.json ? `${JSON.stringify({ data })}\n` : printColumns(rows));
  return EXIT.done;
};
