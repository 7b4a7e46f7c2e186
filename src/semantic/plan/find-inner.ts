import { listConditionFields, rejectsNull } from '../expression/condition.ts';
import type { ResolvedFilter } from '../expression/expression.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import { type JoinTree, listAncestors, type TreeNode } from './join-tree.ts';
import { endsWithParent, isResult, type KeyContext } from './plan-join.ts';

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
