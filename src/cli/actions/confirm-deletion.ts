import type { CliContext } from '../context/context.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';
import { confirm } from './confirm.ts';

/** A requested deletion. */
interface Deletion {
  /** Its name within a sentence, for example `the user ada`. */
  readonly what: string;
  /** A sentence about further items that are deleted or kept. */
  readonly consequence?: string;
  /** Deletes it and returns its description. */
  readonly run: () => Promise<string> | string;
}

/**
 * Deletes an item and prints its description. Asks first on a terminal, unless `--yes` is given. Throws a UsageError
 * without a terminal and without `--yes`; then nothing is deleted.
 */
export async function confirmDeletion(
  context: CliContext,
  isSure: boolean,
  { what, consequence, run }: Deletion,
): Promise<ExitCode> {
  if (!isSure) {
    const question = [`Delete ${what}?`, consequence].filter(Boolean).join(' ');
    if (!(await confirm(context, { question, undone: 'not deleted' }))) {
      await context.notices.write('nothing was deleted\n');
      return EXIT.failed;
    }
  }
  await context.notices.write(`deleted ${await run()}\n`);
  return EXIT.done;
}
