import type { CompiledStep } from '../../engine/script/compile.ts';
import type { GivenParams } from '../../engine/script/params/surplus-params.ts';
import type { Diagnostic, Warning } from '../../engine/text/diagnostic.ts';

/** Operations on scripts that run nothing; all paths belong to one source, a catalog or a disk. */
export interface ScriptsApi {
  /** Renders a script, step by step. */
  compile(path: string, given: GivenParams): ScriptOutcome<CompiledScript>;
  /** Returns all diagnostics of scripts: files, or folders with everything below them. */
  check(paths: readonly string[], given: GivenParams): ScriptOutcome<CheckedScripts>;
}

interface CompiledScript {
  readonly steps: readonly CompiledStep[];
  readonly warnings: readonly Warning[];
}

interface CheckedScripts {
  readonly packages: number;
  readonly files: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Warnings that have no position in a script. */
  readonly warnings: readonly Warning[];
}

/** The outcome as plain data; `message` holds all diagnostics, or an error without a position in a script. */
export type ScriptOutcome<T> =
  | { readonly status: 'done'; readonly value: T }
  | {
      readonly status: 'failed';
      /** `missing`: there is no such script, folder or model. */
      readonly code: 'script' | 'usage' | 'missing';
      readonly message: string;
      readonly diagnostics: readonly Diagnostic[];
    };
