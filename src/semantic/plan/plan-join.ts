import { notNull } from '../../invariants/must.ts';
import { isPresence, mapFields } from '../expression/condition.ts';
import type { ResolvedFilter } from '../expression/expression.ts';
import { mapExpression } from '../expression/walk-expression.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import { findExpression, type ModelIndex } from '../model/index/index-model.ts';
import { isUtc } from '../model/local-time.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { TreeNode } from './join-tree.ts';
import type { Key, PlannedEntity, PlannedField, PlannedJoin } from './plan.ts';

/** The entity of a node. */
export function planEntity({ alias, entity: { entity }, edge }: TreeNode): PlannedEntity {
  const result = edge?.result ?? null;
  const source = result === null ? entity.source : ({ kind: 'result', name: result } as const);
  return { alias, entity: entity.name, source, primaryKey: entity.primaryKey };
}

/** The join of a node, which must not be the root; `inner` are the nodes that the conditions need. */
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
    on: node.on.map((condition) =>
      mapExpression(condition, (placed) => planField(placed.node, placed.use, null)),
    ),
    isInner: inner.has(node),
  };
}

const NONE: ReadonlySet<TreeNode> = new Set();

/** A dimension of its node. */
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
    timezone: isMoment && !isUtc(timezone) ? timezone : null,
    isMoment,
    caseSensitive: dimension.caseSensitive,
  };
}

/** The conditions, without those that the joins fulfil. */
export function planConditions(
  conditions: readonly ResolvedFilter<DimensionUse>[],
  toField: (use: DimensionUse) => PlannedField,
): readonly ResolvedFilter<PlannedField>[] {
  return conditions
    .filter((condition) => !isPresence(condition))
    .map((condition) => mapFields(condition, toField));
}

/** Whether a node is a result: it is joined only where its parent is there. */
export function isResult({ edge }: TreeNode): boolean {
  return edge !== null && edge.result !== null;
}

/** Whether a node is certainly absent if its parent is. */
export function endsWithParent(node: TreeNode, context: KeyContext): boolean {
  return isResult(node) || findKeys(planJoin(node), context) !== null;
}

/** The inputs for decisions about the columns of joins. */
export interface KeyContext {
  readonly index: ModelIndex;
  readonly dialect: Dialect;
}

/** The equal columns that an entity is joined by; null if the condition contains anything else. */
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
