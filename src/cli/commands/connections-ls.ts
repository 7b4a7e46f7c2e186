import { withWorkspace } from '../actions/with-workspace.ts';
import type { RunCommand } from '../context/command.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printColumns } from '../terminal/print-columns.ts';

/** `quern connections ls`: names, kinds and descriptions, or whole records without secrets. */
export const run: RunCommand = async (context, { options }) => {
  const data = await withWorkspace(context, ({ connections }) => connections.list());
  const rows = data.map(({ name, kind, description }) => [name, kind, description]);
  const text = options.json === true ? `${JSON.stringify({ data })}\n` : printColumns(rows);
  await context.stdout.write(text);
  return EXIT.done;
};
