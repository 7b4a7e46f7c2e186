import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** A process that waits for a command. */
export interface Child {
  readonly process: ChildProcess;
  /** Starts its work; returns the outcome that it prints, or undefined when it dies first. */
  go(): Promise<unknown>;
  /** As `go`, with another command, for processes that have several. */
  tell(word: string): Promise<unknown>;
}

/** Starts `script` with these arguments, and waits until it is ready. It is killed when the test has finished. */
export async function startChild(script: URL, ...args: string[]): Promise<Child> {
  const child = spawn(process.execPath, ['--no-warnings', fileURLToPath(script), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  const tell = async (word: string) => {
    child.stdin.write(`${word}\n`);
    const line = await lines.next();
    return line.done ? undefined : JSON.parse(line.value);
  };
  return { process: child, go: () => tell('go'), tell };
}

/** Starts a child for each list of arguments, and starts their work together. */
export async function runTogether(script: URL, ...args: string[][]): Promise<unknown[]> {
  const children = await Promise.all(args.map((each) => startChild(script, ...each)));
  return Promise.all(children.map((child) => child.go()));
}

/** Runs one child until it ends. */
export async function runChild(script: URL, ...args: string[]): Promise<unknown> {
  const child = await startChild(script, ...args);
  const ended = once(child.process, 'exit');
  const outcome = await child.go();
  await ended;
  return outcome;
}
