import type { Expression, QueryName } from '../expression/expression.ts';
import type { ResultColumn } from '../expression/statement.ts';
import type { ExpressionSyntax, QuerySyntax } from '../syntax/syntax.ts';

/** What the fields of an expression are. */
export interface ExpressionReader<Field> {
  /** An IANA name: that in which moments are cut. */
  readonly timezone: string;
  /** What a syntax stands for as a whole; null where its parts say it. Throws a SqlRefusal for what may not stand here. */
  readWhole(syntax: ExpressionSyntax): Expression<Field> | null;
  /** A sub-query of the statement. Throws a SqlRefusal. */
  readQuery(query: QuerySyntax): NamedQuery;
}

/** A sub-query, and what it is found by. */
export interface NamedQuery {
  readonly name: QueryName;
  readonly columns: readonly ResultColumn[];
}

/** How the parts of an expression are translated. */
export interface Translation<Field> {
  readonly timezone: string;
  translate(syntax: ExpressionSyntax): Expression<Field>;
  readQuery(query: QuerySyntax): NamedQuery;
}
