import type { DataType } from '../../../src/semantic/model/model.ts';
import type * as query from '../../../src/semantic/query/query.ts';
import { evaluate } from './expression.ts';
import { type Fraction, printDecimal } from './fraction.ts';
import { readDimension } from './join-rows.ts';
import { isSelf } from './join-tree.ts';
import type { Random } from './random.ts';
import { printDay, printMoment, type Value } from './value.ts';
import { type DimensionDef, type EntityDef, findEntity, type MeasureDef, type World } from './world.ts';

const LISTS = ['EQUALS', 'NOT_EQUALS'] as const;
const TEXT_LISTS = [
  ...LISTS,
  'CONTAINS',
  'NOT_CONTAINS',
  'STARTS_WITH',
  'NOT_STARTS_WITH',
  'ENDS_WITH',
  'NOT_ENDS_WITH',
] as const;
const COMPARISONS = ['GREATER_THAN', 'GREATER_THAN_OR_EQUAL', 'LESS_THAN', 'LESS_THAN_OR_EQUAL'] as const;
const DATES = ['BEFORE_DATE', 'AFTER_DATE', 'BEFORE_OR_ON_DATE', 'AFTER_OR_ON_DATE'] as const;

const PRINTERS: Readonly<Record<DataType, (value: Value) => string>> = {
  TEXT: String,
  INTEGER: (value) => printDecimal(value as Fraction, 0),
  NUMBER: (value) => printDecimal(value as Fraction, 2),
  DECIMAL: (value) => printDecimal(value as Fraction, 2),
  FLOAT: String,
  DATE: (value) => printDay(value as bigint),
  DATETIME: (value) => printMoment(value as bigint),
  BOOLEAN: String,
};

const OTHERS: Readonly<Record<DataType, string>> = {
  TEXT: 'no such text',
  INTEGER: '3',
  NUMBER: '2.5',
  DECIMAL: '1.00',
  FLOAT: '0.25',
  DATE: '2024-01-03',
  DATETIME: '2024-01-03T10:00:00',
  BOOLEAN: 'true',
};

/** A value of some row, as a caller writes it. */
function createOperand(entity: EntityDef, field: DimensionDef, random: Random): string {
  if (random.chance(0.04) && field.type.startsWith('DATE')) return random.pick(['0001-01-01', '9999-12-31']);
  const row = entity.rows.length === 0 || random.chance(0.15) ? null : random.pick(entity.rows);
  const value = row === null ? null : readDimension(field, row);
  return value === null ? OTHERS[field.type] : PRINTERS[field.type](value);
}

function cutText(text: string, random: Random): string {
  const characters = [...text];
  const from = random.int(characters.length + 1);
  const part = characters.slice(from, from + 1 + random.int(3)).join('');
  if (part === '') return 'e';
  return random.chance(0.3) ? part.toUpperCase() : part;
}

function createTimeOperator(entity: EntityDef, field: DimensionDef, random: Random): query.Operator {
  const bound = () => {
    const text = createOperand(entity, field, random);
    return field.type === 'DATETIME' && random.chance(0.6) ? text.slice(0, 10) : text;
  };
  if (random.chance(0.5)) return { type: random.pick(DATES), value: bound() };
  if (random.chance(0.3)) {
    const operand = createOperand(entity, field, random);
    const isDay = field.type === 'DATETIME' && operand.length === 10;
    return { type: random.pick(LISTS), values: [isDay ? `${operand}T00:00:00` : operand] };
  }
  const days = [createOperand(entity, field, random), createOperand(entity, field, random)].sort();
  const values = random.chance(0.5) ? days.map((day) => day.slice(0, 10)) : days;
  return { type: random.pick(['IN_DATE_RANGE', 'NOT_IN_DATE_RANGE']), values };
}

/** A condition that is valid for the field's type. */
function createOperator(entity: EntityDef, field: DimensionDef, random: Random): query.Operator {
  if (random.chance(0.12)) return { type: random.pick(['IS_NULL', 'IS_NOT_NULL']) };
  const operands = () =>
    Array.from({ length: 1 + random.int(2) }, () => createOperand(entity, field, random));
  switch (field.type) {
    case 'TEXT': {
      const type = random.pick(TEXT_LISTS);
      const values = operands();
      return { type, values: /EQUALS/.test(type) ? values : values.map((text) => cutText(text, random)) };
    }
    case 'BOOLEAN':
      return { type: random.pick(LISTS), values: operands() };
    case 'DATE':
    case 'DATETIME':
      return createTimeOperator(entity, field, random);
    default:
      return random.chance(0.4)
        ? { type: random.pick(LISTS), values: operands() }
        : { type: random.pick(COMPARISONS), value: createOperand(entity, field, random) };
  }
}

