import type { Diagnostic } from '../../engine/text/diagnostic.ts';
import type { MetadataBody } from '../../semantic/to-metadata.ts';
import type { ScriptOutcome } from '../scripts.ts';

export type { MetadataBody };

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
}

/**
 * What semantic models answer. An outcome `script` is a model with faults that has never been without, `usage` a path on
 * disk without a model. Everything throws a ServiceError.
 */
export interface SemanticApi {
  /** The metadata response (interface 2.7, 4.4). */
  metadata(target: ModelTarget): ScriptOutcome<MetadataBody>;
  /** All that is found about a model. */
  check(target: ModelTarget): ScriptOutcome<CheckedModel>;
}
