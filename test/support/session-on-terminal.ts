import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { onTestFailed, onTestFinished } from 'vitest';

const bin = path.resolve(import.meta.dirname, '../../bin/quern.js');

/** Keys to type, or work to do, after a text has appeared on the screen, after the previous text. */
export type Step = readonly [seen: string, keys: string | ((write: Write) => Promise<unknown>)];

type Write = (keys: Uint8Array) => void;

interface SessionOptions {
  readonly args?: string;
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether a shell starts the session, so that Ctrl-Z stops it; its prompt is `shell> `. */
  readonly hasShell?: boolean;
}

/** A text without control sequences, and without lines of progress, which are erased again. */
function readScreen(sent: string): string {
  return (
    sent
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequence that erases a line
      .replaceAll(/\r\u001b\[K[^\r\n]*(?=\r\u001b\[K)/g, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences that move the cursor
      .replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '')
      .replaceAll('\r\n', '\n')
  );
}

/** Runs a session on a terminal; returns the screen without control sequences, as it was sent, and the exit code. */
export async function runSession(
  cwd: string,
  steps: readonly Step[],
  { args = 'repl', columns = 100, env = {}, hasShell = false }: SessionOptions = {},
): Promise<{ readonly screen: string; readonly sent: string; readonly code: number | null }> {
  const session = `"${process.execPath}" "${bin}" ${args}`;
  const start = hasShell ? 'PS1="shell> " exec bash --norc --noprofile --noediting -i' : `exec ${session}`;
  const command = `stty rows 50 cols ${columns}; ${start}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...process.env, HOME: cwd, QUERN_HOME: '', NO_COLOR: '1', PAGER: 'cat', ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [sent, screen, from] = ['', '', 0];
  const left = [...steps];
  let isBusy = false;
  onTestFailed(() => console.error('waiting for', left[0]?.[0], 'after', screen.slice(-500)));
  const proceed = async () => {
    while (!isBusy && left.length > 0) {
      const [seen, keys] = left[0]!;
      const at = screen.indexOf(seen, from);
      if (at === -1) return;
      from = at + seen.length;
      left.shift();
      isBusy = true;
      if (typeof keys === 'string') child.stdin.write(keys);
      else await keys((part) => child.stdin.write(part));
      isBusy = false;
    }
  };
  if (hasShell) child.stdin.write(`${session}\n`);
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    sent += part;
    screen += readScreen(part);
    void proceed();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { screen: readScreen(sent), sent, code };
}
