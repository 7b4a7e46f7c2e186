import { readVersion } from '../workspace/home/package-root.ts';
import type { CliContext } from './context/context.ts';
import { EXIT, type ExitCode } from './context/exit-codes.ts';
import { openOutput } from './context/output.ts';
import type { Interrupts } from './interrupt.ts';
import { type GlobalOptions, runProgram } from './program.ts';

/** What a command gets from the process that runs it. `cwd` and `stdin` are read when they are needed. */
export interface Host extends Pick<CliContext, 'env' | 'cwd' | 'userHome' | 'stdin'> {
  /** The file descriptors of standard output and standard error. */
  readonly outputs: { readonly stdout: number; readonly stderr: number };
  readonly interrupts: Omit<Interrupts, 'finish'>;
}

const SILENT: CliContext['notices'] = { write: async () => {}, isTerminal: false };

/** Runs the command that the arguments after `quern` name, prints its errors, and returns its exit code. */
export async function runCommandLine(argv: readonly string[], host: Host): Promise<ExitCode> {
  const { env, userHome, outputs, interrupts } = host;
  const { signal, onExit, interrupt, endAtSignal, endStuck } = interrupts;
  const stdout = openOutput(outputs.stdout, { overlap: true, isVital: true, isForPeople: false });
  const stderr = openOutput(outputs.stderr, { overlap: false, isVital: false, isForPeople: true });
  const version = readVersion();
  const makeContext = ({ home, as, quiet }: GlobalOptions): CliContext => ({
    env,
    get cwd() {
      return host.cwd;
    },
    userHome,
    home,
    as,
    stdout,
    stderr,
    notices: quiet === true ? SILENT : stderr,
    signal,
    onExit,
    interrupt,
    endAtSignal,
    endStuck,
    version,
    get stdin() {
      return host.stdin;
    },
  });
  /** A reader that closes the pipe early (`| head`) is not an error. */
  const ignoreClosedPipe = (error: unknown) => {
    if (!stdout.isBroken) throw error;
  };
  try {
    const code = await runProgram(argv, version, makeContext);
    await stdout.flush().catch(ignoreClosedPipe);
    return code;
  } catch (error) {
    if (stdout.isBroken) return EXIT.done;
    const { reportError } = await import('./print/report-error.ts');
    return await reportError(error, makeContext({}));
  } finally {
    await stderr.flush();
  }
}
