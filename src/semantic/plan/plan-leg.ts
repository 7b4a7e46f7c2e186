import { elementAt, notNull, present } from '../../invariants/must.ts';
import { semanticErrors } from '../errors.ts';
import { listConditionFields, rejectsNull } from '../expression/condition.ts';
import type { AnyMeasureUse, KeyUse, ResolvedFilter, TypedExpression } from '../expression/expression.ts';
import { listExpressionFields, mapExpression } from '../expression/walk-expression.ts';
import type { DimensionUse, RolePath } from '../model/index/field-use.ts';
import type { IndexedEntity } from '../model/index/index-model.ts';
import type { AggregationType } from '../model/model.ts';
import { printUse } from '../query/resolve-query.ts';
import { JoinTree, listAncestors, listNeeded, sortParents, type TreeNode } from './join-tree.ts';
import type { AnyMeasure, Leg, PlannedField, PlannedJoin, PlannedKey, ReducedJoin } from './plan.ts';
import { endsWithParent, findKeys, planConditions, planEntity, planField, planJoin } from './plan-join.ts';
import {
  findBranchKeys,
  findInner,
  type LegContext,
  listDimensionUses,
  type Sorting,
  sortNodes,
} from './sort-nodes.ts';
import { uncutExpression } from './uncut-dates.ts';

