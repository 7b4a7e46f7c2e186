import type { DataType } from '../../../src/semantic/model/model.ts';
import type { FieldRef } from '../../../src/semantic/query/query.ts';
import { type Aggregate, aggregate, aggregateNothing } from './aggregate.ts';
import type { Answer, AnswerRow } from './answer.ts';
import { column } from './expression.ts';
import { findField } from './fields.ts';
import { joinRows } from './join-rows.ts';
import { createJoinTree } from './join-tree.ts';
import type { Random } from './random.ts';
import { createLongFloat } from './random-number.ts';
import { RandomScalars, type TypedField } from './random-scalar.ts';
import { createFieldScalar, type ReadField, type Scalar } from './scalar.ts';
import { type Row, toKey, type Value } from './value.ts';
import { type DimensionDef, findEntity, type MeasureDef, type World } from './world.ts';

/** An aggregate that a statement defines over the dimensions of one entity. */
interface SpotMeasure {
  readonly owner: string;
  readonly call: 'SUM' | 'COUNT' | 'COUNT_DISTINCT' | 'AVG' | 'MIN' | 'MAX';
  readonly argument: Scalar;
  readonly filter: Scalar | null;
}

/** A measure of the model, or one that the statement defines. */
type AskedMeasure =
  | { readonly kind: 'named'; readonly ref: FieldRef }
  | { readonly kind: 'spot'; readonly spot: SpotMeasure };

/** A SELECT with features that only SQL has: computed keys, and conditions over several entities. */
export interface StatementQuestion {
  /** The entity in FROM: the rows of a statement without measures. */
  readonly root: string;
  readonly keys: readonly Scalar[];
  readonly measures: readonly AskedMeasure[];
  readonly where: readonly Scalar[];
}

const ownerOf = (measure: AskedMeasure) =>
  measure.kind === 'named' ? measure.ref.entity : measure.spot.owner;

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Prints the statement as Semantic SQL; `more` columns follow the keys. */
export function printStatementQuestion(
  { root, keys, measures, where }: StatementQuestion,
  more: readonly string[] = [],
): string {
  const printField = ({ entity, field }: FieldRef) => `${quote(entity)}.${quote(field)}`;
  const print = (scalar: Scalar) => scalar.print(printField);
  const printMeasure = (measure: AskedMeasure) => {
    if (measure.kind === 'named') return `MEASURE(${printField(measure.ref)})`;
    const { call, argument, filter } = measure.spot;
    const [name, distinct] = call === 'COUNT_DISTINCT' ? ['COUNT', 'DISTINCT '] : [call, ''];
    return `${name}(${distinct}${print(argument)})${filter === null ? '' : ` FILTER (WHERE ${print(filter)})`}`;
  };
  const items = [...keys.map(print), ...more, ...measures.map(printMeasure)].map(
    (text, at) => `${text} AS c${at}`,
  );
  return [
    `SELECT ${items.join(',\n  ')}`,
    `FROM ${[...new Set([root, ...measures.map(ownerOf)])].map(quote).join(', ')}`,
    ...(where.length === 0 ? [] : [`WHERE ${where.map(print).join('\n  AND ')}`]),
  ].join('\n');
}

interface Leg {
  readonly entity: string;
  readonly measures: readonly (readonly [at: number, measure: AskedMeasure])[];
}

interface LegGroup {
  readonly dims: readonly Value[];
  /** The distinct rows of the entity by index, and how to read their dimensions. */
  readonly rows: Map<number, { readonly row: Row; readonly read: ReadField }>;
}

function listLegs({ root, measures }: StatementQuestion): readonly Leg[] {
  if (measures.length === 0) return [{ entity: root, measures: [] }];
  const owners = [...new Set(measures.map(ownerOf))];
  return owners.map((entity) => ({
    entity,
    measures: [...measures.entries()].filter(([, measure]) => ownerOf(measure) === entity),
  }));
}

/** The joined rows that satisfy the conditions, by their keys; computed by nested loops. */
function groupRows(
  world: World,
  { entity }: Leg,
  { keys, where, measures }: StatementQuestion,
): Map<string, LegGroup> {
  const own = measures.flatMap((measure) =>
    measure.kind === 'spot' && measure.spot.owner === entity
      ? [measure.spot.argument, ...(measure.spot.filter === null ? [] : [measure.spot.filter])]
      : [],
  );
  const fields = [...keys, ...where, ...own].flatMap((scalar) => scalar.fields);
  const tree = createJoinTree(world, entity, new Set(fields.map((ref) => ref.entity)));
  const groups = new Map<string, LegGroup>();
  for (const { joined, dims } of joinRows(world, tree)) {
    const read: ReadField = (ref) => dims(joined, ref);
    if (!where.every((condition) => condition.evaluate(read) === true)) continue;
    const values = keys.map((key) => key.evaluate(read));
    const key = values.map(toKey).join('\0');
    const group: LegGroup = groups.get(key) ?? { dims: values, rows: new Map() };
    groups.set(key, group);
    const { at, row } = joined.get('')!;
    group.rows.set(at, { row: row!, read });
  }
  if (keys.length === 0 && groups.size === 0) groups.set('', { dims: [], rows: new Map() });
  return groups;
}

const toMeasure = ({ call, argument }: SpotMeasure): MeasureDef => ({
  name: '',
  type: 'DECIMAL',
  aggregation: call,
  argumentType: argument.type,
  argument: column('value'),
  filter: null,
  custom: null,
});

