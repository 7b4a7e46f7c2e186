import { semanticErrors } from '../errors.ts';
import type { ValueType } from '../model/model.ts';
import { convertDate, isDateType } from './create-date.ts';
import type { QueryName, TypedExpression } from './expression.ts';
import { findCommonType } from './functions.ts';
import type { StatementColumn } from './statement.ts';
import { isNullLiteral } from './walk-expression.ts';

/** Whether a sub-query contains a value. Throws a SemanticError `refused` for values without a common type. */
export function createInQuery<Field>(
  of: TypedExpression<Field>,
  query: QueryName,
  { dataType, nullable }: StatementColumn,
  timezone: string,
): TypedExpression<Field> {
  const common = isNullLiteral(of) ? dataType : findCommonType([of.dataType, dataType]);
  // The values of the sub-query cannot be converted here.
  if (common === null || (isDateType(dataType) && common !== dataType)) {
    throw semanticErrors.functionTypes('IN', [of.dataType, dataType], 'values of one type');
  }
  const value = convertDate(of, dataType, timezone);
  return { kind: 'in query', of: value, query, dataType: 'BOOLEAN', nullable: of.nullable || nullable };
}

/** Whether a sub-query has a row. */
export function createExists<Field>(query: QueryName): TypedExpression<Field> {
  return { kind: 'exists', query, dataType: 'BOOLEAN', nullable: false };
}

/** The one value of a sub-query; NULL where it has no row. */
export function createScalarQuery<Field>(query: QueryName, dataType: ValueType): TypedExpression<Field> {
  return { kind: 'query', query, dataType, nullable: true };
}
