import type { CliContext } from './context.ts';
import { makeHome } from './make-home.ts';

/** The folder of the home that a command works on; a missing home is made first. */
export async function findOrMakeHome(context: CliContext): Promise<string> {
  const { findHome } = await import('../workspace/find-home.ts');
  const { hasHome } = await import('../workspace/create-home.ts');
  const home = findHome({ ...context, flag: context.home });
  if (!hasHome(home)) await makeHome(context, home, 'admin', undefined);
  return home;
}
