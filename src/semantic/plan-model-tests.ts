import type { Diagnostic } from '../engine/text/diagnostic.ts';
import type { Entity, Layer, Measure, Model, Platform, Relationship } from './model.ts';
import { modelFaults } from './model-faults.ts';
import type { ModelPlace, ModelPlaces } from './model-places.ts';
import { printGrain } from './print-grain.ts';
import { printPieces, readExpression } from './read-expression.ts';
import type { Dialect } from './sql/dialect.ts';
import { DIALECTS } from './sql/dialects.ts';
import { createSelect, type Relation, type SqlExpr } from './sql/nodes.ts';
import { printSql } from './sql/print-sql.ts';

/**
 * A question about whether a model and its database agree (semantic 1): `sql` fails where something of the model means
 * nothing to the database, and may give a row where the data are not as the model says.
 */
export interface ModelTest {
  /** What it is about: an entity, or one of its dimensions, measures or relationships. */
  readonly name: string;
  /** The entities that it reads. */
  readonly entities: readonly string[];
  /** Whether it is of no more than that its entity can be read, without which nothing else can be said of it. */
  readonly isSource: boolean;
  readonly sql: string;
  /** Where it stands if `sql` fails; the database says with which message. */
  readonly failure: Diagnostic;
  /** What a row says; null where it says nothing. */
  readonly finding: Diagnostic | null;
  /** Tests of its parts, which say more of what fails; none for one that says all. */
  readonly parts: readonly ModelTest[];
}

/** A column that no table has. */
const ROW = 'quern_row';
const NEVER: SqlExpr = { kind: 'raw', sql: '1 = 0', atomic: false };
const ONE: SqlExpr = { kind: 'number', text: '1' };
const ROWS: SqlExpr = { kind: 'aggregate', type: 'COUNT', arg: null };
const SEVERAL: SqlExpr = { kind: 'compare', op: '>', left: ROWS, right: ONE };

interface Context {
  readonly dialect: Dialect;
  readonly places: ModelPlaces;
}

/** The tests of a sound model: that its SQL binds, and then that keys tell rows apart and joins are as declared. */
export function planModelTests(
  { layers }: Model,
  places: ModelPlaces,
  platform: Platform,
): readonly ModelTest[] {
  const all = layers.flatMap((layer) =>
    layer.domains.flatMap((domain) => domain.entities.map((entity) => ({ entity, layer }))),
  );
  const entities = all.map(({ entity }) => entity);
  const byName = new Map(entities.map((entity) => [entity.name, entity]));
  const context = { dialect: DIALECTS[platform], places };
  return [
    ...all.flatMap(({ entity, layer }) => planBindings(entity, layer, context)),
    ...entities.flatMap((entity) => [
      ...planKey(entity, context),
      ...entity.relationships.flatMap((own) => planJoins(entity, own, byName.get(own.toEntity)!, context)),
    ]),
  ];
}

function toRelation({ source }: Entity, alias: string): Relation {
  return { ...source, alias };
}

function raw(sql: string): SqlExpr {
  return { kind: 'raw', sql: `(${sql})`, atomic: true };
}

/** Something that must mean something to the database. */
interface Part {
  readonly name: string;
  readonly exprs: readonly SqlExpr[];
  readonly place: ModelPlace;
  /** What it is made of: where that means nothing, nothing else is told. */
  readonly base?: Part;
}

type List = NonNullable<ModelPlace['part']>['list'];

function placeOf(entity: string, list: List, name: string, key: string): ModelPlace {
  return { entity, part: { list, name }, key };
}

/** What is computed for each row and what of all rows do not go into one SELECT. */
function planBindings(entity: Entity, layer: Layer, context: Context): readonly ModelTest[] {
  const rows = [
    ...listDimensionParts(entity, layer),
    ...entity.measures.flatMap((measure) => listRowParts(entity, measure)),
  ];
  const key = entity.source.kind === 'table' ? 'table_name' : 'query';
  const source: Part = { name: '', exprs: [ONE], place: { entity: entity.name, part: null, key } };
  const wholes = entity.measures.filter(isWhole).map((measure): Part => {
    const { name } = measure;
    return { name, exprs: [writeWhole(measure)], place: placeOf(entity.name, 'measures', name, 'expr') };
  });
  return [[source, ...rows], wholes]
    .filter((parts) => parts.length > 0)
    .map((parts) => planBinding(entity, parts, context));
}

/** The dimensions, each with what its grains make of it. */
function listDimensionParts({ name: entity, dimensions }: Entity, layer: Layer): readonly Part[] {
  return dimensions.flatMap((dimension, at): readonly Part[] => {
    const { name, expr, grain } = dimension;
    if (grain !== null) return [];
    const toPart = (key: string, own: readonly string[]) => {
      return { name, exprs: own.map(raw), place: placeOf(entity, 'dimensions', name, key) };
    };
    const base: Part = toPart('expr', [expr]);
    const next = dimensions.findIndex((other, place) => place > at && other.grain === null);
    const grains = dimensions.slice(at + 1, next === -1 ? undefined : next);
    if (grains.length === 0) return [base];
    return [
      {
        ...toPart(
          'x_grains',
          grains.map((own) => printGrain(dimension, own.grain!, layer)),
        ),
        base,
      },
    ];
  });
}

/** Whether a measure is tested with its aggregate, which may take numbers alone. */
function isWhole({ aggregation }: Measure): boolean {
  return aggregation === 'CUSTOM' || aggregation === 'SUM' || aggregation === 'AVG';
}

function writeWhole({ aggregation, expr, dataType }: Measure): SqlExpr {
  if (aggregation === 'CUSTOM') return raw(expr);
  return { kind: 'aggregate', type: aggregation, arg: raw(expr), measure: dataType };
}

