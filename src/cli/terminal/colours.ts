import { Chalk, type ChalkInstance } from 'chalk';
import type { CliContext } from '../context/context.ts';

/** Colours for standard error; disabled without a terminal or if `NO_COLOR` is set. */
export function coloursOf(context: Pick<CliContext, 'env' | 'stderr'>): ChalkInstance {
  return new Chalk({ level: context.stderr.isTerminal && !context.env.NO_COLOR ? 1 : 0 });
}
