import { toPrintableLines } from '../../workspace/api/printable.ts';
import type { FaultCode, RunOutcome } from '../../workspace/api/workspace-api.ts';
import type { CliContext } from '../context/context.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';
import { coloursOf } from '../terminal/colours.ts';
import { printDiagnostics } from './print-diagnostics.ts';

/** As much of an outcome as is printed. */
type Reported =
  | { readonly status: 'done' }
  | Pick<Extract<RunOutcome, { status: 'failed' }>, 'status' | 'fault'>;

const CODE_OF_FAULT: Readonly<Record<FaultCode, ExitCode>> = {
  sql: EXIT.script,
  script: EXIT.script,
  gate: EXIT.script,
  parameter: EXIT.script,
  cancelled: EXIT.failed,
  timeout: EXIT.unreachable,
  unreachable: EXIT.unreachable,
  login: EXIT.forbidden,
  locked: EXIT.unreachable,
  full: EXIT.failed,
  quota: EXIT.failed,
  conflict: EXIT.failed,
  limit: EXIT.failed,
  selection: EXIT.usage,
  output: EXIT.failed,
  busy: EXIT.unreachable,
  paused: EXIT.unreachable,
  lost: EXIT.unreachable,
};

/** Says what went wrong with a run, with the place in the author's text, and returns its exit code. */
export async function reportOutcome(context: CliContext, outcome: Reported): Promise<ExitCode> {
  if (outcome.status === 'done') return EXIT.done;
  const { fault } = outcome;
  const isQuiet = context.signal.aborted || context.stdout.isBroken;
  if (!isQuiet) await printFault(context, fault);
  const code = context.stdout.isBroken ? EXIT.done : CODE_OF_FAULT[fault.code];
  if (fault.stuck && !context.signal.aborted) endStuckProcess(code);
  return code;
}

async function printFault(
  context: CliContext,
  fault: Extract<RunOutcome, { status: 'failed' }>['fault'],
): Promise<void> {
  const { red } = coloursOf(context);
  // What came before the fault stands before it on a terminal, too.
  await context.stdout.flush().catch(() => {});
  if (fault.diagnostics.length === 0) {
    await context.stderr.write(`${red('error')}: ${toPrintableLines(fault.message)}\n`);
  }
  await printDiagnostics(context, context.stderr, fault.diagnostics);
  if (fault.note !== undefined) await context.stderr.write(`${fault.note}\n`);
}

/**
 * Ends the process with this code although a database's thread still works. `process.exit` would wait for
 * that thread, so the process replaces itself where Node can, and is killed elsewhere.
 */
function endStuckProcess(code: number): void {
  process.removeAllListeners('warning');
  try {
    process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {});
  } catch {
    // No shell: the kill below does it.
  }
  process.kill(process.pid, 'SIGKILL');
}
