import { Chalk, type ChalkInstance } from 'chalk';
import type { CliContext } from '../context/context.ts';

/** Colours for an output, standard error by default; disabled without a terminal or if `NO_COLOR` is set. */
export function coloursOf(
  context: Pick<CliContext, 'env' | 'stderr'>,
  output: Pick<CliContext['stderr'], 'isTerminal'> = context.stderr,
): ChalkInstance {
  return new Chalk({ level: output.isTerminal && !context.env.NO_COLOR ? 1 : 0 });
}
