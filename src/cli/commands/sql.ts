import { runAnswer } from '../actions/run-answer.ts';
import { readSql } from '../options/read-sql.ts';
import { readNamedFormat } from '../options/run-options.ts';
import { runRepl } from '../repl/run-repl.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern sql`: runs SQL from the argument, a file (`--file`) or standard input; on a terminal, without these, a session. */
export const run: RunCommand<'sql'> = async (context, { args, options }) => {
  const isSession =
    args.length === 0 && options.file === undefined && context.stdin.isTTY && context.stdout.isTerminal;
  if (isSession) return runRepl(context, { ...options, format: readNamedFormat(options) });
  const given = { argument: args[0], file: options.file, connection: options.connection };
  return runAnswer(context, { kind: 'sql', source: await readSql(context, given) }, options);
};
