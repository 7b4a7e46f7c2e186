import { runAnswer } from '../actions/run-answer.ts';
import type { RunCommand } from '../context/command.ts';
import { listTexts } from '../context/command.ts';
import { readArguments } from '../options/run-options.ts';

/** `quern exec-block`: runs one block or test of a package. */
export const run: RunCommand = async (context, { args, options }) => {
  const [name = '', block = ''] = args;
  const given = readArguments(options.arg);
  const disk = name.startsWith('@') ? null : { cwd: context.cwd, projects: listTexts(options.project) };
  const target = { kind: 'block', package: name, block, args: given, disk } as const;
  return runAnswer(context, target, options);
};
