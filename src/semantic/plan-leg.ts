import { type Condition, listFields, mapFields, rejectsNull } from './condition.ts';
import { semanticErrors } from './errors.ts';
import type { DimensionUse } from './field-use.ts';
import { findExpression, type IndexedEntity, type ModelIndex } from './index-model.ts';
import { JoinTree, listAncestors, type TreeNode } from './join-tree.ts';
import type { Key, Leg, PlannedField, PlannedJoin, PlannedMeasure, ReducedJoin } from './plan.ts';
import { planReduced } from './plan-reduced.ts';
import type { Output } from './resolve-query.ts';
import type { Dialect } from './sql/dialect.ts';

/** What a leg is to answer. */
export interface LegRequest {
  readonly root: IndexedEntity;
  readonly addsGroups: boolean;
  readonly measures: readonly PlannedMeasure[];
  readonly rowFilter: string | null;
}

/** What all legs of a question share. */
export interface LegContext {
  readonly index: ModelIndex;
  readonly dialect: Dialect;
  readonly strict: boolean;
  readonly dimensions: readonly Output<DimensionUse>[];
  readonly conditions: readonly Condition<DimensionUse>[];
}

/** The nodes of a leg's joins, sorted by what they are for. */
export interface Sorting {
  readonly tree: JoinTree;
  /** Joined so that their columns can be seen. */
  readonly kept: ReadonlySet<TreeNode>;
  readonly where: readonly Condition<DimensionUse>[];
  /** Only asked whether there is one, by the first of their nodes. */
  readonly exists: ReadonlyMap<TreeNode, readonly Condition<DimensionUse>[]>;
}

/** Plans the joins of one leg, and how its rows stay at their grain (semantic 3, point 3). */
export function planLeg(request: LegRequest, context: LegContext): Leg {
  const { dimensions, strict } = context;
  const tree = new JoinTree(context.index, request.root, context.dialect);
  const overlapping = dimensions.filter(({ use }) => isFannedOut(tree.reach(use)));
  if (strict && overlapping.length > 0 && request.measures.length > 0) {
    throw semanticErrors.finer(overlapping[0]!.alias, request.root.entity.name);
  }
  const sorting = sortNodes(tree, context);
  const { kept, where, exists } = sorting;
  const toField = (use: DimensionUse) => planField(tree.reach(use), use, null);
  const reduced = planReduced(sorting, request, context);
  const joins = reduced ?? listJoins(kept);
  const rows = reduced === null ? chooseRows(sorting, request) : 'once';
  return {
    root: planRoot(tree.root),
    rows,
    addsGroups: request.addsGroups,
    joins,
    dimensions: dimensions.map(({ use, alias }) => planField(tree.reach(use), use, alias)),
    measures: request.measures,
    where: where
      .filter((own) => reduced === null || !isInside(own, reduced, tree))
      .map((own) => mapFields(own, toField)),
    exists: [...exists].map(([node, own]) => ({
      first: planJoin(node),
      joins: listBranch(node, own, tree),
      where: own.map((condition) => mapFields(condition, toField)),
      keys: asksOutside(node, own, tree) ? null : findKeys(planJoin(node), context),
    })),
    rowFilter: request.rowFilter,
    overlapping: overlapping.map(({ alias }) => alias),
  };
}

/** Whether a row of the root may have several of a node. */
function isFannedOut(node: TreeNode): boolean {
  return [...listAncestors(node)].some(({ edge }) => edge?.toMany === true);
}

/** Decides which nodes are joined, and which branches only need to be there. */
function sortNodes(tree: JoinTree, context: LegContext): Sorting {
  const { dimensions, conditions, dialect } = context;
  const kept = new Set<TreeNode>([tree.root]);
  const keep = (node: TreeNode) => {
    for (const own of listAncestors(node)) kept.add(own);
  };
  for (const { use } of dimensions) keep(tree.reach(use));
  const seen = new Set(kept);
  const groups = new Map<TreeNode, Condition<DimensionUse>[]>();
  const joined = new Set<TreeNode>();
  const where = new Set<Condition<DimensionUse>>();
  for (const condition of conditions) {
    const branches = new Set(listFields(condition).map((use) => findBranch(tree.reach(use), seen)));
    branches.delete(null);
    const [first] = branches as Set<TreeNode>;
    if (branches.size === 1) groups.set(first!, [...(groups.get(first!) ?? []), condition]);
    else where.add(condition);
    if (branches.size > 1) for (const branch of branches as Set<TreeNode>) joined.add(branch);
  }
  const exists = new Map<TreeNode, readonly Condition<DimensionUse>[]>();
  for (const [branch, own] of groups) {
    const isAbsent = (use: DimensionUse) => findBranch(tree.reach(use), seen) === branch;
    const canName =
      dialect.findsOuterNames ||
      !(asksOutside(branch, own, tree) || findKeys(planJoin(branch), context) === null);
    if (canName && !joined.has(branch) && own.some((condition) => rejectsNull(condition, isAbsent))) {
      exists.set(branch, own);
      keep(branch.parent!);
      for (const use of own.flatMap(listFields)) if (!isAbsent(use)) keep(tree.reach(use));
    } else {
      for (const condition of own) where.add(condition);
    }
  }
  for (const use of [...where].flatMap(listFields)) keep(tree.reach(use));
  return { tree, kept, where: conditions.filter((condition) => where.has(condition)), exists };
}

