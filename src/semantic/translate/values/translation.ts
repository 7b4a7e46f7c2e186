import type { QueryName, TypedExpression } from '../../expression/expression.ts';
import type { StatementColumn } from '../../expression/statement.ts';
import type { ExpressionSyntax, QuerySyntax } from '../../syntax/syntax.ts';
import type { StatementClock } from '../names/environment.ts';

/** Reads the fields of an expression. */
export interface ExpressionReader<Field> {
  /** An IANA name: the time zone for truncating a DATETIME. */
  readonly timezone: string;
  readonly clock: StatementClock;
  /**
   * Reads a whole expression; null to translate its parts. Throws a SemanticSqlError for an expression that is not allowed
   * here.
   */
  readWhole(syntax: ExpressionSyntax): TypedExpression<Field> | null;
  /** Reads a sub-query of the statement. Throws a SemanticSqlError. */
  readQuery(query: QuerySyntax): SubQuery;
}

/** A sub-query and its key. */
export interface SubQuery {
  readonly name: QueryName;
  readonly columns: readonly StatementColumn[];
}

/** How the parts of an expression are translated. */
export interface TranslationContext<Field> {
  readonly timezone: string;
  readonly clock: StatementClock;
  translate(syntax: ExpressionSyntax): TypedExpression<Field>;
  readQuery(query: QuerySyntax): SubQuery;
}
