import type { CliContext } from '../context/context.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';
import { confirm } from './confirm.ts';

/** A deletion that a command is asked for. */
interface Deletion {
  /** Names it in a sentence, as in `the user ada`. */
  readonly what: string;
  /** What else is deleted or stays, a sentence. */
  readonly consequence?: string;
  /** Deletes it, and says in words what was deleted. */
  readonly run: () => Promise<string>;
}

/**
 * Deletes something and prints what was deleted. Asks first on a terminal, unless `--yes` was given. Throws a UsageError
 * without a terminal and without `--yes`; then nothing is deleted.
 */
export async function confirmDeletion(
  context: CliContext,
  isSure: boolean,
  { what, consequence, run }: Deletion,
): Promise<ExitCode> {
  if (!isSure) {
    const question = [`Delete ${what}?`, consequence].filter(Boolean).join(' ');
    if (!(await confirm(context, { question, undone: `${what} was not deleted`, verb: 'delete' }))) {
      await context.notices.write('nothing was deleted\n');
      return EXIT.failed;
    }
  }
  await context.notices.write(`deleted ${await run()}\n`);
  return EXIT.done;
}
