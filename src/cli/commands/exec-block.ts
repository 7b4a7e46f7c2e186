import { runAnswer } from '../actions/run-answer.ts';
import type { RunCommand } from '../context/command.ts';
import { listTexts } from '../context/command.ts';
import { readArguments } from '../options/run-options.ts';

/** `quern exec-block`: runs one block or test of a package. */
export const run: RunCommand = async (context, { args, options }) => {
  const [name = '', block = ''] = args;
  const projects = listTexts(options.project);
  const given = readArguments(options.arg);
  const place = name.startsWith('@') ? 'catalog' : 'disk';
  const { cwd } = context;
  const target = { kind: 'block', place, package: name, block, args: given, cwd, projects } as const;
  return runAnswer(context, target, options);
};
