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
  const { connectToServer } = await import('../../workspace/services/server-connection.ts');
  const { homeAt } = await import('../../workspace/home/home.ts');
  for (let attempt = 0; attempt < START.attempts; attempt += 1) {
    const server = await connectToServer(homeAt(home));
    if (server === null) return null;
    if (server.url !== null) {
      const url = toLoopbackUrl(server.url);
      if (url === null) server.leave();
      if (url === null) throw notOnLoopback(server.url);
      const file = await server.ask({ kind: 'sign-in-file', url, script });
      if (file === null) throw new UsageError('the home has no active administrator', EXIT.failed);
      return file;
    }
    server.leave();
    await sleep(START.everyMs);
  }
  throw new UsageError('the server of this home does not listen yet: try again', EXIT.unreachable);
}

/** The address of a server at the loopback interface; null if it does not listen there. */
function toLoopbackUrl(address: string): string | null {
  const url = new URL(address);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.hostname === '[::1]' || url.hostname.startsWith('127.') ? url.origin : null;
}

function notOnLoopback(url: string): UsageError {
  const { host } = SETTINGS;
  return new UsageError(
    `the server listens on ${url} only, and \`quern ui\` needs a loopback address: serve with ${flagOf(host)} 127.0.0.1, or with ${flagOf(host)} 0.0.0.0 for all addresses`,
  );
}
