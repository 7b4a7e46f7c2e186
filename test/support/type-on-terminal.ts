import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { waitUntil } from './waiting.ts';

/** Whether commands can run on a terminal here. */
export const hasTerminal = spawnSync('script', ['--version']).status === 0 && process.platform === 'linux';

/** Keys, and the text of the prompt that they answer: a prompt discards keys that are typed before it appears. */
export type Typing = readonly (readonly [prompt: string, keys: string])[];

interface Terminal {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
}

/**
 * Runs a command of a shell on a terminal, and types keys after each prompt has appeared; returns the screen and the
 * exit code.
 */
export async function typeOnTerminal(
  command: string,
  { cwd, env, columns }: Terminal,
  typing: Typing,
): Promise<{ readonly screen: string; readonly code: number | null }> {
  const child = spawn('script', ['-qec', `stty cols ${columns}; exec ${command}`, '/dev/null'], {
    cwd,
    env: { ...process.env, HOME: cwd, QUERN_HOME: '', ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close');
  // The error of writing to a command that has ended.
  child.stdin.on('error', () => undefined);
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    screen += part;
  });
  let from = 0;
  for (const [prompt, keys] of typing) {
    await waitUntil(() => screen.includes(prompt, from) || child.exitCode !== null);
    from = screen.length;
    child.stdin.write(keys);
  }
  await closed;
  return { screen, code: child.exitCode };
}
