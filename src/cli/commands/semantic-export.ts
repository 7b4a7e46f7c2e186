import type { RunCommand } from '../command.ts';
import { UsageError } from '../usage-error.ts';
import { withModel } from '../with-model.ts';
import { writeConverted } from '../write-converted.ts';

/** `quern semantic export`: a model as a document of Apache Ossie, and everything that has no words there. */
export const run: RunCommand = async (context, { args, options }) => {
  if (options.to !== undefined && options.to !== 'ossie') {
    throw new UsageError(`--to must be ossie, not ${String(options.to)}`);
  }
  const { text, losses } = await withModel(context, args[0]!, options, (semantic, target) =>
    semantic.toOssie(target),
  );
  return writeConverted(context, { text, layers: [{ name: 'ossie', text }], losses }, options);
};
