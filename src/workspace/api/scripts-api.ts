import type { CompiledStep } from '../../engine/script/compile.ts';
import type { GivenParams } from '../../engine/script/params/surplus-params.ts';
import type { Diagnostic, Warning } from '../../engine/text/diagnostic.ts';

/** What can be said about scripts without running them; paths are those of one place, a catalog or a disk. */
export interface ScriptsApi {
  /** Renders a script, step by step. */
  compile(path: string, given: GivenParams): ScriptOutcome<CompiledScript>;
  /** Every finding about scripts: files, or folders with all below them. */
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
  /** What has no place in a script. */
  readonly warnings: readonly Warning[];
}

export type { CompiledStep, Diagnostic };

/** What came of it, as plain data; `message` stands for all diagnostics, or for what has no place in a script. */
export type ScriptOutcome<T> =
  | { readonly status: 'done'; readonly value: T }
  | {
      readonly status: 'failed';
      /** `missing`: there is no such script, folder or model. */
      readonly code: 'script' | 'usage' | 'missing';
      readonly message: string;
      readonly diagnostics: readonly Diagnostic[];
    };
