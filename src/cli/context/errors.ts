import { ServiceError } from '../../errors/service-error.ts';
import type { Diagnostic } from '../../workspace/api/scripts-api.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

/** Something about the call or the configuration that the user can mend; the message says how. */
export class UsageError extends Error {
  readonly exitCode: ExitCode;
  /** What to do, on a second line. */
  readonly nextStep: string | undefined;

  constructor(message: string, exitCode: ExitCode = EXIT.usage, nextStep?: string) {
    super(message);
    this.exitCode = exitCode;
    this.nextStep = nextStep;
  }
}

/** Scripts that cannot be used as they are; the message stands for all findings, or where there is none. */
export class ScriptError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(message: string, diagnostics: readonly Diagnostic[]) {
    super(message);
    this.diagnostics = diagnostics;
  }
}

/** What an error says to a person, in one sentence. */
export function describeError(error: unknown): string {
  if (error instanceof ServiceError) {
    const hint = error.hint ?? error.localHint;
    return hint === undefined ? error.detail : `${error.detail}, ${hint}`;
  }
  return error instanceof Error ? error.message : String(error);
}
