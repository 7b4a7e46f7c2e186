import { elementAt } from '../../invariants/must.ts';
import { runAnswer } from '../actions/run-answer.ts';
import type { RunCommand } from '../context/command.ts';
import { sourceName } from '../options/open-input.ts';
import { readText } from '../options/read-text.ts';

/** `quern sql`: runs SQL from the command line, a file (`@FILE`) or standard input (`-`). */
export const run: RunCommand = async (context, { args, options }) => {
  const given = elementAt(args, 0);
  if (given !== '-' && !given.startsWith('@')) {
    return runAnswer(context, { kind: 'text', source: { name: 'sql', text: given } }, options);
  }
  const name = given === '-' ? '-' : given.slice(1);
  const source = { name: sourceName(name), text: await readText(context, name) };
  return runAnswer(context, { kind: 'text', source }, options);
};
