import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { isFolder } from '../find-item.ts';
import { printColumns } from '../terminal/print-columns.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern catalog ls`: the children of a folder, folders with a slash behind their name. */
export const run: RunCommand = async (context, { args, options }) => {
  const list = await withWorkspace(context, ({ catalog }) => catalog.list(args[0]));
  if (options.json === true) {
    await context.stdout.write(`${JSON.stringify(list)}\n`);
    return EXIT.done;
  }
  const rows = list.data.map((entry) => {
    const name = isFolder(entry) ? `${entry.name}/` : entry.name;
    return options.long === true ? [entry.type, entry.updated_at, name] : [name];
  });
  await context.stdout.write(printColumns(rows));
  return EXIT.done;
};
