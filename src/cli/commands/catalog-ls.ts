import { isFolder } from '../actions/find-item.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';
import { printColumns } from '../terminal/print-columns.ts';

/** `quern catalog ls`: the children of a folder, folders with a slash behind their name. */
export const run: RunCommand<'catalog ls'> = async (context, { args, options }) => {
  const list = await withWorkspace(context, ({ catalog }) => catalog.list(args[0]));
  if (options.json) {
    await context.stdout.write(`${JSON.stringify(list)}\n`);
    return EXIT.done;
  }
  const rows = list.data.map((entry) => {
    const name = isFolder(entry) ? `${entry.name}/` : entry.name;
    return options.long ? [entry.type, entry.updated_at, name] : [name];
  });
  await context.stdout.write(printColumns(rows));
  return EXIT.done;
};
