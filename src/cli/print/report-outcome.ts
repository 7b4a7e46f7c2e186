import type { StatementTally } from '../../engine/run/outcome/statement-count.ts';
import type { ExecutionErrorCode, ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { printCount } from '../../invariants/print-count.ts';
import { toPrintableLines } from '../../text/printable.ts';
import type { CliContext } from '../context/context.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';
import { coloursOf } from '../terminal/colours.ts';
import { printDiagnostics } from './print-diagnostics.ts';

/** The parts of an outcome that are printed. */
type Reported =
  | { readonly status: 'done' }
  | Pick<Extract<ExecutionOutcome, { status: 'failed' }>, 'status' | 'error' | 'statements'>;

type Failure = Extract<ExecutionOutcome, { status: 'failed' }>['error'];

const CODE_OF_ERROR: Readonly<Record<ExecutionErrorCode, ExitCode>> = {
  sql: EXIT.script,
  script: EXIT.script,
  gate: EXIT.script,
  level: EXIT.forbidden,
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

/** The exit code for the error code of a run; EXIT.failed for any other word. */
export function exitCodeOf(code: string | null): ExitCode {
  return Object.entries(CODE_OF_ERROR).find(([known]) => known === code)?.[1] ?? EXIT.failed;
}

/** Prints the error of a run with its position in the author's source, and returns the exit code. */
export async function reportOutcome(context: CliContext, outcome: Reported): Promise<ExitCode> {
  if (outcome.status === 'done') return EXIT.done;
  const { error } = outcome;
  const isQuiet = context.signal.aborted || context.stdout.isBroken;
  if (!isQuiet) {
    await printError(context, error);
    await printStatements(context, outcome);
  }
  if (error.code === 'output') context.stdout.forgetFailure();
  const code = context.stdout.isBroken ? EXIT.done : codeOf(error);
  if (error.stuck && !context.signal.aborted) context.endStuck(code);
  return code;
}

async function printError(context: CliContext, error: Failure): Promise<void> {
  const { red } = coloursOf(context);
  // Earlier output appears before the error on a terminal, too.
  await context.stdout.flush().catch(() => {});
  if (error.diagnostics.length === 0) {
    await context.stderr.write(`${red('error')}: ${toPrintableLines(error.message)}\n`);
  }
  await printDiagnostics(context, context.stderr, error.diagnostics);
  if (error.note !== undefined) await context.stderr.write(`${error.note}\n`);
}

const NONE: StatementTally = { done: 0, rolledBack: 0 };

/** Prints which statements were done before an error, and which were rolled back with it. */
async function printStatements(
  { stderr }: CliContext,
  { error, statements: { done, rolledBack } = NONE }: Extract<Reported, { status: 'failed' }>,
): Promise<void> {
  // The only statement was done; writing its rows has failed.
  if (error.code === 'output' && done + rolledBack === 1) return;
  if (done > 0) await stderr.write(`Done before it: ${printRange(1, done)}\n`);
  if (rolledBack > 0) await stderr.write(`Rolled back: ${printRange(done + 1, done + rolledBack)}\n`);
}

/** The numbers of consecutive statements: `statement 1`, `statements 2 to 4`. */
function printRange(first: number, last: number): string {
  if (first === last) return `statement ${printCount(first)}`;
  return `statements ${printCount(first)} ${last === first + 1 ? 'and' : 'to'} ${printCount(last)}`;
}

/** An unknown block is a missing item, not wrong usage. */
function codeOf({ code, subject }: Failure): ExitCode {
  return subject?.kind === 'block' ? EXIT.failed : CODE_OF_ERROR[code];
}
