import type { Expression, QueryName } from '../../expression/expression.ts';
import type { ResultColumn } from '../../expression/statement.ts';
import type { ExpressionSyntax, QuerySyntax } from '../../syntax/syntax.ts';
import type { Clock } from '../names/environment.ts';

/** Reads the fields of an expression. */
export interface ExpressionReader<Field> {
  /** An IANA name: the time zone for truncating a DATETIME. */
  readonly timezone: string;
  readonly clock: Clock;
  /**
   * Reads a whole expression; null to translate its parts. Throws a SemanticSqlError for an expression that is not allowed
   * here.
   */
  readWhole(syntax: ExpressionSyntax): Expression<Field> | null;
  /** Reads a sub-query of the statement. Throws a SemanticSqlError. */
  readQuery(query: QuerySyntax): NamedQuery;
}

/** A sub-query and its key. */
export interface NamedQuery {
  readonly name: QueryName;
  readonly columns: readonly ResultColumn[];
}

/** How the parts of an expression are translated. */
export interface Translation<Field> {
  readonly timezone: string;
  readonly clock: Clock;
  translate(syntax: ExpressionSyntax): Expression<Field>;
  readQuery(query: QuerySyntax): NamedQuery;
}
