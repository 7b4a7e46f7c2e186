import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';

/** The folder of a command's home. Throws a UsageError if it does not exist. */
export async function findHomeInUse(context: CliContext): Promise<string> {
  const { findHome, isHomeNamed } = await import('../../workspace/home/find-home.ts');
  const { hasHome } = await import('../../workspace/setup/create-home.ts');
  const search = { ...context, flag: context.home };
  const home = findHome(search);
  if (hasHome(home)) return home;
  if (!isHomeNamed(search)) throw new UsageError('no home here: run `quern init`');
  const { explainMissingHome } = await import('../../workspace/home/explain-missing-home.ts');
  throw new UsageError(explainMissingHome(home));
}
