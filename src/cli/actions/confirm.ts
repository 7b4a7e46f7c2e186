import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { askWhether, canAsk } from '../terminal/prompts.ts';

/** What a command asks before it does something. */
interface Confirmation {
  readonly question: string;
  /** Says that nothing happened, as in `nothing was applied`. */
  readonly undone: string;
  /** What `--yes` does without a question, as in `apply`. */
  readonly verb: string;
}

/** Asks on a terminal. Throws a UsageError without one: `--yes` is the way then. */
export async function confirm(
  context: CliContext,
  { question, undone, verb }: Confirmation,
): Promise<boolean> {
  if (canAsk(context)) return askWhether(question, context);
  throw new UsageError(
    `${undone}, because there is no terminal to confirm it on: pass \`--yes\` to ${verb} without a question`,
  );
}
