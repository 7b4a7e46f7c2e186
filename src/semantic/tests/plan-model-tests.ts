import type { TypeName } from '../../engine/result/columns/type-names.ts';
import type { Diagnostic } from '../../engine/text/diagnostic.ts';
import { elementAt, entryOf, notNull } from '../../invariants/must.ts';
import type { ModelPlace, ModelPlaces } from '../model/load/model-places.ts';
import type { Dimension, Entity, Layer, Measure, Model, Platform, Relationship } from '../model/model.ts';
import { modelFaults } from '../model/model-faults.ts';
import { printPieces, readExpression } from '../model/read-expression.ts';
import type { Dialect } from '../sql/dialect.ts';
import { DIALECTS } from '../sql/dialects.ts';
import { createRowNumber, createSelect, ONE, type Relation, type SqlExpr } from '../sql/nodes.ts';
import { printGrain } from '../sql/print-grain.ts';
import { printSql } from '../sql/print-sql.ts';
import { listAccepted } from './accepted-types.ts';

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
  /** What the columns of its result have to be. */
  readonly types: readonly TypeTest[];
  /** Tests of its parts, which say more of what fails; none for one that says all. */
  readonly parts: readonly ModelTest[];
}

/** Whether a column of a result is of a type that was declared. */
interface TypeTest {
  readonly name: string;
  /** Its place from 0. */
  readonly column: number;
  readonly accepted: readonly TypeName[];
  /** What another type says, whose name goes behind the message. */
  readonly finding: Diagnostic;
}

/** A column that no table has. */
const ROW = 'quern_row';
const NEVER: SqlExpr = { kind: 'raw', sql: '1 = 0', atomic: false };
const ROWS: SqlExpr = { kind: 'aggregate', type: 'COUNT', arg: null };
const SEVERAL: SqlExpr = { kind: 'compare', op: '>', left: ROWS, right: ONE };

