import path from 'node:path';
import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { findItem, isFolder } from '../find-item.ts';
import { isDescriptor } from '../open-input.ts';
import { printStored } from '../print-stored.ts';
import { putAsset } from '../put-asset.ts';
import { readText } from '../read-text.ts';
import { UsageError } from '../usage-error.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern catalog put`: stores a file or standard input as an asset. */
export const run: RunCommand = async (context, { args, options }) => {
  const [file, target] = args as [string, string];
  const content = await readText(context, file, 'exact');
  const { ifMatch, description } = options;
  const stored = await withWorkspace(context, async (workspace) => {
    const found = await findItem(workspace.catalog, target);
    const isInto = target.endsWith('/') || (found !== undefined && isFolder(found.body));
    if (isInto && isDescriptor(file)) throw new UsageError(`${target} is a folder: name the asset in it`);
    const full = isInto ? `${target.replace(/\/$/, '')}/${path.basename(file)}` : target;
    return putAsset(workspace, full, content, {
      ...(typeof ifMatch === 'string' ? { ifMatch } : {}),
      ...(typeof description === 'string' ? { description } : {}),
    });
  });
  await printStored(context, stored, options.json === true);
  return EXIT.done;
};
