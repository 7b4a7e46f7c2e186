import { readNamedFormat } from '../options/run-options.ts';
import { runRepl } from '../repl/run-repl.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern repl`: starts an interactive session. */
export const run: RunCommand<'repl'> = async (context, { options }) =>
  runRepl(context, { ...options, format: readNamedFormat(options) });
