import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { askWhether, canAsk } from '../terminal/prompts.ts';

/** A question that a command asks before it acts. */
interface Confirmation {
  readonly question: string;
  /** What did not happen, for example `not applied`. */
  readonly undone: string;
}

/** Asks on a terminal. Throws a UsageError without a terminal, which suggests `--yes`. */
export async function confirm(context: CliContext, { question, undone }: Confirmation): Promise<boolean> {
  if (canAsk(context)) return askWhether(question, context);
  throw new UsageError(`${undone}: without a terminal, confirm with --yes`);
}
