import { setTimeout as sleep } from 'node:timers/promises';
import { flagOf } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { openInBrowser } from '../terminal/open-browser.ts';

/** How often a starting server is asked again for its address, and how many times. */
const START = { everyMs: 100, attempts: 100 };

interface ConsoleOptions {
  /** Whether to open a browser. */
  readonly opens: boolean;
  /** The path of a script to open and to run. */
  readonly script: string | undefined;
}

/**
 * Signs the owner in at the server of a home: opens the file that does so in a browser, or prints its path. Returns false
 * without a server. Throws a UsageError for a server that does not listen on this machine's loopback address.
 */
export async function openConsole(
  context: CliContext,
  home: string,
  { opens, script }: ConsoleOptions,
): Promise<boolean> {
  const file = await askForFile(home, script);
  if (file === null) return false;
  const isOpened = opens && (await openInBrowser(file));
  if (isOpened) {
    await context.notices.write('opened the console in a browser\n');
    return true;
  }
  const reason = opens ? 'no browser could be started: ' : '';
  await context.stderr.write(`${reason}open this file in a browser on this machine within 15 minutes\n`);
  await context.stdout.write(`${file}\n`);
  return true;
}

async function askForFile(home: string, script: string | undefined): Promise<string | null> {
  const { askServer } = await import('../../workspace/services/call-server.ts');
  const { homeAt } = await import('../../workspace/home/home.ts');
  for (let attempt = 0; attempt < START.attempts; attempt += 1) {
    const file = await askServer(homeAt(home), 'sign-in-file', { input: { script } });
    if (file === null) return null;
    if (file.path !== null) return file.path;
    if (file.url !== null) throw notOnLoopback(file.url);
    await sleep(START.everyMs);
  }
  throw new UsageError('the server of this home does not listen yet: try again', EXIT.unreachable);
}

function notOnLoopback(url: string): UsageError {
  const { host } = SETTINGS;
  return new UsageError(`the server listens on ${url} only: serve with ${flagOf(host)} 127.0.0.1`);
}