/** A condition on a measure; equality only if every platform returns the same digits. */
function createMeasureOperator(entity: EntityDef, measure: MeasureDef, random: Random): query.Operator {
  if (random.chance(0.15)) return { type: random.pick(['IS_NULL', 'IS_NOT_NULL']) };
  if (measure.type === 'INTEGER') {
    const value = String(random.int(4));
    return random.chance(0.3)
      ? { type: random.pick(LISTS), values: [value] }
      : { type: random.pick(COMPARISONS), value };
  }
  const sample = entity.rows.length === 0 || measure.argument === null ? null : random.pick(entity.rows);
  const near = sample === null ? null : evaluate(measure.argument!, (name) => sample[name]!);
  const whole =
    typeof near === 'number'
      ? Math.trunc(near)
      : near === null
        ? 1
        : Number((near as Fraction).n / (near as Fraction).d);
  // No quotient of these rows is this close to a number with these digits.
  return { type: random.pick(COMPARISONS), value: `${Math.min(whole, 1000)}.0137` };
}

interface Choices {
  readonly world: World;
  readonly random: Random;
  /** The entities whose dimensions can be picked: first a list, then a name in it. */
  readonly pools: readonly (readonly string[])[];
}

function pickDimension({ world, random, pools }: Choices) {
  const reference = random.pick(random.pick(pools));
  const entity = ownerOf(world, reference);
  const field = random.pick(entity.dimensions);
  const ref: query.FieldRef = { entity: reference, field: field.name };
  return { entity, field, ref };
}

function ownerOf(world: World, reference: string): EntityDef {
  const [first = '', ...names] = reference.split('.');
  let at = first;
  for (const name of names) at = world.edges.find((edge) => edge.from === at && edge.name === name)!.to;
  return findEntity(world, at);
}

function createDimensionCondition(
  choices: Choices,
  selected: readonly query.FieldRef[],
): query.SemanticFilter {
  const { world, random } = choices;
  if (selected.length > 0 && random.chance(0.25)) {
    const { entity: name, field: fieldName } = random.pick(selected);
    const entity = ownerOf(world, name);
    const field = entity.dimensions.find((one) => one.name === fieldName)!;
    return {
      type: 'CONDITION',
      field: { entity: name, field: fieldName },
      operator: createOperator(entity, field, random),
    };
  }
  const { entity, field, ref } = pickDimension(choices);
  return { type: 'CONDITION', field: ref, operator: createOperator(entity, field, random) };
}

function createMeasureCondition(
  { world, random }: Choices,
  selected: readonly query.FieldRef[],
): query.SemanticFilter {
  const known = selected.length > 0 && random.chance(0.7) ? random.pick(selected) : null;
  const entity = known ? findEntity(world, known.entity) : random.pick(world.entities);
  const measure = known
    ? entity.measures.find(({ name }) => name === known.field)!
    : random.pick(entity.measures);
  const field = { entity: entity.name, field: measure.name };
  return { type: 'CONDITION', field, operator: createMeasureOperator(entity, measure, random) };
}

function createFilter(
  choices: Choices,
  query: Pick<query.SemanticQuery, 'dimensions' | 'measures'>,
  depth: number,
): query.SemanticFilter {
  const { random } = choices;
  if (depth > 0 && random.chance(0.35)) {
    const filters = Array.from({ length: 1 + random.int(3) }, () => createFilter(choices, query, depth - 1));
    return { type: random.chance(0.6) ? 'OR' : 'AND', filters };
  }
  return random.chance(0.3)
    ? createMeasureCondition(choices, query.measures)
    : createDimensionCondition(choices, query.dimensions);
}

/** Whether platforms return so few digits of a measure that the order can differ. */
function isCoarse(world: World, { entity, field }: query.FieldRef): boolean {
  const measure = ownerOf(world, entity).measures.find(({ name }) => name === field);
  return measure?.custom?.kind === 'ratio';
}

function createOrder(
  { world, random }: Choices,
  query: Pick<query.SemanticQuery, 'dimensions' | 'measures'>,
): query.OrderSpec[] {
  const entity = random.pick(world.entities);
  const other = { entity: entity.name, field: random.pick(entity.measures).name };
  const fields = [...query.dimensions, ...query.measures, ...(random.chance(0.1) ? [other] : [])]
    .map(({ entity: owner, field }) => ({ entity: owner, field }))
    .filter((ref) => !isCoarse(world, ref));
  return random.sample(fields, 1 + random.int(3)).map((field) => ({ field, desc: random.chance(0.5) }));
}

