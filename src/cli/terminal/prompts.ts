import type { CliContext } from '../context.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Asks for a new password twice, without showing it; empty is none. `findFault` says what is wrong with an
 * answer. Call it on a terminal only.
 */
export async function askNewPassword(
  question: string,
  findFault: (password: string) => string | null,
  { signal, stdin, interrupt }: Pick<CliContext, 'signal' | 'stdin' | 'interrupt'>,
): Promise<string | null> {
  const { password } = await import('@inquirer/prompts');
  // Questions are not data: they go to standard error.
  const where = { signal, input: stdin, output: process.stderr };
  const validate = (answer: string) => answer === '' || (findFault(answer) ?? true);
  try {
    const first = await password({ message: `${question} (empty for none):`, mask: true, validate }, where);
    if (first === '') return null;
    const isSame = (answer: string) => answer === first || 'the two passwords differ';
    await password({ message: 'Again:', mask: true, validate: isSame }, where);
    return first;
  } catch (error) {
    if (!(error instanceof Error) || !/^(Exit|Abort)Prompt/.test(error.name)) throw error;
    interrupt();
    throw new UsageError('interrupted; nothing was made');
  }
}