/** The task of one leg. */
export interface LegRequest {
  readonly root: IndexedEntity;
  /** The path that the query names the root by; null if it names the entity itself. */
  readonly role: RolePath | null;
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
  const overlapping = dimensions.filter(({ use }) => listDimensionUses(use).some(isSeveral));
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
    exists: [...exists].map(([node, conditions]) => ({
      first: planJoin(node),
      joins: listBranch(node, conditions, context, tree),
      where: planConditions(conditions, toField),
      keys: findBranchKeys(node, conditions, tree, context),
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

function planExpression(
  expression: TypedExpression<DimensionUse>,
  tree: JoinTree,
): TypedExpression<PlannedField> {
  return mapExpression(uncutExpression(expression), (field) => planField(tree.reach(field), field, null));
}

/** Whether one row of the root can have several rows of a node. */
function isFannedOut(node: TreeNode): boolean {
  return [...listAncestors(node)].some(({ edge }) => edge?.toMany === true);
}

/** Rows repeated by joins must be identified, unless the aggregates ignore duplicates. */
function chooseRows({ joinedNodes }: Sorting, request: LegRequest): Leg['rows'] {
  const isRepeated = [...joinedNodes].some(({ edge }) => edge?.toMany === true);
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
  conditions: readonly ResolvedFilter<DimensionUse>[],
  context: LegContext,
  tree: JoinTree,
): readonly PlannedJoin[] {
  const inner = findInner(conditions, tree, context);
  const uses = conditions.flatMap((condition) => listConditionFields(condition));
  const nodes = [...listNeeded(uses.map((use) => tree.reach(use)))];
  const inside = nodes.filter((node) => node !== first && [...listAncestors(node)].includes(first));
  return inside.map((node) => planJoin(node, inner));
}

/** The joins; those that leave few rows come first. */
function listJoins({ joinedNodes, inner }: Sorting): readonly PlannedJoin[] {
  const joined = [...joinedNodes].filter(({ parent }) => parent !== null);
  return sortParents(joined, inner).map((node) => planJoin(node, inner));
}

type Conditions = readonly ResolvedFilter<DimensionUse>[];

/** The joins and conditions of a leg with reduced branches. */
interface ReducedJoins {
  readonly joins: readonly (PlannedJoin | ReducedJoin)[];
  /** The conditions outside branches: on other entities, or on the columns that a branch is reduced to. */
  readonly where: readonly ResolvedFilter<PlannedField>[];
}

/**
 * Plans a leg whose to-many branches are first reduced to their distinct dimensions, so that no row appears twice with
 * the same dimensions. Null if that would change the result or has no advantage.
 */
function planReduced(sorting: Sorting, isMindful: boolean, context: LegContext): ReducedJoins | null {
  if (!context.dialect.joinsByTheLetter) return null;
  const firsts = listFirsts(sorting.joinedNodes);
  if (firsts.length === 0 || (!isMindful && firsts.length === 1)) return null;
  if (firsts.length === 1 && isNarrowed(sorting)) return null;
  // An expression over a branch can have a value where the branch is absent, or the same value for several of its rows.
  const computed = context.dimensions.filter(({ use }) => use.kind === 'computed');
  const isInBranch = (use: DimensionUse) => findFirst(sorting.tree.reach(use)) !== null;
  if (computed.some(({ use }) => listDimensionUses(use).some(isInBranch))) return null;
  if ([...sorting.exists].some(([node, conditions]) => needsColumns(node, conditions, sorting))) return null;
  const branches = firsts.map((first) => planBranch(first, firsts.length > 1, sorting, context));
  if (!branches.every((branch) => branch !== null)) return null;
  const outer = [...sorting.joinedNodes].filter((node) => node.parent !== null && findFirst(node) === null);
  const inner = new Set(firsts.filter((_, at) => elementAt(branches, at).isInner));
  return {
    joins: [...sortParents(outer, sorting.inner).map((node) => planJoin(node, sorting.inner)), ...branches],
    where: listOutside(inner, sorting, context),
  };
}

/** The to-many nodes without a to-many ancestor. */
function listFirsts(joinedNodes: ReadonlySet<TreeNode>): readonly TreeNode[] {
  return [...new Set([...joinedNodes].map(findFirst))].filter((node) => node !== null);
}

/** Whether few rows can remain outside the branches: joining those is faster than reducing a whole branch. */
function isNarrowed({ tree, where, exists }: Sorting): boolean {
  const isOutside = (use: DimensionUse) => findFirst(tree.reach(use)) === null;
  return exists.size > 0 || where.some((condition) => listConditionFields(condition).every(isOutside));
}

/** The to-many node nearest to the root among a node and its ancestors; null without one. */
function findFirst(node: TreeNode): TreeNode | null {
  return [...listAncestors(node)].findLast(({ edge }) => edge?.toMany === true) ?? null;
}

/** Whether an EXISTS branch compares columns that a reduced branch would no longer have. */
function needsColumns(node: TreeNode, conditions: Conditions, { tree, joinedNodes }: Sorting): boolean {
  const nodes = conditions.flatMap(listConditionFields).map((use) => tree.reach(use));
  return [notNull(node.parent), ...nodes].some((one) => joinedNodes.has(one) && findFirst(one) !== null);
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
    const column = isReduced
      ? present(dimensions.find((dimension) => dimension.use.key === use.key)).alias
      : null;
    return planField(node, use, column);
  };
  const outside = where.filter(
    (condition) => !listConditionFields(condition).some((use) => branches.has(findFirst(tree.reach(use)))),
  );
  return planConditions(outside, toField);
}

/** Plans a reduced branch; null if it cannot be reduced, or should be reduced only next to others. */
function planBranch(
  first: TreeNode,
  hasSiblings: boolean,
  { tree, joinedNodes, where, inner }: Sorting,
  context: LegContext,
): ReducedJoin | null {
  const join = planJoin(first);
  const keys = findKeys(join, context);
  if (keys === null) return null;
  const isInside = (use: DimensionUse) => findFirst(tree.reach(use)) === first;
  const conditions: Conditions = where.filter((condition) => listConditionFields(condition).some(isInside));
  if (!conditions.every((condition) => listConditionFields(condition).every(isInside))) return null;
  const isInner = conditions.some((condition) => rejectsNull(condition, isInside));
  const selected = new Set(context.dimensions.map(({ use }) => use.key));
  const canFollow = (condition: ResolvedFilter<DimensionUse>) =>
    listConditionFields(condition).every(({ key }) => selected.has(key)) &&
    (hasSiblings || leavesMost(condition));
  if (!isInner && !conditions.every(canFollow)) return null;
  const nodes = [...joinedNodes].filter((node) => node !== first && findFirst(node) === first);
  if (!nodes.every((node) => endsWithParent(node, context))) return null;
  return {
    kind: 'reduced',
    first: join,
    joins: sortParents(nodes, inner).map((node) => planJoin(node, inner)),
    keys,
    where: planConditions(isInner ? conditions : [], (use) => planField(tree.reach(use), use, null)),
    dimensions: context.dimensions.flatMap(({ use, alias }) =>
      use.kind === 'dimension' && isInside(use) ? [planField(tree.reach(use), use, alias)] : [],
    ),
    isInner,
  };
}

/** Whether a condition only excludes values: it removes few rows, which does not justify joining a whole branch. */
function leavesMost(condition: ResolvedFilter<DimensionUse>): boolean {
  if (condition.kind === 'expression') return false;
  if (condition.kind === 'test') return condition.negated;
  return condition.kind === 'and' ? condition.parts.every(leavesMost) : condition.parts.some(leavesMost);
}
