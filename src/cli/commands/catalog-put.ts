import path from 'node:path';
import { elementAt } from '../../invariants/must.ts';
import { findItem, hasChildren } from '../actions/find-item.ts';
import { putAsset } from '../actions/put-asset.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { isDescriptor } from '../options/open-input.ts';
import { readText } from '../options/read-text.ts';
import { printStored } from '../print/print-stored.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern catalog put`: stores a file or standard input as an asset. */
export const run: RunCommand<'catalog put'> = async (context, { args, options }) => {
  const [file, target] = [elementAt(args, 0), elementAt(args, 1)];
  const content = await readText(context, file, 'exact');
  const { ifMatch, description } = options;
  const stored = await withWorkspace(context, (workspace) => {
    const item = findItem(workspace, target);
    const isInto = target.endsWith('/') || (item !== undefined && hasChildren(item.body));
    if (isInto && isDescriptor(file)) throw new UsageError(`${target} is a folder: name the asset in it`);
    const full = isInto ? `${target.replace(/\/$/, '')}/${path.basename(file)}` : target;
    return putAsset(workspace, full, content, {
      ...(ifMatch === undefined ? {} : { ifMatch }),
      ...(description === undefined ? {} : { description }),
    });
  });
  await printStored(context, stored, options.json);
  return EXIT.done;
};
