import { notNull } from '../../invariants/must.ts';
import { listConditionFields, rejectsNull } from '../expression/condition.ts';
import type { KeyUse, OutputColumn, ResolvedFilter, ResultLink } from '../expression/expression.ts';
import { listExpressionFields } from '../expression/walk-expression.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import type { ModelIndex } from '../model/index/index-model.ts';
import type { Dialect } from '../sql/dialect.ts';
import { type JoinTree, listAncestors, listNeeded, type TreeNode } from './join-tree.ts';
import type { Key } from './plan.ts';
import { endsWithParent, findKeys, isResult, type KeyContext, planJoin } from './plan-join.ts';

/** The context that all legs of a query share. */
export interface LegContext {
  readonly index: ModelIndex;
  readonly dialect: Dialect;
  readonly strict: boolean;
  readonly dimensions: readonly OutputColumn<KeyUse, string>[];
  readonly conditions: readonly ResolvedFilter<DimensionUse>[];
  readonly results: readonly ResultLink[];
}

/** The nodes of a leg's joins, sorted by purpose. */
export interface Sorting {
  readonly tree: JoinTree;
  /** Nodes that are joined because their columns are needed. */
  readonly joinedNodes: ReadonlySet<TreeNode>;
  readonly where: readonly ResolvedFilter<DimensionUse>[];
  /** The nodes of `joinedNodes` that `where` needs. */
  readonly inner: ReadonlySet<TreeNode>;
  /** Branches that are only tested with EXISTS, by their first node. */
  readonly exists: ReadonlyMap<TreeNode, readonly ResolvedFilter<DimensionUse>[]>;
}

type Conditions = readonly ResolvedFilter<DimensionUse>[];

/** The dimensions of a key. */
export function listDimensionUses(key: KeyUse): readonly DimensionUse[] {
  return key.kind === 'dimension' ? [key] : listExpressionFields(key.expression);
}

/**
 * Decides which nodes are joined and which branches are only tested with EXISTS; `measured` are the dimensions in
 * measures.
 */
export function sortNodes(tree: JoinTree, measured: readonly DimensionUse[], context: LegContext): Sorting {
  const { dimensions, conditions } = context;
  const shown = [...dimensions.flatMap(({ use }) => listDimensionUses(use)), ...measured];
  const seen = listNeeded([tree.root, ...shown.map((use) => tree.reach(use))]);
  const groups = new Map<TreeNode, ResolvedFilter<DimensionUse>[]>();
  const mixed = new Set<TreeNode | null>();
  for (const condition of conditions) {
    const branches = new Set(listConditionFields(condition).map((use) => findBranch(tree.reach(use), seen)));
    branches.delete(null);
    const [first] = branches;
    if (branches.size > 1) for (const branch of branches) mixed.add(branch);
    else if (first != null) groups.set(first, [...(groups.get(first) ?? []), condition]);
  }
  const exists = new Map(
    [...groups].filter(
      ([branch, conditions]) => !mixed.has(branch) && canAsk(branch, conditions, tree, context),
    ),
  );
  const asked = new Set([...exists.values()].flat());
  const where = conditions.filter((condition) => !asked.has(condition));
  const outside = [...exists].flatMap(([branch, conditions]) => [
    notNull(branch.parent),
    ...listOutside(branch, conditions, tree),
  ]);
  const compared = where.flatMap(listConditionFields).map((use) => tree.reach(use));
  const joinedNodes = listNeeded([...seen, ...outside, ...compared]);
  return { tree, joinedNodes, where, inner: findInner(where, tree, context), exists };
}

/** The first to-many node on the path to this node that is not joined anyway. */
function findBranch(node: TreeNode, seen: ReadonlySet<TreeNode>): TreeNode | null {
  let branch: TreeNode | null = null;
  for (const ancestor of listAncestors(node)) {
    if (seen.has(ancestor)) break;
    if (ancestor.edge?.toMany === true) branch = ancestor;
  }
  return branch;
}

/**
 * Whether conditions on a branch can be tested without joining it: they fail where it is absent, and the platform
 * supports the sub-query.
 */
function canAsk(branch: TreeNode, conditions: Conditions, tree: JoinTree, context: LegContext): boolean {
  const isInside = (use: DimensionUse) => [...listAncestors(tree.reach(use))].includes(branch);
  if (!conditions.some((condition) => rejectsNull(condition, isInside))) return false;
  const inner = conditions
    .flatMap(listConditionFields)
    .filter(isInside)
    .flatMap((use) => [...listAncestors(tree.reach(use))]);
  const below = inner.filter((node) => node !== branch && [...listAncestors(node)].includes(branch));
  if (!below.every((node) => endsWithParent(node, context))) return false;
  return context.dialect.correlates || findBranchKeys(branch, conditions, tree, context) !== null;
}

/** The nodes outside a branch whose columns its conditions compare. */
function listOutside(branch: TreeNode, conditions: Conditions, tree: JoinTree): readonly TreeNode[] {
  const nodes = conditions.flatMap(listConditionFields).map((use) => tree.reach(use));
  return nodes.filter((node) => ![...listAncestors(node)].includes(branch));
}

/** The equal columns that connect a branch with its outer entity; null if the condition contains anything else. */
export function findBranchKeys(
  branch: TreeNode,
  conditions: Conditions,
  tree: JoinTree,
  context: LegContext,
): readonly Key[] | null {
  return listOutside(branch, conditions, tree).length > 0 ? null : findKeys(planJoin(branch), context);
}

/**
 * The nodes that the conditions need. An inner join of them finds the same rows, and lets the database start with the
 * few rows that match.
 */
export function findInner(
  conditions: readonly ResolvedFilter<DimensionUse>[],
  tree: JoinTree,
  context: KeyContext,
): ReadonlySet<TreeNode> {
  const inner = new Set<TreeNode>();
  for (const condition of conditions) {
    const nodes = listConditionFields(condition).map((use) => tree.reach(use));
    for (const node of new Set(nodes.flatMap((start) => [...listAncestors(start)]))) {
      const endsWithNode = (use: DimensionUse) => endsWith(tree.reach(use), node, context);
      if (node.parent !== null && rejectsNull(condition, endsWithNode)) inner.add(node);
    }
  }
  return inner;
}

/** Whether a node is certainly absent if another one is; the other is the node itself or one of its ancestors. */
function endsWith(node: TreeNode, above: TreeNode, context: KeyContext): boolean {
  for (const ancestor of listAncestors(node)) {
    if (ancestor === above) return true;
    if (isResult(ancestor)) return [...listAncestors(ancestor)].includes(above);
    if (ancestor.parent === null || !endsWithParent(ancestor, context)) return false;
  }
  return false;
}
