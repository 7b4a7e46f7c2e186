import { elementAt, notNull, present } from '../../invariants/must.ts';
import { listFields, mapFields, rejectsNull } from '../expression/condition.ts';
import type { Condition } from '../expression/expression.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import { listAncestors, sortParents, type TreeNode } from './join-tree.ts';
import type { PlannedField, PlannedJoin, ReducedJoin } from './plan.ts';
import { endsWithParent, findKeys, planField, planJoin } from './plan-join.ts';
import { type LegContext, listUses, type Sorting } from './sort-nodes.ts';

type Conditions = readonly Condition<DimensionUse>[];

/** What of a leg is joined and asked where branches are reduced. */
interface ReducedJoins {
  readonly joins: readonly (PlannedJoin | ReducedJoin)[];
  /** What is not asked inside of a branch, but of other entities or of what a branch is reduced to. */
  readonly where: readonly Condition<PlannedField>[];
}

/**
 * The joins of a leg whose to-many branches are reduced to their different dimensions first, so that no row is there
 * twice with the same ones; null where that changes what is found, or nothing is to be gained by it.
 */
export function planReduced(sorting: Sorting, isMindful: boolean, context: LegContext): ReducedJoins | null {
  if (!context.dialect.joinsByTheLetter) return null;
  const firsts = listFirsts(sorting.kept);
  if (firsts.length === 0 || (!isMindful && firsts.length === 1)) return null;
  if (firsts.length === 1 && isNarrowed(sorting)) return null;
  // What is computed of a branch may have a value where that has none, or one for several of its rows.
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

/** The to-many nodes that no other one is above. */
function listFirsts(kept: ReadonlySet<TreeNode>): readonly TreeNode[] {
  return [...new Set([...kept].map(findFirst))].filter((node) => node !== null);
}

/** Whether few rows may be left outside of the branches: to join those is quicker than to reduce a whole branch. */
function isNarrowed({ tree, where, exists }: Sorting): boolean {
  const isOutside = (use: DimensionUse) => findFirst(tree.reach(use)) === null;
  return exists.size > 0 || where.some((condition) => listFields(condition).every(isOutside));
}

/** Of a node and those above it, the one nearest to the root that a row may have several of. */
function findFirst(node: TreeNode): TreeNode | null {
  return [...listAncestors(node)].findLast(({ edge }) => edge?.toMany === true) ?? null;
}

/** Whether a branch that only needs to be there compares columns that a reduced one would not have any more. */
function needsColumns(node: TreeNode, own: Conditions, { tree, kept }: Sorting): boolean {
  const nodes = own.flatMap(listFields).map((use) => tree.reach(use));
  return [notNull(node.parent), ...nodes].some((one) => kept.has(one) && findFirst(one) !== null);
}

/** What is not asked inside of one of the branches. */
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
  return where
    .filter((condition) => !listFields(condition).some((use) => branches.has(findFirst(tree.reach(use)))))
    .map((condition) => mapFields(condition, toField));
}

/** A branch as it is joined; null where it cannot be reduced, or should not be unless there are others beside it. */
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
    where: (isInner ? own : []).map((condition) =>
      mapFields(condition, (use) => planField(tree.reach(use), use, null)),
    ),
    dimensions: context.dimensions.flatMap(({ use, alias }) =>
      use.kind === 'dimension' && isInside(use) ? [planField(tree.reach(use), use, alias)] : [],
    ),
    isInner,
  };
}

/** Whether a condition only says what is not to be there: few rows less are no reason to join all of a branch. */
function leavesMost(condition: Condition<DimensionUse>): boolean {
  if (condition.kind === 'expression') return false;
  if (condition.kind === 'test') return condition.negated;
  return condition.kind === 'and' ? condition.parts.every(leavesMost) : condition.parts.some(leavesMost);
}
