import type { CompiledStep } from '../../engine/script/compile.ts';
import type { DescribedGraph } from '../../engine/script/graph/describe.ts';
import type { GivenParams } from '../../engine/script/params/surplus-params.ts';
import type { Diagnostic, Warning } from '../../engine/text/diagnostic.ts';
import type { RunSettings } from './workspace-api.ts';

/** What sets the parameters of scripts that are not run. */
export interface ScriptSettings extends GivenParams, Pick<RunSettings, 'environment'> {}

/**
 * Operations on scripts that run nothing; all paths belong to one source, a catalog or a disk. Each throws an InputError
 * for scripts with errors, and for a path without scripts, and an UnknownNameError for an unknown environment.
 */
export interface ScriptsApi {
  /** Renders a script, step by step. */
  compile(path: string, input: ScriptSettings): CompiledScript;
  /** Returns all diagnostics of scripts: files, or folders with everything below them. */
  check(paths: readonly string[], input: ScriptSettings): CheckedScripts;
  /**
   * Describes the blocks and tests that selectors select (docs/reference/build.md#selectors). Throws a SelectionError,
   * and an UnknownNameError for a path outside of the project.
   */
  describe(selectors: Selectors, input: ScriptSettings): DescribedScripts;
}

/** Selectors as they were typed; an empty `include` selects all. */
interface Selectors {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

interface DescribedScripts extends DescribedGraph {
  readonly warnings: readonly Warning[];
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
