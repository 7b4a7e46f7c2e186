import type { Span } from '../../text/span.ts';

/**
 * The translation of one statement of Semantic SQL: SQL for the physical database with warnings about its rows, or an
 * error with its position in the statement. `clock` is the first function of the current time, whose value is in the
 * SQL.
 */
export type Translation =
  | {
      readonly status: 'done';
      readonly sql: string;
      readonly warnings: readonly string[];
      readonly clock: Span | null;
    }
  | {
      readonly status: 'refused';
      readonly span: Span;
      readonly message: string;
      /** Whether the statement cannot be parsed, whatever the model has. */
      readonly isSyntax?: boolean;
    };

/**
 * Translates one statement of Semantic SQL. The result is ignored after `signal` is aborted; otherwise it rejects only
 * for an internal error.
 */
export type Translate = (statement: string, signal: AbortSignal) => Promise<Translation>;
