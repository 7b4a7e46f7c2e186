import type { CliContext } from '../context/context.ts';
import { sourceName } from './open-input.ts';
import { readText } from './read-text.ts';

/** SQL from the command line, a file (`@FILE`) or standard input (`-`). */
export async function readSql(
  context: CliContext,
  given: string,
): Promise<{ readonly name: string; readonly text: string }> {
  if (given !== '-' && !given.startsWith('@')) return { name: 'sql', text: given };
  const name = given === '-' ? '-' : given.slice(1);
  return { name: sourceName(name), text: await readText(context, name) };
}
