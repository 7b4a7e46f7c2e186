import type { Diagnostic } from '../../engine/text/diagnostic.ts';
import type { CompiledQuery } from '../../semantic/compile-query.ts';
import type { ModelTest } from '../../semantic/plan-model-tests.ts';
import type { MetadataBody } from '../../semantic/to-metadata.ts';
import type { ScriptOutcome } from '../scripts.ts';

export type { ModelTest };

/**
 * Which model is asked: that of a connection, or without a name of the only semantic one (semantic 1); or one on disk,
 * by its path from `cwd` and its key in a project.
 */
export type ModelTarget =
  | { readonly kind: 'connection'; readonly name?: string | undefined }
  | { readonly kind: 'disk'; readonly path: string; readonly cwd: string; readonly key?: string | undefined };

/** A model, and what was found about it. */
export interface CheckedModel {
  readonly files: number;
  readonly diagnostics: readonly Diagnostic[];
  /** What the database has to say yet; none for a model with faults. */
  readonly tests: readonly ModelTest[];
  /** The connection of the model's SQL; null for a model that only compiles. */
  readonly connection: string | null;
}

/** How a question becomes SQL; what is left out follows from the connection. */
interface CodegenOptions {
  /** Refuse questions whose groups overlap. */
  readonly strict?: boolean | undefined;
}

/** The SQL of a question, and how it came about (semantic 1, explain). */
export type CodegenBody = Pick<CompiledQuery, 'sql' | 'plan' | 'paths' | 'warnings'>;

/**
 * What semantic models answer. An outcome `script` is a model with faults that has never been without, `usage` a path on
 * disk without a model. Everything throws a ServiceError.
 */
export interface SemanticApi {
  /** The metadata response (interface 2.7, 4.4). */
  metadata(target: ModelTarget): ScriptOutcome<MetadataBody>;
  /** The SQL of a question, the `query` of a request (interface 4.4). */
  codegen(target: ModelTarget, query: unknown, options: CodegenOptions): ScriptOutcome<CodegenBody>;
  /** All that is found about a model. */
  check(target: ModelTarget): ScriptOutcome<CheckedModel>;
}
