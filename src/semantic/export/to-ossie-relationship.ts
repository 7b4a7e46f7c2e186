import type { LexicalRules } from '../../engine/text/lexical-rules.ts';
import { elementAt } from '../../invariants/must.ts';
import { quoteQualifier, toColumn } from '../import/draft/foreign-sql.ts';
import type { JoinType } from '../model/model.ts';
import { readModelExpression } from '../model/read-model-expression.ts';

/** A relationship, and the entity that owns it. */
interface OwnRelationship {
  readonly name: string;
  readonly join_type: JoinType;
  readonly to_entity: string;
  readonly expr: string;
}

/** The sides of a relationship of Ossie; `from` is the many side, or either side of a one-to-one relationship. */
export interface OssieRelationship {
  readonly from: string;
  readonly to: string;
  readonly from_columns: readonly string[];
  readonly to_columns: readonly string[];
}

/** Prints the condition of a relationship of Ossie; one side can have another name. */
export function printOssieCondition(
  { from_columns, to_columns }: OssieRelationship,
  [from, to]: readonly [string, string],
  lexicalRules: LexicalRules,
): string {
  const [left, right] = [from, to].map((name) => quoteQualifier(name, lexicalRules));
  return from_columns
    .map(
      (column, at) =>
        `${left}.${toColumn(column, lexicalRules)} = ${right}.${toColumn(elementAt(to_columns, at), lexicalRules)}`,
    )
    .join(' AND ');
}

/** The columns of a relationship, as Ossie lists them; null if its condition is not an equality of columns. */
export function toOssieRelationship(
  entity: string,
  { name, join_type, to_entity, expr }: OwnRelationship,
  lexicalRules: LexicalRules,
): OssieRelationship | null {
  // In a self-relationship, the other side is named after the relationship.
  const { equalities } = readModelExpression(
    expr,
    [entity, to_entity === entity ? name : to_entity],
    lexicalRules,
  );
  if (equalities === null || equalities.length === 0) return null;
  const columns = equalities.map(({ left }) => left);
  const otherColumns = equalities.map(({ right }) => right);
  if (join_type !== 'ONE_TO_MANY')
    return { from: entity, to: to_entity, from_columns: columns, to_columns: otherColumns };
  return { from: to_entity, to: entity, from_columns: otherColumns, to_columns: columns };
}
