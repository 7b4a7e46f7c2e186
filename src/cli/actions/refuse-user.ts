import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';

/** Refuses `--as` where it would have no effect; `why` says so. Throws a UsageError. */
export function refuseUser({ as }: Pick<CliContext, 'as'>, why: string): void {
  if (as !== undefined) throw new UsageError(`--as ${as} has no effect here: ${why}`);
}