function aggregateGroup(world: World, measure: AskedMeasure, group: LegGroup | undefined): Aggregate {
  if (measure.kind === 'named') {
    const def = findField(world, measure.ref) as MeasureDef;
    return group === undefined
      ? aggregateNothing(def)
      : aggregate(
          def,
          [...group.rows.values()].map(({ row }) => row),
        );
  }
  const { argument, filter } = measure.spot;
  const def = toMeasure(measure.spot);
  if (group === undefined) return aggregateNothing(def);
  const rows = [...group.rows.values()].filter(
    ({ read }) => filter === null || filter.evaluate(read) === true,
  );
  return aggregate(
    def,
    rows.map(({ read }) => ({ value: argument.evaluate(read) })),
  );
}

/**
 * The expected rows of a statement (docs/reference/semantic-sql.md#what-a-select-means). Throws NoAnswer if it is
 * refused.
 */
export function answerStatementQuestion(world: World, question: StatementQuestion): Answer {
  const legs = listLegs(question);
  const found = legs.map((leg) => ({ leg, groups: groupRows(world, leg, question) }));
  const keys = new Map(
    found.flatMap(({ groups }) => [...groups].map(([key, { dims }]) => [key, dims] as const)),
  );
  const rows = [...keys].map(([key, dims]): AnswerRow => {
    const measures = question.measures.map((measure) => {
      const own = found.find(({ leg }) => leg.entity === ownerOf(measure))!;
      return aggregateGroup(world, measure, own.groups.get(key));
    });
    return { dims, measures, order: [] };
  });
  const types: DataType[] = [
    ...question.keys.map(({ type }) => type),
    ...question.measures.map((): DataType => 'DECIMAL'),
  ];
  return {
    columns: types.map((dataType) => ({ dataType })),
    dimensions: question.keys.length,
    rows,
    skip: 0,
    fetch: Number.POSITIVE_INFINITY,
    legs: [],
    differsFromNaive: false,
  };
}

/** Whether it has so many digits that DuckDB drops fraction digits of the other operand. */
function isLong({ type, expression }: DimensionDef): boolean {
  const own = expression.kind === 'commented' ? expression.of : expression;
  return type === 'DECIMAL' && own.kind === 'arithmetic' && own.op === '*';
}

function listFields(world: World, entities: readonly string[]): readonly TypedField[] {
  return entities.flatMap((entity) =>
    findEntity(world, entity)
      .dimensions.filter((dimension) => !isLong(dimension))
      .map(({ name, type }) => ({ ref: { entity, field: name }, type })),
  );
}

const TYPES: readonly DataType[] = [
  'TEXT',
  'TEXT',
  'INTEGER',
  'DECIMAL',
  'FLOAT',
  'DATE',
  'DATETIME',
  'BOOLEAN',
];

/** An expression that uses a field, as keys must. */
function createWithField(create: () => Scalar, fields: readonly TypedField[], random: Random): Scalar {
  for (let tried = 0; tried < 20; tried++) {
    const scalar = create();
    if (scalar.fields.length > 0) return scalar;
  }
  const { ref, type } = random.pick(fields);
  return createFieldScalar(ref, type);
}

function createSpot(world: World, owner: string, random: Random): AskedMeasure {
  const fields = listFields(world, [owner]);
  const scalars = new RandomScalars(random, fields);
  const call = random.pick(['SUM', 'SUM', 'COUNT', 'COUNT_DISTINCT', 'AVG', 'MIN', 'MAX'] as const);
  const counted = ['COUNT', 'COUNT_DISTINCT'].includes(call) ? TYPES : (['INTEGER', 'DECIMAL'] as const);
  const [type] = random.sample(
    counted.filter((own) => fields.some((field) => field.type === own)),
    1,
  );
  if (type === undefined) return createSpot(world, owner, random);
  const argument = createWithField(
    () => scalars.create(type, 2),
    fields.filter((own) => own.type === type),
    random,
  );
  const filter = random.chance(0.3)
    ? createWithField(() => scalars.createCondition(1), fields, random)
    : null;
  return { kind: 'spot', spot: { owner, call, argument, filter } };
}

/** A random statement to a world; most of them have expressions over fields of two entities. */
export function createStatementQuestion(world: World, random: Random): StatementQuestion {
  const names = world.entities.map(({ name }) => name);
  const entities = random.sample(names, 1 + random.int(2) + random.int(2));
  const root = entities[0]!;
  const fields = listFields(world, entities);
  const scalars = new RandomScalars(random, fields);
  const create = (run: () => Scalar) => createWithField(run, fields, random);
  const count = random.pick([0, 1, 1, 2, 2, 3]);
  const named = random.chance(0.6) ? random.sample(findEntity(world, root).measures, 2) : [];
  const measures: AskedMeasure[] = named.map(({ name }) => ({
    kind: 'named',
    ref: { entity: root, field: name },
  }));
  if (random.chance(0.4)) measures.push(createSpot(world, root, random));
  if (random.chance(0.2)) measures.push(createSpot(world, random.pick(names), random));
  const keys = Array.from({ length: measures.length === 0 ? Math.max(count, 1) : count }, () =>
    create(() => (random.chance(0.1) ? createLongFloat(scalars, 1) : scalars.create(random.pick(TYPES), 3))),
  );
  const where = Array.from({ length: random.pick([0, 1, 1, 2]) }, () =>
    create(() => scalars.createCondition(2)),
  );
  return { root, keys, measures, where };
}
