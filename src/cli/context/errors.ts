import { ServiceError } from '../../errors/service-error.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

/** An error in the call or the configuration that the user can fix; the message says how. */
export class UsageError extends Error {
  readonly exitCode: ExitCode;
  /** The advice on the second line. */
  readonly nextStep: string | undefined;

  constructor(message: string, exitCode: ExitCode = EXIT.usage, nextStep?: string) {
    super(message);
    this.exitCode = exitCode;
    this.nextStep = nextStep;
  }
}

/** The message of an error for people, in one sentence. */
export function describeError(error: unknown): string {
  if (error instanceof ServiceError) {
    const hint = error.hint ?? error.localHint;
    return hint === undefined ? error.detail : `${error.detail}, ${hint}`;
  }
  return error instanceof Error ? error.message : String(error);
}
