import { notNull } from '../../invariants/must.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import { findExpression, type ModelIndex } from '../model/index/index-model.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { TreeNode } from './join-tree.ts';
import type { Key, PlannedEntity, PlannedField, PlannedJoin } from './plan.ts';

/** What a node stands for. */
export function planEntity({ alias, entity: { entity } }: TreeNode): PlannedEntity {
  return { alias, entity: entity.name, source: entity.source, primaryKey: entity.primaryKey };
}

/** The join of a node, which must not be the root; `inner` are those without which there is nothing to find. */
export function planJoin(node: TreeNode, inner: ReadonlySet<TreeNode> = NONE): PlannedJoin {
  const [edge, parent] = [notNull(node.edge), notNull(node.parent)];
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
    isInner: inner.has(node),
  };
}

const NONE: ReadonlySet<TreeNode> = new Set();

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
    isMoment,
    caseSensitive: dimension.caseSensitive,
  };
}

/** Whether a node is certainly absent where the one above it is. */
export function endsWithParent(node: TreeNode, context: KeyContext): boolean {
  return findKeys(planJoin(node), context) !== null;
}

/** What deciding about the columns of joins goes by. */
export interface KeyContext {
  readonly index: ModelIndex;
  readonly dialect: Dialect;
}

/** The columns whose being equal is all that joins an entity; null where there is more to it. */
export function findKeys(
  { condition, names, aliases, to }: PlannedJoin,
  { index, dialect }: KeyContext,
): readonly Key[] | null {
  const { equalities } = findExpression(index, condition, names, dialect.lexicalRules);
  if (equalities === null) return null;
  const isLeftOuter = aliases[0] === to;
  return equalities.map(({ left, right }) =>
    isLeftOuter ? { outer: left, inner: right } : { outer: right, inner: left },
  );
}
