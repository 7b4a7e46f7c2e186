import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { printColumns } from '../terminal/print-columns.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern group ls`: names and members, or whole records. */
export const run: RunCommand = async (context, { options }) => {
  const data = await withWorkspace(context, ({ accounts }) => accounts.groups.list());
  const rows = data.map(({ name, members, display_name }) => [name, members.join(', '), display_name]);
  await context.stdout.write(options.json === true ? `${JSON.stringify({ data })}\n` : printColumns(rows));
  return EXIT.done;
};
