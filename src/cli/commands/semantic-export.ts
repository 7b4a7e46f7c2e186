import { elementAt } from '../../invariants/must.ts';
import { withModel } from '../actions/with-model.ts';
import { UsageError } from '../context/errors.ts';
import { writeConverted } from '../print/write-converted.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern semantic export`: exports a model as an Apache Ossie document, and lists what the format cannot express. */
export const run: RunCommand<'semantic export'> = async (context, { args, options }) => {
  if (options.to !== undefined && options.to !== 'ossie') {
    throw new UsageError(`--to must be ossie, not ${options.to}`);
  }
  const { text, losses } = await withModel(
    context,
    elementAt(args, 0),
    options,
    (semantic, principal, target) => semantic.toOssie(principal, target),
  );
  return writeConverted(context, { text, layers: [{ name: 'ossie', text }], losses }, options);
};
