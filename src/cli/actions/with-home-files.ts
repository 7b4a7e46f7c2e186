import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';

/**
 * Runs a command that works on the files of the home, whoever its users are; `home` is its folder, which need not be
 * there. An interrupted one ends in silence.
 */
export async function withHomeFiles(
  context: CliContext,
  work: (home: string) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (context.as !== undefined) throw new UsageError('this works on the files of the home: leave --as out');
  const { findHome } = await import('../../workspace/home/find-home.ts');
  try {
    return await work(findHome({ ...context, flag: context.home }));
  } catch (error) {
    if (context.signal.aborted) return EXIT.failed;
    throw error;
  }
}
