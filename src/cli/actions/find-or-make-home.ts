import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { quoteArgument } from '../../errors/quote-argument.ts';
import type { CliContext } from '../context/context.ts';
import { makeHome } from './make-home.ts';

/**
 * The folder of a server's home. A missing home is created first, without a question; a message says how to undo that.
 */
export async function findOrMakeHome(context: CliContext): Promise<string> {
  const { findHome } = await import('../../workspace/home/find-home.ts');
  const { hasHome } = await import('../../workspace/setup/create-home.ts');
  const home = findHome({ ...context, flag: context.home });
  if (hasHome(home)) return home;
  const before = existsSync(home) ? readdirSync(home) : [];
  await makeHome(context, home, { userName: 'admin', email: undefined, mayAsk: false });
  await context.stderr.write(`${printUndoing(home, before)}\n`);
  return home;
}

/** Files that the server adds to a new home. */
const ADDED_LATER = ['queries.db', 'providers.db', 'serve.lock'];

/** Lists only new files, so that earlier files of the folder are kept. */
function printUndoing(home: string, before: readonly string[]): string {
  if (before.length === 0) return `to undo this, stop the server and run \`rm -r ${quoteArgument(home)}\``;
  const made = [...readdirSync(home), ...ADDED_LATER].filter((name) => !before.includes(name));
  const paths = made.map((name) => quoteArgument(path.join(home, name)));
  return `to undo this, stop the server and run \`rm -rf ${paths.join(' ')}\``;
}