/** The first node on the way to this one, of those that are not joined anyway, that a row may have several of. */
function findBranch(node: TreeNode, seen: ReadonlySet<TreeNode>): TreeNode | null {
  let branch: TreeNode | null = null;
  for (const own of listAncestors(node)) {
    if (seen.has(own)) break;
    if (own.edge?.toMany === true) branch = own;
  }
  return branch;
}

/** Whether a branch compares columns of an entity that stands outside of it. */
function asksOutside(first: TreeNode, own: readonly Condition<DimensionUse>[], tree: JoinTree): boolean {
  return own.flatMap(listFields).some((use) => ![...listAncestors(tree.reach(use))].includes(first));
}

/** The columns whose being equal is all that joins an entity; null where there is more to it. */
export function findKeys(
  { condition, names, aliases, to }: PlannedJoin,
  { index, dialect }: LegContext,
): readonly Key[] | null {
  const { equalities } = findExpression(index, condition, names, dialect.lexis);
  if (equalities === null) return null;
  const isLeftOuter = aliases[0] === to;
  return equalities.map(({ left, right }) =>
    isLeftOuter ? { outer: left, inner: right } : { outer: right, inner: left },
  );
}

/** Rows that joins repeat must be told apart, unless what is counted does not mind. */
function chooseRows({ kept }: Sorting, { measures }: LegRequest): Leg['rows'] {
  const isRepeated = [...kept].some(({ edge }) => edge?.toMany === true);
  if (!isRepeated || measures.every(({ aggregation }) => UNMINDFUL.has(aggregation))) return 'once';
  return measures.some(({ aggregation }) => aggregation === 'CUSTOM') ? 'numbered' : 'distinct';
}

/** Aggregates that are the same however often a value is there. */
const UNMINDFUL: ReadonlySet<string> = new Set(['COUNT_DISTINCT', 'MIN', 'MAX']);

function isInside(
  condition: Condition<DimensionUse>,
  joins: readonly (PlannedJoin | ReducedJoin)[],
  tree: JoinTree,
): boolean {
  const inner = new Set(
    joins.flatMap((join) =>
      join.kind === 'reduced' ? [join.first.alias, ...join.joins.map(({ alias }) => alias)] : [],
    ),
  );
  return listFields(condition).some((use) => inner.has(tree.reach(use).alias));
}

function listBranch(
  first: TreeNode,
  conditions: readonly Condition<DimensionUse>[],
  tree: JoinTree,
): readonly PlannedJoin[] {
  const nodes = new Set<TreeNode>();
  for (const use of conditions.flatMap(listFields)) {
    const path = [...listAncestors(tree.reach(use))];
    const at = path.indexOf(first);
    for (const node of path.slice(0, Math.max(at, 0)).reverse()) nodes.add(node);
  }
  return [...nodes].map(planJoin);
}

/** The joins for nodes, each after the one that it is joined to. */
function listJoins(kept: ReadonlySet<TreeNode>): readonly PlannedJoin[] {
  const sorted = new Set<TreeNode>();
  for (const node of kept) for (const own of [...listAncestors(node)].reverse()) sorted.add(own);
  return [...sorted].filter(({ parent }) => parent !== null).map(planJoin);
}

function planRoot({ alias, entity: { entity } }: TreeNode): Leg['root'] {
  return { alias, entity: entity.name, source: entity.source, primaryKey: entity.primaryKey };
}

/** The join of a node, which must not be the root. */
export function planJoin(node: TreeNode): PlannedJoin {
  const [edge, parent] = [node.edge!, node.parent!];
  const aliases = edge.isInverse
    ? ([node.alias, parent.alias] as const)
    : ([parent.alias, node.alias] as const);
  return {
    kind: 'join',
    ...planRoot(node),
    to: parent.alias,
    path: edge.step,
    toMany: edge.toMany,
    condition: edge.condition,
    names: edge.names,
    aliases,
  };
}

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
    caseSensitive: dimension.caseSensitive,
  };
}
