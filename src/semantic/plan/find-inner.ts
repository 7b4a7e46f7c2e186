import { listFields, rejectsNull } from '../expression/condition.ts';
import type { Condition } from '../expression/expression.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import { type JoinTree, listAncestors, type TreeNode } from './join-tree.ts';
import { endsWithParent, type KeyContext } from './plan-join.ts';

/**
 * The nodes without which conditions cannot hold: an inner join of them finds the same rows, and leaves a database free
 * to begin with the few that are asked for.
 */
export function findInner(
  conditions: readonly Condition<DimensionUse>[],
  tree: JoinTree,
  context: KeyContext,
): ReadonlySet<TreeNode> {
  const inner = new Set<TreeNode>();
  for (const condition of conditions) {
    const nodes = listFields(condition).map((use) => tree.reach(use));
    for (const node of new Set(nodes.flatMap((own) => [...listAncestors(own)]))) {
      const endsWithNode = (use: DimensionUse) => endsWith(tree.reach(use), node, context);
      if (node.parent !== null && rejectsNull(condition, endsWithNode)) inner.add(node);
    }
  }
  return inner;
}

/** Whether a node is certainly absent where another one is, which is itself or above it. */
function endsWith(node: TreeNode, above: TreeNode, context: KeyContext): boolean {
  for (const own of listAncestors(node)) {
    if (own === above) return true;
    if (own.parent === null || !endsWithParent(own, context)) return false;
  }
  return false;
}
