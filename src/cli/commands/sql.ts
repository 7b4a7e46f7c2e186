import { runAnswer } from '../actions/run-answer.ts';
import { readBind } from '../options/read-bind.ts';
import { readSql } from '../options/read-sql.ts';
import { readNamedFormat } from '../options/run-options.ts';
import { runRepl } from '../repl/run-repl.ts';
import type { OptionsOf, RunCommand } from '../table/commands.ts';

/** Whether options are about a text, so that no session starts. */
function hasText({ file, bind, bindFile }: Pick<OptionsOf<'sql'>, 'file' | 'bind' | 'bindFile'>): boolean {
  return file !== undefined || bind.length > 0 || bindFile !== undefined;
}

/** `quern sql`: runs SQL from the argument, a file (`--file`) or standard input; on a terminal, without these, a session. */
export const run: RunCommand<'sql'> = async (context, { args, options }) => {
  const isSession =
    args.length === 0 && !hasText(options) && context.stdin.isTTY && context.stdout.isTerminal;
  if (isSession) return runRepl(context, { ...options, format: readNamedFormat(options) });
  const given = { argument: args[0], file: options.file, connection: options.connection };
  const bind = await readBind(context, options);
  return runAnswer(context, { kind: 'sql', source: await readSql(context, given), bind }, options);
};
