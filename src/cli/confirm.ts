import type { CliContext } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { askWhether, canAsk } from './terminal/prompts.ts';

/** Removes something; asks first where somebody can be asked, unless `--yes` was given. */
export async function confirmRemoval(
  context: CliContext,
  question: string,
  isSure: boolean,
  remove: () => Promise<void>,
): Promise<ExitCode> {
  if (!isSure && canAsk(context) && !(await askWhether(question, context))) {
    await context.stderr.write('nothing was removed\n');
    return EXIT.failed;
  }
  await remove();
  return EXIT.done;
}