interface Context {
  readonly platform: Platform;
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
  const context = { platform, dialect: DIALECTS[platform], places };
  return [
    ...all.flatMap(({ entity, layer }) => planBindings(entity, layer, context)),
    ...entities.flatMap((entity) => [
      ...planKey(entity, context),
      ...entity.relationships.flatMap((own) =>
        planJoins(entity, own, entryOf(byName, own.toEntity), context),
      ),
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
  /** What the first of them has to be; left out: anything. */
  readonly type?: {
    readonly accepted: readonly TypeName[];
    readonly place: ModelPlace;
    readonly message: string;
  };
  /** What it is made of: where that means nothing, nothing else is told. */
  readonly base?: Part;
}

type List = NonNullable<ModelPlace['part']>['list'];

function placeOf(entity: string, list: List, name: string, key: string): ModelPlace {
  return { entity, part: { list, name }, key };
}

/** What is computed for each row and what of all rows do not go into one SELECT. */
function planBindings(entity: Entity, layer: Layer, context: Context): readonly ModelTest[] {
  const declare: Declare = (list, { name, dataType, expr }) => {
    // NULL alone has no type of its own.
    if (/^\s*null\s*$/i.test(expr)) return {};
    const accepted = listAccepted(dataType, context.platform, layer.timezone);
    const place = placeOf(entity.name, list, name, 'data_type');
    return { type: { accepted, place, message: modelFaults.otherType(dataType) } };
  };
  const rows = [
    ...listDimensionParts(entity, layer, declare),
    ...entity.measures.flatMap((measure) => listRowParts(entity, measure, declare, context)),
  ];
  const key = entity.source.kind === 'table' ? 'table_name' : 'query';
  const source: Part = { name: '', exprs: [ONE], place: { entity: entity.name, part: null, key } };
  const wholes = entity.measures.filter(isWhole).map((measure): Part => {
    const { name } = measure;
    const place = placeOf(entity.name, 'measures', name, 'expr');
    return { name, exprs: [writeWhole(measure)], place, ...declare('measures', measure) };
  });
  return [[source, ...rows], wholes]
    .filter((parts) => parts.length > 0)
    .map((parts) => planBinding(entity, parts, context));
}

/** What the data type of a field says of its values. */
type Declare = (
  list: 'dimensions' | 'measures',
  field: Pick<Dimension | Measure, 'name' | 'dataType' | 'expr'>,
) => Pick<Part, 'type'>;

/** The dimensions, each with what its grains make of it. */
function listDimensionParts(
  { name: entity, dimensions }: Entity,
  layer: Layer,
  declare: Declare,
): readonly Part[] {
  return dimensions.flatMap((dimension, at): readonly Part[] => {
    const { name, expr, grain } = dimension;
    if (grain !== null) return [];
    const toPart = (key: string, own: readonly string[]) => {
      const place = placeOf(entity, 'dimensions', name, key);
      return { name, exprs: [expr, ...own].map(raw), place, ...declare('dimensions', dimension) };
    };
    const base: Part = toPart('expr', []);
    const next = dimensions.findIndex((other, place) => place > at && other.grain === null);
    const grains = dimensions.slice(at + 1, next === -1 ? undefined : next);
    if (grains.length === 0) return [base];
    return [
      {
        ...toPart(
          'x_grains',
          grains.map((own) => printGrain(dimension, notNull(own.grain), layer)),
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

function listRowParts(
  { name: entity }: Entity,
  measure: Measure,
  declare: Declare,
  { dialect, platform }: Context,
): readonly Part[] {
  const { name, expr, filter, aggregation } = measure;
  const isPlain = !isWhole(measure) && expr !== '*';
  const isCounted = aggregation === 'COUNT' || aggregation === 'COUNT_DISTINCT';
  const parts: Part[] = [];
  if (isPlain) {
    const type = isCounted ? {} : declare('measures', measure);
    parts.push({ name, exprs: [raw(expr)], place: placeOf(entity, 'measures', name, 'expr'), ...type });
  }
  if (filter !== null) {
    const place = placeOf(entity, 'measures', name, 'x_filter');
    const chosen: SqlExpr = { kind: 'case', when: raw(filter), value: ONE };
    const accepted = listAccepted('BOOLEAN', platform, 'UTC');
    const type = { accepted, place, message: modelFaults.noCondition() };
    parts.push(
      dialect.hasConditions
        ? { name, exprs: [raw(filter), chosen], place, type }
        : { name, exprs: [chosen], place },
    );
  }
  return parts;
}

function planBinding(entity: Entity, all: readonly Part[], { dialect, places }: Context): ModelTest {
  const test = (name: string, parts: readonly Part[]): ModelTest => {
    const exprs = parts.flatMap((part) => part.exprs);
    const items = exprs.map((expr, at) => ({ expr, alias: `c${at}` }));
    const select = createSelect(toRelation(entity, entity.name), { items, where: [NEVER] });
    const { place } = elementAt(parts, 0);
    return {
      name,
      entities: [entity.name],
      isSource: parts.length === 1 && place.part === null,
      sql: printSql(select, dialect),
      failure: places.createFinding(place, ''),
      finding: null,
      types: parts.flatMap((part) => {
        if (part.type === undefined) return [];
        const finding = places.createFinding(part.type.place, part.type.message);
        const column = exprs.indexOf(elementAt(part.exprs, 0));
        return [{ name: toName(part), column, accepted: part.type.accepted, finding }];
      }),
      parts: [],
    };
  };
  const toName = (part: Part) => [entity.name, part.name].filter((own) => own !== '').join('.');
  const parts = all.map((part) => {
    const name = toName(part);
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
  return [{ name, entities: [name], isSource: false, sql, failure: finding, finding, types: [], parts: [] }];
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
  const { written, equalities } = readExpression(expr, aliases, dialect.lexicalRules);
  const condition = printPieces(written, aliases.map(dialect.quoteName));
  const column = ({ alias }: Side, name: string): SqlExpr => {
    return { kind: 'raw', sql: `${dialect.quoteName(alias)}.${name}`, atomic: true };
  };
  const row: SqlExpr = createRowNumber([]);
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
    types: [],
    parts: [],
  };
}
