import { refuseUser } from '../actions/refuse-user.ts';
import { UsageError } from '../context/errors.ts';
import { writeConverted } from '../print/write-converted.ts';
import type { OptionsOf, RunCommand } from '../table/commands.ts';

/** `quern semantic import`: converts a model of another tool, and prints import warnings. */
export const run: RunCommand<'semantic import'> = async (context, { args, options }) => {
  refuseUser(context, 'files are read and written without a home');
  const { importModels } = await import('../../workspace/models/import-models.ts');
  const { IMPORT_FORMATS } = await import('../../semantic/import/import-model.ts');
  const { PLATFORMS } = await import('../../semantic/model/model.ts');
  const from = readChoice(options, 'from', IMPORT_FORMATS);
  if (from === undefined) throw new UsageError(`--from is required: ${IMPORT_FORMATS.join(', ')}`);
  const platform = readChoice(options, 'platform', PLATFORMS);
  const imported = importModels({ from, paths: args, cwd: context.cwd, platform });
  return writeConverted(context, imported, options);
};

/** The value of an option with a fixed set of values. */
function readChoice<T extends string>(
  options: OptionsOf<'semantic import'>,
  name: 'from' | 'platform',
  words: readonly T[],
): T | undefined {
  const text = options[name];
  const value = words.find((word) => word === text);
  if (text !== undefined && value === undefined) {
    throw new UsageError(`--${name} must be one of ${words.join(', ')}, not ${text}`);
  }
  return value;
}
