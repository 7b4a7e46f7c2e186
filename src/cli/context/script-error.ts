import type { Diagnostic } from '../../workspace/api/scripts-api.ts';

/** Scripts that cannot be used as they are; the message stands for all findings, or where there is none. */
export class ScriptError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(message: string, diagnostics: readonly Diagnostic[]) {
    super(message);
    this.diagnostics = diagnostics;
  }
}
