import { homedir } from 'node:os';
import { runCommandLine } from './command-line.ts';
import { UsageError } from './context/errors.ts';
import { watchInterrupts } from './interrupt.ts';

const { finish, ...interrupts } = watchInterrupts();

function readCwd(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError('the current folder cannot be read: change to another');
  }
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  get cwd() {
    return readCwd();
  },
  userHome: homedir(),
  outputs: { stdout: 1, stderr: 2 },
  interrupts,
  get stdin() {
    return process.stdin;
  },
});
finish();
