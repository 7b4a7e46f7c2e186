import { homedir } from 'node:os';
import { readVersion } from '../workspace/home/package-root.ts';
import type { CliContext } from './context/context.ts';
import { UsageError } from './context/errors.ts';
import { EXIT, type ExitCode } from './context/exit-codes.ts';
import { openOutput } from './context/output.ts';
import { watchInterrupts } from './interrupt.ts';
import { type GlobalOptions, runProgram } from './program.ts';

const interrupts = watchInterrupts();
const stdout = openOutput(1, { overlap: true, isVital: true, isForPeople: false });
const stderr = openOutput(2, { overlap: false, isVital: false, isForPeople: true });

const version = readVersion();

function readCwd(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError('the current folder does not exist or cannot be read: change to another folder');
  }
}

const SILENT: CliContext['notices'] = { write: async () => {}, isTerminal: false };

function makeContext({ home, as, quiet }: GlobalOptions): CliContext {
  const { signal, onExit, interrupt, endAtSignal } = interrupts;
  return {
    env: process.env,
    get cwd() {
      return readCwd();
    },
    userHome: homedir(),
    home,
    as,
    stdout,
    stderr,
    notices: quiet === true ? SILENT : stderr,
    signal,
    onExit,
    interrupt,
    endAtSignal,
    version,
    get stdin() {
      return process.stdin;
    },
  };
}

/** A reader that closes the pipe early (`| head`) is not an error. */
function ignoreClosedPipe(error: unknown): void {
  if (!stdout.isBroken) throw error;
}

async function main(): Promise<ExitCode> {
  try {
    const code = await runProgram(process.argv.slice(2), version, makeContext);
    await stdout.flush().catch(ignoreClosedPipe);
    return code;
  } catch (error) {
    if (stdout.isBroken) return EXIT.done;
    const { reportError } = await import('./print/report-error.ts');
    return reportError(error, makeContext({}));
  }
}

process.exitCode = await main();
await stderr.flush();
interrupts.finish();
