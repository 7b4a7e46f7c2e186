import { refuseUser } from '../actions/refuse-user.ts';
import { ScriptError, UsageError } from '../context/errors.ts';
import { writeConverted } from '../print/write-converted.ts';
import type { OptionsOf, RunCommand } from '../table/commands.ts';

/** `quern semantic import`: a model of another tool as one of ours, and everything that is lost on the way. */
export const run: RunCommand<'semantic import'> = async (context, { args, options }) => {
  refuseUser(context, 'files are read and written without a home');
  const { IMPORT_FORMATS, importModels, PLATFORMS } = await import('../../workspace/models/import-models.ts');
  const from = readChoice(options, 'from', IMPORT_FORMATS);
  if (from === undefined) throw new UsageError(`--from is required: ${IMPORT_FORMATS.join(', ')}`);
  const platform = readChoice(options, 'platform', PLATFORMS);
  const outcome = importModels({ from, paths: args, cwd: context.cwd, platform });
  if (outcome.status === 'done') return writeConverted(context, outcome.value, options);
  if (outcome.code === 'usage') throw new UsageError(outcome.message);
  throw new ScriptError(outcome.message, outcome.diagnostics);
};

/** The value of an option that takes one of some words. */
function readChoice<T extends string>(
  options: OptionsOf<'semantic import'>,
  name: 'from' | 'platform',
  words: readonly T[],
): T | undefined {
  const given = options[name];
  const found = words.find((word) => word === given);
  if (given !== undefined && found === undefined) {
    throw new UsageError(`--${name} must be one of ${words.join(', ')}, not ${given}`);
  }
  return found;
}
