import { elementAt } from '../../invariants/must.ts';
import { convertDate } from '../expression/create-date.ts';
import { createField } from '../expression/create-expression.ts';
import type { TypedExpression } from '../expression/expression.ts';
import type { ResultField, ResultSelect, ResultStatement, StatementColumn } from '../expression/statement.ts';
import { SemanticSqlError } from '../syntax/semantic-sql-error.ts';
import type { QuerySyntax } from '../syntax/syntax.ts';
import { findOrdered, type NamedItem, readLimit } from './list-items.ts';
import { translationTexts } from './messages/translation-texts.ts';

/** A result sorted or made distinct by its columns only. Throws a SemanticSqlError. */
export function wrapResult(
  query: QuerySyntax,
  statement: ResultStatement,
  { distinct }: Pick<ResultSelect, 'distinct'>,
): ResultStatement {
  const values = createFields(statement);
  const items = statement.columns.map(({ name }): NamedItem => {
    const { start, end } = query;
    const alias = { text: name, isQuoted: true, start, end };
    return { value: { kind: 'column', names: [alias], start, end }, alias, name };
  });
  const orderBy = query.orderBy.map((order) => {
    const item = findOrdered(order, items);
    if (item === null) {
      const message = distinct ? translationTexts.distinctOrder() : translationTexts.setOrder();
      throw new SemanticSqlError(order.value, message);
    }
    const value = elementAt(values, items.indexOf(item));
    return { value, desc: order.isDescending, nullsFirst: order.nulls === 'first' };
  });
  const body = selectFrom(statement, { distinct, values, orderBy, limit: readLimit(query) });
  return { columns: statement.columns, body };
}

/** A result whose dates and times have the types of `columns`. */
export function convertDates(
  statement: ResultStatement,
  columns: readonly StatementColumn[],
  timezone: string,
): ResultStatement {
  const values = createFields(statement).map((value, at) => {
    const { dataType } = elementAt(columns, at);
    return convertDate(value, dataType, timezone);
  });
  const isSame = values.every(({ dataType }, at) => dataType === elementAt(statement.columns, at).dataType);
  if (isSame) return statement;
  const converted = statement.columns.map((column, at) => ({
    ...column,
    dataType: elementAt(values, at).dataType,
  }));
  const body = selectFrom(statement, { distinct: false, values, orderBy: [], limit: null });
  return { columns: converted, body };
}

const ALIAS = 'results';

function createFields({ columns }: ResultStatement): readonly TypedExpression<ResultField>[] {
  return columns.map(({ name, dataType, nullable }) => {
    const field = { relation: ALIAS, column: name, key: JSON.stringify([ALIAS, name]) };
    return createField<ResultField>(field, dataType, nullable);
  });
}

function selectFrom(
  statement: ResultStatement,
  parts: Pick<ResultSelect, 'distinct' | 'values' | 'orderBy' | 'limit'>,
): ResultSelect {
  const from = [{ type: 'CROSS', relation: { statement, alias: ALIAS, table: null }, on: null }] as const;
  return { kind: 'select', from, where: null, grouping: null, ...parts };
}
