import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';

/**
 * Runs a command that works on the files of the home without a user; `home` is its folder, which may be missing. An
 * interrupted command prints nothing.
 */
export async function withHomeFiles(
  context: CliContext,
  work: (home: string) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (context.as !== undefined)
    throw new UsageError('this command works on the files of the home: omit --as');
  const { findHome } = await import('../../workspace/home/find-home.ts');
  try {
    return await work(findHome({ ...context, flag: context.home }));
  } catch (error) {
    if (context.signal.aborted) return EXIT.failed;
    throw error;
  }
}
