import type { SourceReading } from '../../engine/project/file-tree.ts';
import type { Span } from '../../engine/text/span.ts';
import type { CompiledStatement } from '../../semantic/compile/compile-statement.ts';
import type { SemanticError } from '../../semantic/errors.ts';
import type { SemanticQuery } from '../../semantic/query/query.ts';
import type { CodegenBody } from '../api/semantic-api.ts';
import type { LayerPlatforms } from './semantic.ts';

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

/**
 * A valid model as bytes: for processes, and as the metadata response
 * (docs/reference/semantic-http.md#metadata-of-a-model).
 */
export interface ValidModel extends LayerPlatforms {
  readonly model: Uint8Array;
  readonly metadata: Uint8Array;
}

/** A semantic query on a version of a model. Without `model`, the process must already have that version. */
export interface AskCall {
  readonly kind: 'ask';
  readonly id: string;
  readonly version: number;
  readonly model: Uint8Array | null;
  readonly query: SemanticQuery;
  readonly strict: boolean;
  readonly explain: boolean;
}

/** Statements of Semantic SQL on a version of a model. Without `model`, the process must already have that version. */
export interface SqlCall extends Pick<AskCall, 'id' | 'version' | 'model' | 'strict'> {
  readonly kind: 'sql';
  readonly text: string;
  /** The start of the run. */
  readonly now: Date;
}

/** `refused` has a position in the source; `unknown` is a version that the process does not have. */
export type SqlAnswer =
  | { readonly status: 'done'; readonly statements: readonly CompiledStatement[] }
  | { readonly status: 'refused'; readonly span: Span; readonly message: string }
  | { readonly status: 'unknown' };

/**
 * The SQL of a semantic query, with an explanation if requested
 * (docs/reference/semantic-http.md#sql-of-a-semantic-query).
 */
export type QuestionSql = Pick<CodegenBody, 'sql'> & Partial<CodegenBody>;

/** `unknown` is a version that the process does not have. */
export type AskAnswer =
  | { readonly status: 'done'; readonly answer: QuestionSql }
  | { readonly status: 'failed'; readonly error: Pick<SemanticError, 'kind' | 'code' | 'message' | 'hint'> }
  | { readonly status: 'unknown' };
