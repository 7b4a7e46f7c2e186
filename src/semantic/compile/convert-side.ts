import { elementAt } from '../../invariants/must.ts';
import type { ResultColumn } from '../expression/statement.ts';
import type { ValueType } from '../model/model.ts';
import type { Dialect } from '../sql/dialect.ts';
import { createNoValue, createSelect, createSqlCast, type Select, type SqlExpr } from '../sql/nodes.ts';

/** Types that platforms do not infer for mixed values. */
export const MIXED_TYPES: ReadonlySet<ValueType> = new Set<ValueType>(['FLOAT', 'TIMESTAMP', 'DATETIME']);

interface Whole {
  readonly columns: readonly ResultColumn[];
  /** Whether texts are compared by their keys. */
  readonly hasKeys: boolean;
  readonly dialect: Dialect;
}

/** Gives one side of a set operation the names, types and comparison keys of the whole result. */
export function convertSide(select: Select, own: readonly ResultColumn[], whole: Whole): Select {
  const sides = whole.columns.map((column, at) => findConversion(elementAt(own, at), column, whole));
  const isPlain =
    select.limit === null &&
    whole.columns.every(({ name }, at) => select.items[at]?.alias === name && elementAt(sides, at).isInPlace);
  if (isPlain) {
    return {
      ...select,
      items: select.items.map(({ alias, expr }, at) => ({ alias, expr: elementAt(sides, at).convert(expr) })),
    };
  }
  const alias = 'side';
  const items = whole.columns.map(({ name }, at) => {
    const column: SqlExpr = { kind: 'column', table: alias, name: elementAt(own, at).name };
    return { alias: name, expr: elementAt(sides, at).convert(column) };
  });
  return createSelect({ kind: 'select', selects: [select], alias }, { items });
}

interface Conversion {
  readonly convert: (expr: SqlExpr) => SqlExpr;
  /** Whether a value can be converted where it is computed: a key then has the same groups. */
  readonly isInPlace: boolean;
}

function findConversion(
  own: ResultColumn,
  { dataType }: ResultColumn,
  { hasKeys, dialect }: Whole,
): Conversion {
  if (own.isNull) return { convert: () => createNoValue(dataType), isInPlace: true };
  // On some platforms a count and other integers have no common type.
  const isCount = !dialect.alignsNumbers && own.dataType === 'INTEGER';
  if (isCount && !MIXED_TYPES.has(dataType)) {
    return { convert: (expr) => createSqlCast(expr, 'INTEGER'), isInPlace: true };
  }
  // On some platforms a DATETIME has several types, which have no common type.
  if (dialect.mixesMoments && own.dataType === 'DATETIME') {
    return { convert: (expr) => createSqlCast(expr, 'DATETIME'), isInPlace: true };
  }
  if (own.dataType !== dataType && MIXED_TYPES.has(dataType)) {
    return { convert: (expr) => createSqlCast(expr, dataType), isInPlace: false };
  }
  if (hasKeys && dataType === 'TEXT')
    return { convert: (expr) => ({ kind: 'text-key', expr }), isInPlace: false };
  return { convert: (expr) => expr, isInPlace: true };
}
