import { refuseUser } from '../actions/refuse-user.ts';
import { UsageError } from '../context/errors.ts';
import { readChoice } from '../options/read-choice.ts';
import { writeConverted } from '../print/write-converted.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern semantic import`: converts a model of another tool, and prints import warnings. */
export const run: RunCommand<'semantic import'> = async (context, { args, options }) => {
  refuseUser(context, 'files are read and written without a home');
  const { importModels } = await import('../../workspace/models/import-models.ts');
  const { IMPORT_FORMATS } = await import('../../semantic/import/import-model.ts');
  const { PLATFORMS } = await import('../../semantic/model/model.ts');
  const from = readChoice('--from', options.from, IMPORT_FORMATS);
  if (from === undefined) throw new UsageError(`--from is required: ${IMPORT_FORMATS.join(', ')}`);
  const platform = readChoice('--platform', options.platform, PLATFORMS);
  const imported = importModels({ from, paths: args, cwd: context.cwd, platform });
  return writeConverted(context, imported, options);
};