const ALIASES = [
  '#row',
  '#copy',
  '#shown',
  '#1',
  'groups',
  'orders',
  'visits.row',
  'Total',
  'the "total"',
  "it's",
  'x`y',
  'ünï',
  'qty',
  'select',
  'a; b',
  'back\\slash',
  '-- x',
];

/** PostgreSQL truncates names after 63 bytes: these leave no room for additions. */
const LONG_ALIASES = ['one', 'two', 'six'].map(
  (end) => `${'a name that fills all the room there is '.padEnd(60, '.')}${end}`,
);

function addAliases(refs: readonly query.FieldRef[], taken: Set<string>, random: Random): query.FieldRef[] {
  return refs.map((ref) => {
    const alias = random.pick(random.chance(0.3) ? LONG_ALIASES : ALIASES);
    if (!random.chance(0.12) || taken.has(alias.toLowerCase())) return ref;
    taken.add(alias.toLowerCase());
    return { ...ref, alias };
  });
}

const isMany = (edge: World['edges'][number]) => edge.joinType !== 'ONE_TO_ONE' && !isSelf(edge);
const childOf = ({ joinType, from, to }: World['edges'][number]) => (joinType === 'ONE_TO_MANY' ? to : from);
const parentOf = ({ joinType, from, to }: World['edges'][number]) => (joinType === 'ONE_TO_MANY' ? from : to);

/** The entities below some entities, over any number of to-many steps. */
function listBelow(world: World, names: readonly string[]): string[] {
  const next = world.edges.filter((edge) => isMany(edge) && names.includes(parentOf(edge))).map(childOf);
  return next.length === 0 ? [] : [...new Set([...next, ...listBelow(world, next)])];
}

/** The entities directly above some entities. */
const listAbove = (world: World, names: readonly string[]) =>
  world.edges.filter((edge) => isMany(edge) && names.includes(childOf(edge))).map(parentOf);

/** The entities whose measures, dimensions and filters are used. */
interface Asked {
  readonly measured: readonly string[];
  /** The measures to use instead of some of those of `measured`. */
  readonly measures?: readonly query.FieldRef[];
  /** The dimensions to use instead of some of those of `some`. */
  readonly dimensions?: readonly query.FieldRef[];
  readonly some: readonly string[];
  readonly filtered: readonly (readonly string[])[];
  /** Whether each entity of `some` has a dimension, and each of `filtered` a condition. */
  readonly each?: boolean;
}

/** Rows of two entities directly below a third one, with conditions on that or above; null without such entities. */
function pickSiblings(world: World, random: Random): Asked | null {
  const right = (name: string) => [
    ...new Set(world.edges.filter((edge) => isMany(edge) && parentOf(edge) === name).map(childOf)),
  ];
  const forks = world.entities.map(({ name }) => name).filter((name) => right(name).length > 1);
  if (forks.length === 0) return null;
  const owner = random.pick(forks);
  const above = listAbove(world, [owner]);
  const some = random.sample(right(owner), 2);
  const others = listBelow(world, [owner]).filter((name) => !some.includes(name));
  const filtered = [
    above.length > 0 && random.chance(0.5) ? above : [owner],
    ...(others.length > 0 && random.chance(0.3) ? [others] : []),
  ];
  return { measured: [owner], some, filtered, each: true };
}

/** A dimension and a measure of an entity that read only the same column, if there are any. */
function pickTwins(entity: EntityDef, random: Random) {
  const twins = entity.measures.flatMap((measure) => {
    const { argument } = measure;
    if (argument?.kind !== 'column' || measure.filter !== null) return [];
    return entity.dimensions
      .filter(({ expression: own, grain }) => {
        return own.kind === 'column' && own.name === argument.name && grain === null;
      })
      .map((dimension) => ({ dimension, measure }));
  });
  return twins.length === 0 ? null : random.pick(twins);
}

/**
 * One measure of an entity, and one of a second entity through a self-relationship of the first: both join the same two
 * scans of one table. Null without such a relationship.
 */
function pickRoles(world: World, random: Random): Asked | null {
  const roles = world.edges.filter(isSelf);
  if (roles.length === 0 || random.chance(0.4)) return null;
  const { from, name } = random.pick(roles);
  const [role, entity] = [`${from}.${name}`, findEntity(world, from)];
  const above = listAbove(world, [from]);
  const second = random.pick(above.length > 0 ? above : world.entities.map((other) => other.name));
  const twins = random.chance(0.7) ? pickTwins(entity, random) : null;
  const { dimension, measure } = twins ?? {
    dimension: random.pick(entity.dimensions),
    measure: random.pick(entity.measures),
  };
  const own = { entity: from, field: measure.name };
  const other = { entity: second, field: random.pick(findEntity(world, second).measures).name };
  return {
    measured: [...new Set([from, second])],
    measures: random.sample(second === from ? [own] : [own, other], 2),
    dimensions: [{ entity: role, field: dimension.name }],
    some: [role],
    filtered: random.chance(0.7) ? [] : [[random.pick([from, role])]],
    each: true,
  };
}

