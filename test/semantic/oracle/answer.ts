import type { DataType } from '../../../src/semantic/model/model.ts';
import type { FieldRef, SemanticFilter, SemanticQuery } from '../../../src/semantic/query/query.ts';
import { type Aggregate, aggregate, aggregateNothing } from './aggregate.ts';
import { findField, isMeasure, listFields, toFieldKey } from './fields.ts';
import { joinRows } from './join-rows.ts';
import { createJoinTree, type JoinTree, listStepsTo, NoAnswer } from './join-tree.ts';
import { matchesOperator } from './match-operator.ts';
import { splitFilters } from './split-filters.ts';
import { compareValues, type Row, toKey, type Value } from './value.ts';
import { findEntity, type MeasureDef, type World } from './world.ts';

/** An expected row of a query, identified by its dimensions. */
export interface AnswerRow {
  readonly dims: readonly Value[];
  readonly measures: readonly Aggregate[];
  /** The values that it is ordered by. */
  readonly order: readonly Value[];
}

/** One aggregated join: the measures of one entity, or only the dimensions. */
export interface Leg {
  readonly entity: string;
  readonly measures: readonly string[];
  /** Whether its groups are rows of the result; otherwise it only adds values to them. */
  readonly givesGroups: boolean;
  readonly tree: JoinTree;
}

/** All rows of a query in their order; `skip` rows are left out and at most `fetch` are returned. */
export interface Answer {
  readonly columns: readonly { readonly dataType: DataType }[];
  /** The number of dimension columns. */
  readonly dimensions: number;
  readonly rows: readonly AnswerRow[];
  readonly skip: number;
  readonly fetch: number;
  readonly legs: readonly AnsweredLeg[];
  /** Whether one of its legs differs. */
  readonly differsFromNaive: boolean;
}

/** A leg, and whether aggregates over its joined rows, including repetitions, would return other rows. */
interface AnsweredLeg extends Leg {
  readonly differsFromNaive: boolean;
}

interface Group {
  readonly dims: readonly Value[];
  /** By measure. */
  readonly values: Map<string, Aggregate>;
  /** The legs whose values a naive join gets wrong. */
  readonly misled: Set<Leg>;
}

interface Question {
  readonly world: World;
  readonly query: SemanticQuery;
  /** The conditions on the rows of the legs. */
  readonly below: readonly SemanticFilter[];
  /** The conditions on the groups. */
  readonly above: readonly SemanticFilter[];
}

function holds(filter: SemanticFilter, readValue: (ref: FieldRef) => Value, world: World): boolean {
  if (filter.type !== 'CONDITION') {
    const test = (part: SemanticFilter) => holds(part, readValue, world);
    return filter.type === 'AND' ? filter.filters.every(test) : filter.filters.some(test);
  }
  const field = findField(world, filter.field);
  const caseSensitive = 'caseSensitive' in field && field.caseSensitive;
  return matchesOperator(filter.operator, readValue(filter.field), { type: field.type, caseSensitive });
}

/** Whether every step from an entity to the others is to-one; null without a unique path to them. */
function reachesAll(world: World, root: string, references: readonly string[]): boolean | null {
  try {
    return createJoinTree(world, root, references).places.every(({ step }) => step?.isToMany !== true);
  } catch (error) {
    if (error instanceof NoAnswer) return null;
    throw error;
  }
}

/** The entity of a leg without measures: it reaches the others over to-one steps. */
function findRoot(world: World, references: readonly string[]): string {
  const owners = [...new Set(references.map((reference) => reference.split('.')[0]!))];
  const reaches = owners.map((root) => reachesAll(world, root, references));
  const roots = owners.filter((_, at) => reaches[at]);
  const mayWalkBack = reaches.includes(null) && references.some((reference) => reference.includes('.'));
  if (roots.length !== 1 || mayWalkBack) {
    throw new NoAnswer('unspecified', `${roots.length} entities reach the others`);
  }
  return roots[0]!;
}

function planLegs({ world, query, below, above }: Question): Leg[] {
  const own = query.dimensions.map(({ entity }) => entity);
  const references = [...new Set([...own, ...listFields(below).map(({ entity }) => entity)])];
  const asked = [...query.measures, ...listFields(above), ...query.orderBy.map(({ field }) => field)];
  const measures = asked.filter((ref) => isMeasure(findField(world, ref)));
  const namesOf = new Map<string, string[]>();
  const root = query.measures.length === 0 ? findRoot(world, own) : null;
  if (root !== null) namesOf.set(root, []);
  for (const { entity, field } of measures) namesOf.set(entity, [...(namesOf.get(entity) ?? []), field]);
  return [...namesOf].map(([entity, names]) => ({
    entity,
    measures: [...new Set(names)],
    givesGroups: entity === root || query.measures.some((ref) => ref.entity === entity),
    tree: createJoinTree(world, entity, references),
  }));
}

