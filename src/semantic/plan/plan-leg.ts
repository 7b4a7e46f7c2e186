import { elementAt } from '../../invariants/must.ts';
import { semanticErrors } from '../errors.ts';
import { listFields } from '../expression/condition.ts';
import type { AnyMeasureUse, Condition, Expression, KeyUse } from '../expression/expression.ts';
import { listExpressionFields, mapExpression } from '../expression/walk-expression.ts';
import type { DimensionUse, Role } from '../model/index/field-use.ts';
import type { IndexedEntity } from '../model/index/index-model.ts';
import type { AggregationType } from '../model/model.ts';
import { printUse } from '../query/resolve-query.ts';
import { findInner } from './find-inner.ts';
import { JoinTree, listAncestors, listNeeded, sortParents, type TreeNode } from './join-tree.ts';
import type { AnyMeasure, Leg, PlannedField, PlannedJoin, PlannedKey } from './plan.ts';
import { planConditions, planEntity, planField, planJoin } from './plan-join.ts';
import { planReduced } from './plan-reduced.ts';
import { findBranchKeys, type LegContext, listUses, type Sorting, sortNodes } from './sort-nodes.ts';
import { uncutExpression } from './uncut-dates.ts';

/** The task of one leg. */
export interface LegRequest {
  readonly root: IndexedEntity;
  /** The path that the query names the root by; null if it names the entity itself. */
  readonly role: Role | null;
  readonly addsGroups: boolean;
  readonly measures: readonly RequestedMeasure[];
  readonly rowFilter: string | null;
}

/** A measure and its column. */
export interface RequestedMeasure {
  readonly use: AnyMeasureUse;
  readonly column: string;
  /** Whether the measure's filter is the filter of the leg. */
  readonly isFiltered: boolean;
}

/**
 * Plans the joins of one leg and keeps its rows at their grain
 * (docs/reference/semantic-numbers.md#rows-that-joins-repeat).
 */
export function planLeg(request: LegRequest, context: LegContext): Leg {
  const { dimensions, strict } = context;
  const tree = new JoinTree(context, request.root, request.role);
  const isSeveral = (use: DimensionUse) => isFannedOut(tree.reach(use));
  const overlapping = dimensions.filter(({ use }) => listUses(use).some(isSeveral));
  if (strict && overlapping.length > 0 && request.measures.length > 0) {
    throw semanticErrors.finer(printUse(elementAt(overlapping, 0).use), request.root.entity.name);
  }
  const measured = request.measures.flatMap(({ use }) => listMeasureUses(use));
  const apart = measured.find(isSeveral);
  if (apart !== undefined) throw refuseApart(apart, request);
  const sorting = sortNodes(tree, measured, context);
  const { where, exists } = sorting;
  const toField = (use: DimensionUse) => planField(tree.reach(use), use, null);
  const reduced = planReduced(sorting, isMindful(request), context);
  const rows = reduced === null ? chooseRows(sorting, request) : 'once';
  return {
    root: planEntity(tree.root),
    rows,
    addsGroups: request.addsGroups,
    joins: reduced?.joins ?? listJoins(sorting),
    dimensions: dimensions.map(({ use, alias }) => planKey(use, alias, tree)),
    measures: request.measures.map((measure) => planMeasure(measure, tree)),
    where: reduced?.where ?? planConditions(where, toField),
    exists: [...exists].map(([node, own]) => ({
      first: planJoin(node),
      joins: listBranch(node, own, context, tree),
      where: planConditions(own, toField),
      keys: findBranchKeys(node, own, tree, context),
    })),
    rowFilter: request.rowFilter,
    overlapping: overlapping.map(({ use }) => printUse(use)),
  };
}

/** The dimensions that a measure uses. */
function listMeasureUses(use: AnyMeasureUse): readonly DimensionUse[] {
  if (use.kind === 'measure') return [];
  const parts = [use.argument, use.filter].filter((part) => part !== null);
  return parts.flatMap((part) => listExpressionFields(part));
}

function refuseApart(apart: DimensionUse, { root, measures }: LegRequest): Error {
  const asked = measures.filter(({ use }) => listMeasureUses(use).includes(apart));
  return semanticErrors.measureFields(printUse(elementAt(asked, 0).use), printUse(apart), root.entity.name);
}

function planKey(use: KeyUse, column: string, tree: JoinTree): PlannedKey {
  if (use.kind === 'dimension') return planField(tree.reach(use), use, column);
  const expression = planExpression(use.expression, tree);
  return { column, dataType: expression.dataType, expression };
}

function planMeasure({ use, column, isFiltered }: RequestedMeasure, tree: JoinTree): AnyMeasure {
  if (use.kind === 'measure') {
    const { name, aggregation, dataType, expr, filter } = use.measure;
    return { column, name, aggregation, dataType, expr, filter: isFiltered ? null : filter };
  }
  const { aggregate, argument, filter, dataType } = use;
  return {
    column,
    aggregation: aggregate,
    dataType,
    argument: argument && planExpression(argument, tree),
    condition: filter && planExpression(filter, tree),
  };
}

function planExpression(expression: Expression<DimensionUse>, tree: JoinTree): Expression<PlannedField> {
  return mapExpression(uncutExpression(expression), (own) => planField(tree.reach(own), own, null));
}

/** Whether one row of the root can have several rows of a node. */
function isFannedOut(node: TreeNode): boolean {
  return [...listAncestors(node)].some(({ edge }) => edge?.toMany === true);
}

/** Rows repeated by joins must be identified, unless the aggregates ignore duplicates. */
function chooseRows({ kept }: Sorting, request: LegRequest): Leg['rows'] {
  const isRepeated = [...kept].some(({ edge }) => edge?.toMany === true);
  if (!isRepeated || !isMindful(request)) return 'once';
  return request.measures.some(({ use }) => findAggregation(use) === 'CUSTOM') ? 'numbered' : 'distinct';
}

/** Whether the number of repetitions of a row matters. */
function isMindful({ measures }: LegRequest): boolean {
  return measures.some(({ use }) => !UNMINDFUL.has(findAggregation(use)));
}

function findAggregation(use: AnyMeasureUse): AggregationType {
  return use.kind === 'measure' ? use.measure.aggregation : use.aggregate;
}

/** Aggregates that ignore duplicates. */
const UNMINDFUL: ReadonlySet<string> = new Set(['COUNT_DISTINCT', 'MIN', 'MAX']);

function listBranch(
  first: TreeNode,
  conditions: readonly Condition<DimensionUse>[],
  context: LegContext,
  tree: JoinTree,
): readonly PlannedJoin[] {
  const inner = findInner(conditions, tree, context);
  const nodes = new Set<TreeNode>();
  for (const use of conditions.flatMap((own) => listFields(own))) {
    for (const node of listNeeded(tree.reach(use))) {
      if (node !== first && [...listAncestors(node)].includes(first)) nodes.add(node);
    }
  }
  return [...nodes].map((node) => planJoin(node, inner));
}

/** The joins; those that leave few rows come first. */
function listJoins({ kept, inner }: Sorting): readonly PlannedJoin[] {
  const joined = [...kept].filter(({ parent }) => parent !== null);
  return sortParents(joined, inner).map((node) => planJoin(node, inner));
}