/** Entities whose rows often fan out. */
function pickEntities(world: World, random: Random): Asked {
  const all = world.entities.map(({ name }) => name);
  const parents = all.filter((name) => listBelow(world, [name]).length > 0);
  const top = all.filter((name) => listBelow(world, [name]).length > 1);
  const middle = parents.filter((name) => listAbove(world, [name]).length > 0);
  const pool = random.chance(0.3) ? all : random.pick([top, parents, middle]);
  const owners = random.sample(pool.length > 0 ? pool : all, 1);
  const rest = all.filter((name) => !owners.includes(name));
  const measured = random.chance(0.12)
    ? []
    : [...owners, ...random.sample(rest, random.pick([0, 0, 0, 1, 1, 2]))];
  const below = listBelow(world, owners);
  const above = listAbove(world, owners);
  const near = [owners, above, above, below].filter((names) => names.length > 0);
  const from = random.chance(0.3) ? [...owners, ...above] : random.chance(0.6) ? below : all;
  const some = random.sample(from.length > 0 ? from : all, 1 + random.int(3));
  return { measured, some, filtered: random.chance(0.75) ? near : [some, all] };
}

function pickMeasures(world: World, owners: readonly string[], random: Random): query.FieldRef[] {
  return owners.flatMap((owner) =>
    random
      .sample(findEntity(world, owner).measures, random.pick([1, 1, 2, 3, 6]))
      .map(({ name }): query.FieldRef => ({ entity: owner, field: name })),
  );
}

/** A random query to a world; most can be answered, some are refused. */
export function createQuestion(world: World, random: Random): query.SemanticQuery {
  const asked =
    pickRoles(world, random) ??
    (random.chance(0.12) ? pickSiblings(world, random) : null) ??
    pickEntities(world, random);
  const { measured, some, filtered, each = false } = asked;
  const paths = world.edges.map(({ from, name }) => `${from}.${name}`);
  const paired = world.edges.filter(
    (own) =>
      isSelf(own) || world.edges.some((edge) => edge !== own && edge.from === own.from && edge.to === own.to),
  );
  const ways =
    paired.length > 0 && random.chance(0.6) ? paired.map(({ from, name }) => `${from}.${name}`) : [];
  const named = ways.length === 0 && random.chance(0.15) && paths.length > 0 ? [random.pick(paths)] : ways;
  const references = [...some, ...named];
  const choices: Choices = { world, random, pools: [references] };
  const measures = asked.measures ?? pickMeasures(world, measured, random);
  const count = random.pick([0, 1, 1, 1, 2, 2, 3]);
  const pickSome = () =>
    each
      ? some.map((name) => pickDimension({ ...choices, pools: [[name]] }).ref)
      : Array.from(
          { length: count === 0 && measured.length === 0 ? 1 : count },
          () => pickDimension(choices).ref,
        );
  const found = asked.dimensions ?? pickSome();
  const dimensions = found.filter(
    (ref, at) => found.findIndex((one) => one.entity === ref.entity && one.field === ref.field) === at,
  );
  const repeat = (refs: readonly query.FieldRef[], alias: string) =>
    refs.slice(0, random.chance(0.04) ? 1 : 0).map((ref) => ({ ...ref, alias }));
  const taken = new Set([...dimensions, ...measures].map(({ field }) => field.toLowerCase()));
  const selected = {
    dimensions: [...addAliases(dimensions, taken, random), ...repeat(dimensions, 'twice')],
    measures: [...addAliases(measures, taken, random), ...repeat(measures, 'once more')],
  };
  const filterChoices = { ...choices, pools: [...filtered, ...(random.chance(0.1) ? [references] : [])] };
  const filters = each
    ? filtered.map((names) => createDimensionCondition({ ...choices, pools: [names] }, []))
    : Array.from({ length: random.pick([0, 0, 1, 1, 2, 2, 3]) }, () =>
        createFilter(filterChoices, selected, 2),
      );
  const orderBy = random.chance(0.35) ? createOrder(choices, selected) : [];
  const limit = random.chance(0.2) ? { fetch: 1 + random.int(6), skip: random.pick([0, 0, 1, 2]) } : null;
  return { ...selected, filters, orderBy, limit };
}
