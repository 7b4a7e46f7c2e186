import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { onTestFinished } from 'vitest';
import { waitUntil } from '../../support/waiting.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');

/** `quern ui` for a home without a server, until the test ends. */
export function startUi(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child: ChildProcess = spawn(process.execPath, [bin, 'ui', '--port', '0', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: cwd, QUERN_HOME: '', ...env },
  });
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  let text = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  return {
    text: () => text,
    /** Waits until it has printed this. */
    find: (pattern: RegExp) => waitUntil(() => pattern.exec(text)?.[1]),
    interrupt: async () => {
      child.kill('SIGINT');
      await closed;
      return child.exitCode;
    },
  };
}
