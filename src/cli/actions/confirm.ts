import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { askWhether, canAsk } from '../terminal/prompts.ts';

/** A question that a command asks before it acts. */
interface Confirmation {
  readonly question: string;
  /** A sentence that nothing happened, for example `nothing was applied`. */
  readonly undone: string;
  /** The action of `--yes`, for example `apply`. */
  readonly verb: string;
}

/** Asks on a terminal. Throws a UsageError without a terminal, which suggests `--yes`. */
export async function confirm(
  context: CliContext,
  { question, undone, verb }: Confirmation,
): Promise<boolean> {
  if (canAsk(context)) return askWhether(question, context);
  throw new UsageError(
    `${undone}, because there is no terminal to confirm it on: pass \`--yes\` to ${verb} without a question`,
  );
}
