import { elementAt, notNull, present } from '../../invariants/must.ts';
import { listFields, rejectsNull } from '../expression/condition.ts';
import type { Condition } from '../expression/expression.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import { listAncestors, sortParents, type TreeNode } from './join-tree.ts';
import type { PlannedField, PlannedJoin, ReducedJoin } from './plan.ts';
import { endsWithParent, findKeys, planConditions, planField, planJoin } from './plan-join.ts';
import { type LegContext, listUses, type Sorting } from './sort-nodes.ts';

type Conditions = readonly Condition<DimensionUse>[];

/** The joins and conditions of a leg with reduced branches. */
interface ReducedJoins {
  readonly joins: readonly (PlannedJoin | ReducedJoin)[];
  /** The conditions outside branches: on other entities, or on the columns that a branch is reduced to. */
  readonly where: readonly Condition<PlannedField>[];
}

/**
 * Plans a leg whose to-many branches are first reduced to their distinct dimensions, so that no row appears twice with
 * the same dimensions. Null if that would change the result or has no advantage.
 */
export function planReduced(sorting: Sorting, isMindful: boolean, context: LegContext): ReducedJoins | null {
  if (!context.dialect.joinsByTheLetter) return null;
  const firsts = listFirsts(sorting.kept);
  if (firsts.length === 0 || (!isMindful && firsts.length === 1)) return null;
  if (firsts.length === 1 && isNarrowed(sorting)) return null;
  // An expression over a branch can have a value where the branch is absent, or the same value for several of its rows.
  const computed = context.dimensions.filter(({ use }) => use.kind === 'computed');
  const isInBranch = (use: DimensionUse) => findFirst(sorting.tree.reach(use)) !== null;
  if (computed.some(({ use }) => listUses(use).some(isInBranch))) return null;
  if ([...sorting.exists].some(([node, own]) => needsColumns(node, own, sorting))) return null;
  const branches = firsts.map((first) => planBranch(first, firsts.length > 1, sorting, context));
  if (!branches.every((branch) => branch !== null)) return null;
  const outer = [...sorting.kept].filter((node) => node.parent !== null && findFirst(node) === null);
  const inner = new Set(firsts.filter((_, at) => elementAt(branches, at).isInner));
  return {
    joins: [...sortParents(outer, sorting.inner).map((node) => planJoin(node, sorting.inner)), ...branches],
    where: listOutside(inner, sorting, context),
  };
}

/** The to-many nodes without a to-many ancestor. */
function listFirsts(kept: ReadonlySet<TreeNode>): readonly TreeNode[] {
  return [...new Set([...kept].map(findFirst))].filter((node) => node !== null);
}

/** Whether few rows can remain outside the branches: joining those is faster than reducing a whole branch. */
function isNarrowed({ tree, where, exists }: Sorting): boolean {
  const isOutside = (use: DimensionUse) => findFirst(tree.reach(use)) === null;
  return exists.size > 0 || where.some((condition) => listFields(condition).every(isOutside));
}

/** The to-many node nearest to the root among a node and its ancestors; null without one. */
function findFirst(node: TreeNode): TreeNode | null {
  return [...listAncestors(node)].findLast(({ edge }) => edge?.toMany === true) ?? null;
}

/** Whether an EXISTS branch compares columns that a reduced branch would no longer have. */
function needsColumns(node: TreeNode, own: Conditions, { tree, kept }: Sorting): boolean {
  const nodes = own.flatMap(listFields).map((use) => tree.reach(use));
  return [notNull(node.parent), ...nodes].some((one) => kept.has(one) && findFirst(one) !== null);
}

/** The conditions outside all branches. */
function listOutside(
  branches: ReadonlySet<TreeNode | null>,
  { tree, where }: Sorting,
  { dimensions }: LegContext,
): ReducedJoins['where'] {
  const toField = (use: DimensionUse) => {
    const node = tree.reach(use);
    const isReduced = findFirst(node) !== null;
    const column = isReduced ? present(dimensions.find((own) => own.use.key === use.key)).alias : null;
    return planField(node, use, column);
  };
  const outside = where.filter(
    (condition) => !listFields(condition).some((use) => branches.has(findFirst(tree.reach(use)))),
  );
  return planConditions(outside, toField);
}

/** Plans a reduced branch; null if it cannot be reduced, or should be reduced only next to others. */
function planBranch(
  first: TreeNode,
  hasSiblings: boolean,
  { tree, kept, where, inner }: Sorting,
  context: LegContext,
): ReducedJoin | null {
  const join = planJoin(first);
  const keys = findKeys(join, context);
  if (keys === null) return null;
  const isInside = (use: DimensionUse) => findFirst(tree.reach(use)) === first;
  const own: Conditions = where.filter((condition) => listFields(condition).some(isInside));
  if (!own.every((condition) => listFields(condition).every(isInside))) return null;
  const isInner = own.some((condition) => rejectsNull(condition, isInside));
  const selected = new Set(context.dimensions.map(({ use }) => use.key));
  const canFollow = (condition: Condition<DimensionUse>) =>
    listFields(condition).every(({ key }) => selected.has(key)) && (hasSiblings || leavesMost(condition));
  if (!isInner && !own.every(canFollow)) return null;
  const nodes = [...kept].filter((node) => node !== first && findFirst(node) === first);
  if (!nodes.every((node) => endsWithParent(node, context))) return null;
  return {
    kind: 'reduced',
    first: join,
    joins: sortParents(nodes, inner).map((node) => planJoin(node, inner)),
    keys,
    where: planConditions(isInner ? own : [], (use) => planField(tree.reach(use), use, null)),
    dimensions: context.dimensions.flatMap(({ use, alias }) =>
      use.kind === 'dimension' && isInside(use) ? [planField(tree.reach(use), use, alias)] : [],
    ),
    isInner,
  };
}

/** Whether a condition only excludes values: it removes few rows, which does not justify joining a whole branch. */
function leavesMost(condition: Condition<DimensionUse>): boolean {
  if (condition.kind === 'expression') return false;
  if (condition.kind === 'test') return condition.negated;
  return condition.kind === 'and' ? condition.parts.every(leavesMost) : condition.parts.some(leavesMost);
}
