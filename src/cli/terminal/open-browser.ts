import { spawn } from 'node:child_process';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long an opener that keeps running may report a failure, in milliseconds. */
const FAILURE_MS = 3_000;

/** Opens a file with the program for it, without a shell. Returns false if that program is missing or fails. */
export async function openInBrowser(file: string): Promise<boolean> {
  const child = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [file], {
    stdio: 'ignore',
    detached: true,
  });
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
  child.unref();
  const settled = new AbortController();
  try {
    // Some openers run as long as the browser does.
    return await Promise.race([ended, sleep(FAILURE_MS, true, { signal: settled.signal })]);
  } finally {
    settled.abort();
  }
}
