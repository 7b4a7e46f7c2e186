import type { SourceReading } from '../../engine/project/file-tree.ts';
import type { Span } from '../../engine/text/span.ts';
import type { SemanticError } from '../../semantic/errors.ts';
import type { SemanticQuery } from '../../semantic/query/query.ts';
import type { CodegenBody, StatementBody } from '../api/semantic-api.ts';
import type { LayerPlatforms } from './semantic.ts';

/** What a thread of models is asked: to read one, to answer a question or statements to one, or to load the parser. */
export type ModelCall = ReadCall | AskCall | SqlCall | WarmCall;

/** Loads the parser of statements before the first of them comes. */
export interface WarmCall {
  readonly kind: 'warm';
}

export interface WarmAnswer {
  readonly status: 'warm';
}

/** A model by its place, and its files as they are now. */
export interface ReadCall {
  readonly kind: 'read';
  readonly id: string;
  readonly files: readonly ReadFile[];
}

/** A file of a model that was read where it is kept. */
export interface ReadFile {
  readonly name: string;
  readonly revision: string;
  readonly reading: SourceReading;
}

/** A sound model, or its faults in words. */
export type ReadAnswer =
  | { readonly sound: SoundModel; readonly faults: null }
  | { readonly sound: null; readonly faults: string };

/** A sound model as bytes: for threads, and as the metadata response (interface 2.7). */
export interface SoundModel extends LayerPlatforms {
  readonly model: Uint8Array;
  readonly metadata: Uint8Array;
}

/** A question to a version of a model; without `model`, to one that the thread may have been given before. */
export interface AskCall {
  readonly kind: 'ask';
  readonly id: string;
  readonly version: number;
  readonly model: Uint8Array | null;
  readonly query: SemanticQuery;
  readonly strict: boolean;
  readonly explain: boolean;
}

/** Statements of Semantic SQL to a version of a model; without `model`, to one that the thread may have been given before. */
export interface SqlCall extends Pick<AskCall, 'id' | 'version' | 'model' | 'strict'> {
  readonly kind: 'sql';
  readonly text: string;
}

/** `refused` has a place in the text, `unknown` is a version that the thread does not have. */
export type SqlAnswer =
  | { readonly status: 'done'; readonly statements: readonly StatementBody[] }
  | { readonly status: 'refused'; readonly span: Span; readonly message: string }
  | { readonly status: 'unknown' };

/** The SQL of a question, with how it came about where that was asked for (semantic 1). */
export type QuestionSql = Pick<CodegenBody, 'sql'> & Partial<CodegenBody>;

/** `unknown` is a version that the thread does not have. */
export type AskAnswer =
  | { readonly status: 'done'; readonly answer: QuestionSql }
  | { readonly status: 'failed'; readonly error: Pick<SemanticError, 'kind' | 'code' | 'message' | 'hint'> }
  | { readonly status: 'unknown' };
