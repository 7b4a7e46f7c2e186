import { runAnswer } from '../actions/run-answer.ts';
import { readSql } from '../options/read-sql.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern sql`: runs SQL from the argument, a file (`--file`) or standard input (`-`). */
export const run: RunCommand<'sql'> = async (context, { args, options }) =>
  runAnswer(context, { kind: 'sql', source: await readSql(context, args[0], options.file) }, options);
