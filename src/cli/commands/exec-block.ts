import { runAnswer } from '../actions/run-answer.ts';
import { readArguments } from '../options/run-options.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern exec-block`: runs one block or test of a package. */
export const run: RunCommand<'exec-block'> = async (context, { args, options }) => {
  const [name = '', block = ''] = args;
  const values = readArguments(options.arg);
  const disk = name.startsWith('@') ? null : { cwd: context.cwd, projects: options.project };
  const target = { kind: 'block', package: name, block, args: values, disk } as const;
  return runAnswer(context, target, options);
};
