import type { Span } from '../../../engine/text/span.ts';
import { SemanticError } from '../../errors.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';

/** Runs `work`; an error without a location gets this one. Throws a SemanticSqlError. */
export function withPlace<T>(span: Span, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SemanticError)) throw error;
    const { message, hint } = error;
    throw new SemanticSqlError(span, hint === undefined ? message : `${message}: ${hint}`);
  }
}
