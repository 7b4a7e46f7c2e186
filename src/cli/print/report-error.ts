import { DiagnosticError } from '../../engine/text/diagnostic.ts';
import { explainFileError } from '../../errors/explain-file-error.ts';
import { HomeError, type HomeErrorCode } from '../../errors/home-error.ts';
import { InputError } from '../../errors/input-error.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { SettingError } from '../../settings/setting.ts';
import { toPrintableLines } from '../../text/printable.ts';
import type { CliContext } from '../context/context.ts';
import { describeError, UsageError } from '../context/errors.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';
import { findNextStep } from '../context/next-step.ts';
import { coloursOf } from '../terminal/colours.ts';
import { printDiagnostics } from './print-diagnostics.ts';

/** Exit codes of service errors by HTTP status; default: 1. */
const CODE_OF_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT.forbidden,
  403: EXIT.forbidden,
  502: EXIT.unreachable,
  503: EXIT.unreachable,
  504: EXIT.unreachable,
};

/** Exit codes of errors in what a user wrote or named. */
const CODE_OF_INPUT: Readonly<Record<InputError['kind'], ExitCode>> = {
  text: EXIT.script,
  usage: EXIT.usage,
  missing: EXIT.failed,
};

/** Exit codes of home errors that may pass; default: 2. */
const CODE_OF_HOME_ERROR: Readonly<Partial<Record<HomeErrorCode, ExitCode>>> = {
  locked: EXIT.unreachable,
  full: EXIT.unreachable,
  failing: EXIT.unreachable,
};

/** System errors about disks and permissions, which are not internal errors. */
const FILE_ERROR_CODES = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EIO'];

function isRefusedBySystem(error: unknown): error is NodeJS.ErrnoException {
  return (
    error instanceof Error &&
    'syscall' in error &&
    'code' in error &&
    FILE_ERROR_CODES.includes(String(error.code))
  );
}

/** Prints an error, in one sentence if it is a known one, and returns its exit code. */
export async function reportError(error: unknown, context: CliContext): Promise<ExitCode> {
  const { red } = coloursOf(context);
  const print = (text: string) => context.stderr.write(`${red('error')}: ${toPrintableLines(text)}\n`);
  if (error instanceof UsageError) {
    await print(error.message);
    await printNextStep(context, error.nextStep);
    return error.exitCode;
  }
  if (error instanceof SettingError) {
    await print(error.message);
    return EXIT.usage;
  }
  if (error instanceof InputError) {
    if (error instanceof DiagnosticError) await printDiagnostics(context, context.stderr, error.diagnostics);
    else await print(error.message);
    return CODE_OF_INPUT[error.kind];
  }
  if (error instanceof HomeError) {
    await print(error.message);
    return CODE_OF_HOME_ERROR[error.code] ?? EXIT.usage;
  }
  if (error instanceof ServiceError) {
    await print(describeError(error));
    await printNextStep(context, findNextStep(error));
    return CODE_OF_STATUS[error.status] ?? EXIT.failed;
  }
  if (isRefusedBySystem(error)) {
    const reason = explainFileError(error);
    await print(error.path === undefined ? reason : `${error.path}: ${reason}`);
    return EXIT.failed;
  }
  await print(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
  return EXIT.bug;
}

async function printNextStep({ stderr }: CliContext, text: string | undefined): Promise<void> {
  if (text !== undefined) await stderr.write(`hint: ${toPrintableLines(text)}\n`);
}
