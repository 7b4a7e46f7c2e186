import { elementAt, notNull } from '../../invariants/must.ts';
import type { Branch, Key, PlannedField, ReducedJoin } from '../plan/plan.ts';
import { Names } from '../sql/names.ts';
import { createSelect, type Join, type Select, type SelectItem, type SqlExpr } from '../sql/nodes.ts';
import { compileCondition } from './compile-condition.ts';
import { type CompileContext, SqlScope } from './sql-scope.ts';

/** Compiles EXISTS over a branch; `outer` is the scope of the surrounding rows. */
export function compileExists(branch: Branch, outer: SqlScope, context: CompileContext): SqlExpr {
  const { first, joins, keys } = branch;
  const scope = new SqlScope(first, joins, false, context);
  const toScope = (field: PlannedField) => (scope.has(field.alias) ? scope : outer);
  const select = compileRows(branch, scope, toScope, context);
  if (keys === null || (keys.length > 1 && !context.dialect.comparesRows)) {
    const where = [scope.writeCondition(first), ...select.where];
    return { kind: 'exists', keys: [], select: { ...select, where } };
  }
  const items = keys.map((key) => ({
    alias: toPlainName(key.inner),
    expr: writeInner(key, branch, context),
  }));
  const outside = keys.map((key) => writeOuter(key, branch, context));
  return { kind: 'exists', keys: outside, select: { ...select, items } };
}

/** Compiles the join of a branch that is reduced to distinct dimensions for each key. */
export function compileReduced(branch: ReducedJoin, context: CompileContext): Join {
  const { first, joins, keys, dimensions, isInner } = branch;
  const scope = new SqlScope(first, joins, false, context);
  const columns = dimensions.map(
    (field): SelectItem => ({ alias: notNull(field.column), expr: scope.writeField(field) }),
  );
  const names = new Names(
    context.dialect,
    columns.map(({ alias }) => alias),
  );
  const items = keys.map((key) => ({
    alias: names.create(toPlainName(key.inner)),
    expr: writeInner(key, branch, context),
  }));
  const on = keys.map((key, at): SqlExpr => {
    const left: SqlExpr = { kind: 'column', table: first.alias, name: elementAt(items, at).alias };
    return { kind: 'compare', op: '=', left, right: writeOuter(key, branch, context) };
  });
  const select = compileRows(branch, scope, () => scope, context);
  const isSorted = context.dialect.sortsReduced && dimensions.some(({ alias }) => alias !== first.alias);
  const orderBy = isSorted ? items.map((item) => ({ ...item, desc: false })) : [];
  return {
    type: isInner ? 'INNER' : 'LEFT',
    relation: {
      kind: 'select',
      selects: [{ ...select, distinct: true, items: [...items, ...columns], orderBy }],
      alias: first.alias,
    },
    on: on.length === 1 ? elementAt(on, 0) : { kind: 'and', parts: on },
  };
}

/** The counted rows of a branch. Write everything else that reads the branch before this call. */
function compileRows(
  { first, joins, where }: Branch,
  scope: SqlScope,
  scopeOf: (field: PlannedField) => SqlScope,
  context: CompileContext,
): Select {
  const toOperand = (field: PlannedField) => ({
    expr: scopeOf(field).writeField(field),
    caseSensitive: field.caseSensitive,
  });
  const conditions = where.map((condition) => compileCondition(condition, toOperand, context));
  const relateJoins = scope.join(joins);
  return createSelect(scope.relate(first.alias), { joins: relateJoins(), where: conditions });
}

function writeInner({ inner }: Key, { first }: Branch, { dialect }: CompileContext): SqlExpr {
  return { kind: 'raw', sql: `${dialect.quoteName(first.alias)}.${inner}`, atomic: true };
}

function writeOuter({ outer }: Key, { first }: Branch, { dialect }: CompileContext): SqlExpr {
  return { kind: 'raw', sql: `${dialect.quoteName(first.to)}.${outer}`, atomic: true };
}

/** Removes the quotes around a name. */
function toPlainName(written: string): string {
  return written.replace(/^["`[]|["`\]]$/g, '');
}
