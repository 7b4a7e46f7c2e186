import type { RunCommand } from '../command.ts';
import { readText, sourceName } from '../read-text.ts';
import { runAnswer } from '../run-answer.ts';

/** `quern exec`: runs a script of the catalog, a file or standard input. */
export const run: RunCommand = async (context, { args, options }) => {
  const name = args[0]!;
  if (name.startsWith('@')) return runAnswer(context, { kind: 'asset', path: name }, options);
  const source = { name: sourceName(name), text: await readText(context, name) };
  return runAnswer(context, { kind: 'text', source }, options);
};
