import { elementAt } from '../../invariants/must.ts';
import { semanticErrors } from '../errors.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import type { IndexedEntity } from '../model/index/index-model.ts';
import { type Condition, listFields, mapFields } from '../query/condition.ts';
import { printUse } from '../query/resolve-query.ts';
import { findInner } from './find-inner.ts';
import { JoinTree, listAncestors, sortParents, type TreeNode } from './join-tree.ts';
import type { Leg, PlannedJoin, PlannedMeasure } from './plan.ts';
import { planEntity, planField, planJoin } from './plan-join.ts';
import { planReduced } from './plan-reduced.ts';
import { findBranchKeys, type LegContext, type Sorting, sortNodes } from './sort-nodes.ts';

/** What a leg is to answer. */
export interface LegRequest {
  readonly root: IndexedEntity;
  readonly addsGroups: boolean;
  readonly measures: readonly PlannedMeasure[];
  readonly rowFilter: string | null;
}

/** Plans the joins of one leg, and how its rows stay at their grain (semantic 3, point 3). */
export function planLeg(request: LegRequest, context: LegContext): Leg {
  const { dimensions, strict } = context;
  const tree = new JoinTree(context.index, request.root, context.dialect);
  const overlapping = dimensions.filter(({ use }) => isFannedOut(tree.reach(use)));
  if (strict && overlapping.length > 0 && request.measures.length > 0) {
    throw semanticErrors.finer(printUse(elementAt(overlapping, 0).use), request.root.entity.name);
  }
  const sorting = sortNodes(tree, context);
  const { where, exists } = sorting;
  const toField = (use: DimensionUse) => planField(tree.reach(use), use, null);
  const reduced = planReduced(sorting, isMindful(request), context);
  const rows = reduced === null ? chooseRows(sorting, request) : 'once';
  return {
    root: planEntity(tree.root),
    rows,
    addsGroups: request.addsGroups,
    joins: reduced?.joins ?? listJoins(sorting),
    dimensions: dimensions.map(({ use, alias }) => planField(tree.reach(use), use, alias)),
    measures: request.measures,
    where: reduced?.where ?? where.map((own) => mapFields(own, toField)),
    exists: [...exists].map(([node, own]) => ({
      first: planJoin(node),
      joins: listBranch(node, own, context, tree),
      where: own.map((condition) => mapFields(condition, toField)),
      keys: findBranchKeys(node, own, tree, context),
    })),
    rowFilter: request.rowFilter,
    overlapping: overlapping.map(({ use }) => printUse(use)),
  };
}

/** Whether a row of the root may have several of a node. */
function isFannedOut(node: TreeNode): boolean {
  return [...listAncestors(node)].some(({ edge }) => edge?.toMany === true);
}

/** Rows that joins repeat must be told apart, unless what is counted does not mind. */
function chooseRows({ kept }: Sorting, request: LegRequest): Leg['rows'] {
  const isRepeated = [...kept].some(({ edge }) => edge?.toMany === true);
  if (!isRepeated || !isMindful(request)) return 'once';
  return request.measures.some(({ aggregation }) => aggregation === 'CUSTOM') ? 'numbered' : 'distinct';
}

/** Whether it matters how often a row is there. */
function isMindful({ measures }: LegRequest): boolean {
  return measures.some(({ aggregation }) => !UNMINDFUL.has(aggregation));
}

/** Aggregates that are the same however often a value is there. */
const UNMINDFUL: ReadonlySet<string> = new Set(['COUNT_DISTINCT', 'MIN', 'MAX']);

function listBranch(
  first: TreeNode,
  conditions: readonly Condition<DimensionUse>[],
  context: LegContext,
  tree: JoinTree,
): readonly PlannedJoin[] {
  const inner = findInner(conditions, tree, context);
  const nodes = new Set<TreeNode>();
  for (const use of conditions.flatMap(listFields)) {
    const path = [...listAncestors(tree.reach(use))];
    const at = path.indexOf(first);
    for (const node of path.slice(0, Math.max(at, 0)).reverse()) nodes.add(node);
  }
  return [...nodes].map((node) => planJoin(node, inner));
}

/** The joins, those first that leave few rows for the others. */
function listJoins({ kept, inner }: Sorting): readonly PlannedJoin[] {
  const joined = [...kept].filter(({ parent }) => parent !== null);
  return sortParents(joined, inner).map((node) => planJoin(node, inner));
}