function listRowParts(entity: Entity, measure: Measure): readonly Part[] {
  const { name, expr, filter } = measure;
  const isPlain = !isWhole(measure) && expr !== '*';
  const toPart = (key: string, own: SqlExpr): Part => {
    return { name, exprs: [own], place: placeOf(entity.name, 'measures', name, key) };
  };
  return [
    ...(isPlain ? [toPart('expr', raw(expr))] : []),
    ...(filter === null ? [] : [toPart('x_filter', { kind: 'case', when: raw(filter), value: ONE })]),
  ];
}

function planBinding(entity: Entity, all: readonly Part[], { dialect, places }: Context): ModelTest {
  const test = (name: string, parts: readonly Part[]): ModelTest => {
    const items = parts.flatMap(({ exprs }) => exprs).map((expr, at) => ({ expr, alias: `c${at}` }));
    const select = createSelect(toRelation(entity, entity.name), { items, where: [NEVER] });
    const [{ place }] = parts as [Part];
    return {
      name,
      entities: [entity.name],
      isSource: parts.length === 1 && place.part === null,
      sql: printSql(select, dialect),
      failure: places.createFinding(place, ''),
      finding: null,
      parts: [],
    };
  };
  const parts = all.map((part) => {
    const name = [entity.name, part.name].filter((own) => own !== '').join('.');
    return { ...test(name, [part]), parts: part.base === undefined ? [] : [test(name, [part.base])] };
  });
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 ? only : { ...test(entity.name, all), parts };
}

function planKey(entity: Entity, { dialect, places }: Context): readonly ModelTest[] {
  const { name, primaryKey } = entity;
  if (primaryKey === null) return [];
  const keys = primaryKey.map(raw);
  const select = createSelect(toRelation(entity, name), {
    items: [{ expr: ROWS, alias: 'n' }],
    groupBy: keys,
    having: [SEVERAL],
    limit: { fetch: 1, skip: 0 },
  });
  const place = { entity: name, part: null, key: 'x_primary_key' };
  const finding = places.createFinding(place, modelFaults.keyRepeats(primaryKey));
  const sql = printSql(select, dialect);
  return [{ name, entities: [name], isSource: false, sql, failure: finding, finding, parts: [] }];
}

/** A row on the one side of a join may have only one on a side that is declared to be one. */
function planJoins(
  from: Entity,
  relationship: Relationship,
  to: Entity,
  context: Context,
): readonly ModelTest[] {
  const { joinType, name } = relationship;
  // The other side of a relationship with itself goes by the name of the relationship.
  const sides: readonly [Side, Side] = [
    { entity: from, alias: from.name },
    { entity: to, alias: from === to ? name : to.name },
  ];
  const forward = joinType === 'ONE_TO_MANY' ? [] : [planJoin(sides, 0, relationship, context)];
  const back = joinType === 'MANY_TO_ONE' ? [] : [planJoin(sides, 1, relationship, context)];
  return [...forward, ...back];
}

interface Side {
  readonly entity: Entity;
  readonly alias: string;
}

/** True where a database looks for a column among those of another entity, as some questions do: it refuses other types. */
function compareTypes(own: SqlExpr, key: SqlExpr, { entity, alias }: Side): SqlExpr {
  const select = createSelect(toRelation(entity, alias), {
    items: [{ expr: key, alias: 'k' }],
    where: [NEVER],
  });
  const always: SqlExpr = { kind: 'compare', op: '=', left: ONE, right: ONE };
  return { kind: 'or', parts: [always, { kind: 'exists', keys: [own], select }] };
}

/** Finds a row of the side `start` that has several of the other. */
function planJoin(
  sides: readonly [Side, Side],
  start: 0 | 1,
  { name, joinType, expr }: Relationship,
  { dialect, places }: Context,
): ModelTest {
  const [from] = sides;
  const [one, other] = start === 0 ? sides : [sides[1], sides[0]];
  const aliases = sides.map(({ alias }) => alias);
  const { written, equalities } = readExpression(expr, aliases, dialect.lexis);
  const condition = printPieces(written, aliases.map(dialect.quoteName));
  const column = ({ alias }: Side, name: string): SqlExpr => {
    return { kind: 'raw', sql: `${dialect.quoteName(alias)}.${name}`, atomic: true };
  };
  const row: SqlExpr = { kind: 'window', call: 'ROW_NUMBER', arg: null, partitionBy: [], orderBy: null };
  const rows = createSelect(toRelation(one.entity, one.alias), {
    star: one.alias,
    items: [{ expr: row, alias: ROW }],
  });
  const select = createSelect(
    { kind: 'select', selects: [rows], alias: one.alias },
    {
      items: [{ expr: ROWS, alias: 'n' }],
      joins: [{ type: 'INNER', relation: toRelation(other.entity, other.alias), on: raw(condition) }],
      where: (equalities ?? []).map(({ left, right }) => {
        const [own, key] = start === 0 ? [left, right] : [right, left];
        return compareTypes(column(one, own), column(other, key), other);
      }),
      groupBy: [{ kind: 'column', table: one.alias, name: ROW }],
      having: [SEVERAL],
      limit: { fetch: 1, skip: 0 },
    },
  );
  const message = modelFaults.severalRows(joinType, one.entity.name, other.entity.name);
  const place = (key: string) => placeOf(from.entity.name, 'relationships', name, key);
  return {
    name: `${from.entity.name}.${name}`,
    entities: sides.map(({ entity }) => entity.name),
    isSource: false,
    sql: printSql(select, dialect),
    failure: places.createFinding(place('expr'), ''),
    finding: places.createFinding(place('join_type'), message),
    parts: [],
  };
}
