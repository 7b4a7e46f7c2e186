import { EXIT, type ExitCode } from './exit-codes.ts';

/** Something about the call or the configuration that the user can mend; the message says how. */
export class UsageError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}
