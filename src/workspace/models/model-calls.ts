import type { SourceReading } from '../../engine/project/file-tree.ts';
import type {
  LayerPlatforms,
  LoadedModel,
  ModelQuestion,
  ModelStatements,
  QuestionAnswer,
  StatementsAnswer,
} from './semantic.ts';

/** A call of a model process: read a model, translate a semantic query or statements, or load the parser. */
export type ModelCall = ReadCall | AskCall | SqlCall | WarmCall;

/** Loads the statement parser in advance. */
export interface WarmCall {
  readonly kind: 'warm';
}

export interface WarmAnswer {
  readonly status: 'warm';
}

/** A model by its path, and its current files. */
export interface ReadCall {
  readonly kind: 'read';
  readonly id: string;
  readonly files: readonly ReadFile[];
}

/** A file of a model with its content. */
export interface ReadFile {
  readonly name: string;
  readonly revision: string;
  readonly reading: SourceReading;
}

/** A valid model, or the printed errors of an invalid one. */
export type ReadAnswer =
  | { readonly valid: ValidModel; readonly errors: null }
  | { readonly valid: null; readonly errors: string };

/** A valid model as bytes. */
export interface ValidModel extends LayerPlatforms, Pick<LoadedModel, 'metadata'> {
  /** For processes. */
  readonly model: Uint8Array;
}

/** A version of a model. Without `model`, the process must already have that version. */
export interface ModelVersion {
  readonly id: string;
  readonly version: number;
  readonly model: Uint8Array | null;
}

/** A semantic query on a version of a model. */
export interface AskCall extends ModelVersion, ModelQuestion {
  readonly kind: 'ask';
}

/** Statements of Semantic SQL on a version of a model. */
export interface SqlCall extends ModelVersion, ModelStatements {
  readonly kind: 'sql';
}

/** The process does not have the version of the model. */
interface UnknownVersion {
  readonly status: 'unknown';
}

export type AskAnswer = QuestionAnswer | UnknownVersion;

export type SqlAnswer = StatementsAnswer | UnknownVersion;