function checkStrict(legs: readonly Leg[], query: SemanticQuery): void {
  for (const { tree, measures, entity } of legs) {
    const isFiner = query.dimensions.some((ref) =>
      listStepsTo(tree, tree.placeOf.get(ref.entity)!).some(({ isToMany }) => isToMany),
    );
    if (isFiner && measures.length > 0) throw new NoAnswer('refused', `finer than ${entity}`);
  }
}

interface LegGroup {
  readonly dims: readonly Value[];
  /** The distinct rows of the entity, by index. */
  readonly rows: Map<number, Row>;
  /** Including repetitions by joins. */
  readonly joined: Row[];
}

function groupLeg(leg: Leg, question: Question): Map<string, LegGroup> {
  const { world, query, below } = question;
  const groups = new Map<string, LegGroup>();
  for (const { joined, dims } of joinRows(world, leg.tree)) {
    const value = (ref: FieldRef) => dims(joined, ref);
    if (!below.every((filter) => holds(filter, value, world))) continue;
    const own = query.dimensions.map(value);
    const key = own.map(toKey).join('\0');
    const group: LegGroup = groups.get(key) ?? { dims: own, rows: new Map(), joined: [] };
    groups.set(key, group);
    const root = joined.get('')!;
    group.rows.set(root.at, root.row!);
    group.joined.push(root.row!);
  }
  if (query.dimensions.length === 0 && groups.size === 0) {
    groups.set('', { dims: [], rows: new Map(), joined: [] });
  }
  return groups;
}

const print = ({ value }: Aggregate) => toKey(value);

/** Adds the values of a leg to a group, if the group is in the result. */
function addValues(group: Group | undefined, world: World, leg: Leg, { rows, joined }: LegGroup): void {
  for (const def of findEntity(world, leg.entity).measures) {
    if (!leg.measures.includes(def.name)) continue;
    const own = aggregate(def, [...rows.values()]);
    group?.values.set(`${leg.entity}\0${def.name}`, own);
    if (print(own) !== print(aggregate(def, joined))) group?.misled.add(leg);
  }
}

/** The groups of the selected legs. Measures that only filter or order add values to them, but no groups. */
function combineLegs(legs: readonly Leg[], question: Question): readonly Group[] {
  const { world } = question;
  const found = legs.map((leg) => ({ leg, legGroups: groupLeg(leg, question) }));
  const groups = new Map<string, Group>();
  for (const { leg, legGroups } of found) {
    if (!leg.givesGroups) continue;
    for (const [key, { dims }] of legGroups)
      if (!groups.has(key)) groups.set(key, { dims, values: new Map(), misled: new Set() });
  }
  for (const { leg, legGroups } of found) {
    for (const [key, rows] of legGroups) addValues(groups.get(key), world, leg, rows);
  }
  return [...groups.values()];
}

/** NULL comes last in both directions. */
function compareOrder(left: Value, right: Value, desc: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return compareValues(left, right) * (desc ? -1 : 1);
}

function compareRows(a: AnswerRow, b: AnswerRow, { orderBy }: SemanticQuery): number {
  for (const [at, { desc }] of orderBy.entries()) {
    const order = compareOrder(a.order[at]!, b.order[at]!, desc);
    if (order !== 0) return order;
  }
  return 0;
}

/**
 * The expected result of a query (docs/reference/semantic-numbers.md#what-a-measure-counts). Throws NoAnswer if it is
 * refused or the specification does not define it.
 */
export function createAnswer(world: World, query: SemanticQuery, strict: boolean): Answer {
  const question: Question = { world, query, ...splitFilters(world, query) };
  const legs = planLegs(question);
  if (strict) checkStrict(legs, query);
  const dimensionKeys = query.dimensions.map(toFieldKey);
  const readAggregate = (group: Group, ref: FieldRef) =>
    group.values.get(toFieldKey(ref)) ?? aggregateNothing(findField(world, ref) as MeasureDef);
  const readValue = (group: Group) => (ref: FieldRef) => {
    const at = dimensionKeys.indexOf(toFieldKey(ref));
    return at >= 0 ? group.dims[at]! : readAggregate(group, ref).value;
  };
  const groups = combineLegs(legs, question).filter((group) =>
    question.above.every((filter) => holds(filter, readValue(group), world)),
  );
  const rows = groups
    .map((group) => ({
      dims: group.dims,
      measures: query.measures.map((ref) => readAggregate(group, ref)),
      order: query.orderBy.map(({ field }) => readValue(group)(field)),
    }))
    .sort((a, b) => compareRows(a, b, query));
  const answered = legs.map((leg): AnsweredLeg => {
    return { ...leg, differsFromNaive: groups.some(({ misled }) => misled.has(leg)) };
  });
  return {
    columns: [...query.dimensions, ...query.measures].map((ref) => ({
      dataType: findField(world, ref).type,
    })),
    dimensions: query.dimensions.length,
    rows,
    skip: query.limit?.skip ?? 0,
    fetch: query.limit?.fetch ?? Number.POSITIVE_INFINITY,
    legs: answered,
    differsFromNaive: answered.some((leg) => leg.differsFromNaive),
  };
}
