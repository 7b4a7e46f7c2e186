import type { Span } from '../../text/span.ts';

/**
 * What a model makes of one statement of Semantic SQL: SQL for the database behind it, with what may surprise about its
 * rows; or a refusal, with its place in the statement.
 */
export type Translation =
  | { readonly status: 'done'; readonly sql: string; readonly warnings: readonly string[] }
  | { readonly status: 'refused'; readonly span: Span; readonly message: string };

/**
 * Translates one statement of Semantic SQL. Nobody waits for it when `signal` is aborted; otherwise it rejects only for an
 * internal error.
 */
export type Translate = (statement: string, signal: AbortSignal) => Promise<Translation>;
