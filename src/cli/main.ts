import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import type { CliContext } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { watchInterrupts } from './interrupt.ts';
import { runProgram } from './program.ts';
import { openOutput } from './terminal/output.ts';

const interrupts = watchInterrupts();
const stdout = openOutput(1, process.stdout.columns);
const stderr = openOutput(2, process.stderr.columns);

function makeContext(home: string | undefined, as: string | undefined): CliContext {
  const { signal, onExit } = interrupts;
  const { env, stdin } = process;
  return { env, cwd: process.cwd(), userHome: homedir(), home, as, stdin, stdout, stderr, signal, onExit };
}

async function main(): Promise<ExitCode> {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  try {
    const code = await runProgram(process.argv.slice(2), manifest.version, makeContext);
    await stdout.flush();
    return code;
  } catch (error) {
    // A reader that has seen enough (`| head`) is no failure.
    if (stdout.isBroken) return EXIT.done;
    const { reportError } = await import('./report-error.ts');
    return reportError(error, makeContext(undefined, undefined));
  }
}

process.exitCode = await main();
await stderr.flush().catch(() => {});
interrupts.finish();
