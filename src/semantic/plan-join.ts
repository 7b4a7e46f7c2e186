import type { DimensionUse } from './field-use.ts';
import { findExpression, type ModelIndex } from './index-model.ts';
import type { TreeNode } from './join-tree.ts';
import type { Key, PlannedEntity, PlannedField, PlannedJoin } from './plan.ts';
import type { Dialect } from './sql/dialect.ts';

/** What a node stands for. */
export function planEntity({ alias, entity: { entity } }: TreeNode): PlannedEntity {
  return { alias, entity: entity.name, source: entity.source, primaryKey: entity.primaryKey };
}

/** The join of a node, which must not be the root. */
export function planJoin(node: TreeNode): PlannedJoin {
  const [edge, parent] = [node.edge!, node.parent!];
  const aliases = edge.isInverse
    ? ([node.alias, parent.alias] as const)
    : ([parent.alias, node.alias] as const);
  return {
    kind: 'join',
    ...planEntity(node),
    to: parent.alias,
    path: edge.step,
    toMany: edge.toMany,
    condition: edge.condition,
    names: edge.names,
    aliases,
  };
}

/** A dimension at its node. */
export function planField(node: TreeNode, { field }: DimensionUse, column: string | null): PlannedField {
  const { dimension, base } = field;
  const isMoment = dimension.grain !== null && base.dataType === 'DATETIME';
  const { timezone } = node.entity;
  return {
    column,
    alias: node.alias,
    entity: node.entity.entity.name,
    name: dimension.name,
    dataType: dimension.dataType,
    expr: dimension.expr,
    grain: dimension.grain,
    timezone: isMoment && !/^(?:etc\/)?utc$/i.test(timezone) ? timezone : null,
    caseSensitive: dimension.caseSensitive,
  };
}

/** The columns whose being equal is all that joins an entity; null where there is more to it. */
export function findKeys(
  { condition, names, aliases, to }: PlannedJoin,
  { index, dialect }: { readonly index: ModelIndex; readonly dialect: Dialect },
): readonly Key[] | null {
  const { equalities } = findExpression(index, condition, names, dialect.lexis);
  if (equalities === null) return null;
  const isLeftOuter = aliases[0] === to;
  return equalities.map(({ left, right }) =>
    isLeftOuter ? { outer: left, inner: right } : { outer: right, inner: left },
  );
}
