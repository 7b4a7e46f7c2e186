import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';
import { printColumns } from '../terminal/print-columns.ts';

/** `quern connection ls`: names, kinds and descriptions, or whole records without secrets. */
export const run: RunCommand<'connection ls'> = async (context, { options }) => {
  const data = await withWorkspace(context, ({ connections }) => connections.list());
  const rows = data.map(({ name, kind, description }) => [name, kind, description]);
  const text = options.json ? `${JSON.stringify({ data })}\n` : printColumns(rows);
  await context.stdout.write(text);
  return EXIT.done;
};
