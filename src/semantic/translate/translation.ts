import type { Expression } from '../expression/expression.ts';
import type { ExpressionSyntax } from '../syntax/syntax.ts';

/** What the fields of an expression are. */
export interface ExpressionReader<Field> {
  /** An IANA name: that in which moments are cut. */
  readonly timezone: string;
  /** What a syntax stands for as a whole; null where its parts say it. Throws a SqlRefusal for what may not stand here. */
  readWhole(syntax: ExpressionSyntax): Expression<Field> | null;
}

/** How the parts of an expression are translated. */
export interface Translation<Field> {
  readonly timezone: string;
  translate(syntax: ExpressionSyntax): Expression<Field>;
}
