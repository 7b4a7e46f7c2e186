import { elementAt } from '../../invariants/must.ts';
import { createField } from '../expression/create-expression.ts';
import type { ResultField, ResultSelect, Statement } from '../expression/statement.ts';
import { SemanticSqlError } from '../syntax/semantic-sql-error.ts';
import type { QuerySyntax } from '../syntax/syntax.ts';
import { findOrdered, type NamedItem, readLimit } from './list-items.ts';
import { translationTexts } from './translation-texts.ts';

/** A result sorted or made distinct by its columns only. Throws a SemanticSqlError. */
export function wrapResult(
  query: QuerySyntax,
  statement: Statement,
  { distinct }: Pick<ResultSelect, 'distinct'>,
): Statement {
  const alias = 'results';
  const values = statement.columns.map(({ name, dataType, nullable }) =>
    createField<ResultField>(
      { relation: alias, column: name, key: JSON.stringify([alias, name]) },
      dataType,
      nullable,
    ),
  );
  const items = statement.columns.map(({ name }): NamedItem => {
    const { start, end } = query;
    const own = { text: name, isQuoted: true, start, end };
    return { value: { kind: 'column', names: [own], start, end }, alias: own, name };
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
  const body: ResultSelect = {
    kind: 'select',
    distinct,
    values,
    from: [{ type: 'CROSS', relation: { statement, alias, table: null }, on: null }],
    where: null,
    grouping: null,
    orderBy,
    limit: readLimit(query),
  };
  return { columns: statement.columns, body };
}
