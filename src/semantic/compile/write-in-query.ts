import { elementAt } from '../../invariants/must.ts';
import type { QueryName, TypedExpression } from '../expression/expression.ts';
import type { Dialect } from '../sql/dialect.ts';
import { createSelect, ONE, type Relation, type Select, type SqlExpr } from '../sql/nodes.ts';

const ALIAS = 'keys';

/**
 * Writes whether a sub-query contains a value; texts compare byte by byte. `isThreefold`: whether unknown must differ
 * from false when the only candidates are NULL.
 */
export function writeInQuery<Field>(
  { of, query, nullable }: Extract<TypedExpression<Field>, { kind: 'in query' }>,
  value: SqlExpr,
  { dialect, writeQuery }: { readonly dialect: Dialect; readonly writeQuery: (name: QueryName) => Select },
  isThreefold: boolean,
): SqlExpr {
  const select = writeQuery(query);
  const isText = of.dataType === 'TEXT' && dialect.textKeys !== null;
  const membership = writeFound(value, select, isText);
  if (!isThreefold || !nullable || dialect.findsNulls) return membership;
  const relation: Relation = { kind: 'select', selects: [select], alias: ALIAS };
  const isNull = (expr: SqlExpr): SqlExpr => ({ kind: 'null', expr, negated: false });
  const exists = (where: readonly SqlExpr[]): SqlExpr => ({
    kind: 'exists',
    keys: [],
    select: createSelect(relation, { items: [{ expr: ONE, alias: 'found' }], where }),
  });
  const isOpen: SqlExpr = {
    kind: 'or',
    parts: [{ kind: 'and', parts: [isNull(value), exists([])] }, exists([isNull(readKey(select))])],
  };
  const unknown: SqlExpr = {
    kind: 'choice',
    branches: [{ when: isOpen, value: { kind: 'no-value', type: 'BOOLEAN' } }],
    otherwise: { kind: 'literal', type: 'boolean', text: 'false' },
  };
  return { kind: 'or', parts: [membership, unknown] };
}

function writeFound(value: SqlExpr, select: Select, isText: boolean): SqlExpr {
  // Some platforms do not accept LIMIT in the sub-query of IN.
  if (!isText && select.limit === null) return { kind: 'exists', keys: [value], select };
  const key = readKey(select);
  const { alias } = elementAt(select.items, 0);
  const keys = createSelect(
    { kind: 'select', selects: [select], alias: ALIAS },
    { items: [{ expr: isText ? { kind: 'text-key', expr: key } : key, alias }] },
  );
  return { kind: 'exists', keys: [isText ? { kind: 'text-key', expr: value } : value], select: keys };
}

/** The only column of a sub-query. */
function readKey({ items }: Select): SqlExpr {
  return { kind: 'column', table: ALIAS, name: elementAt(items, 0).alias };
}
