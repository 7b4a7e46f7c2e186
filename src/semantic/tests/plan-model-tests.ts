import type { TypeName } from '../../engine/result/columns/type-names.ts';
import type { Diagnostic } from '../../engine/text/diagnostic.ts';
import { elementAt, entryOf, notNull } from '../../invariants/must.ts';
import type { ModelPlace, ModelPlaces } from '../model/load/read-model.ts';
import type {
  DataType,
  Dimension,
  Entity,
  Layer,
  Measure,
  Model,
  Platform,
  Relationship,
} from '../model/model.ts';
import { modelMessages } from '../model/model-messages.ts';
import { printPieces, readModelExpression } from '../model/read-model-expression.ts';
import type { Dialect } from '../sql/dialect.ts';
import { DIALECTS } from '../sql/dialects.ts';
import { createRowNumber, createSelect, NEVER, ONE, type Relation, type SqlExpr } from '../sql/nodes.ts';
import { printGrain } from '../sql/print-grain.ts';
import { printSql } from '../sql/print-sql.ts';

/**
 * A query that checks a model against its database (docs/reference/semantic-model.md#tests-against-the-database). `sql`
 * fails if a part of the model is invalid in the database, and can return a row if the data contradict the model.
 */
export interface ModelTest {
  /** The subject: an entity, or one of its dimensions, measures or relationships. */
  readonly name: string;
  /** The entities that it reads. */
  readonly entities: readonly string[];
  /** Whether it only tests that the entity can be read. If this fails, no other test of the entity can run. */
  readonly isSource: boolean;
  readonly sql: string;
  /** The location of the error if `sql` fails; the database supplies the message. */
  readonly failure: Diagnostic;
  /** The diagnostic of a returned row; null if rows have no meaning. */
  readonly finding: Diagnostic | null;
  /** The expected types of the result columns. */
  readonly types: readonly TypeTest[];
  /** Tests of its parts, which locate the failure better; empty if there are no parts. */
  readonly parts: readonly ModelTest[];
}

/** Checks the type of a result column against the declared type. */
interface TypeTest {
  readonly name: string;
  /** The index from 0. */
  readonly column: number;
  readonly accepted: readonly TypeName[];
  /** The diagnostic of another type; the name of the type is appended to its message. */
  readonly finding: Diagnostic;
  /** The test that the values of a DECIMAL are whole; null for a field that can have fractions. */
  readonly wholeValues: ModelTest | null;
}

/** A column name that no table has. */
const ROW = 'quern_row';
const ROWS: SqlExpr = { kind: 'aggregate', type: 'COUNT', arg: null };
const SEVERAL: SqlExpr = { kind: 'compare', op: '>', left: ROWS, right: ONE };

interface Context {
  readonly platform: Platform;
  readonly dialect: Dialect;
  readonly places: ModelPlaces;
}

/**
 * Plans the tests of a valid model: first that its SQL binds, then that keys are unique and joins have the declared
 * cardinality.
 */
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
      ...entity.relationships.flatMap((relationship) =>
        planJoins(entity, relationship, entryOf(byName, relationship.toEntity), context),
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

/** A part of the model that must be valid in the database. */
interface Part {
  readonly name: string;
  readonly exprs: readonly SqlExpr[];
  readonly place: ModelPlace;
  /** The expected type of the first one; any type if it is left out. */
  readonly type?: {
    readonly accepted: readonly TypeName[];
    readonly place: ModelPlace;
    readonly message: string;
    /** Whether the values of the first one must be whole numbers. */
    readonly isWhole: boolean;
  };
  /** The part that it depends on: if that is invalid, only that is reported. */
  readonly base?: Part;
}

type List = NonNullable<ModelPlace['part']>['list'];

function placeOf(entity: string, list: List, name: string, key: string): ModelPlace {
  return { entity, part: { list, name }, key };
}

/** Row expressions and aggregates need separate SELECTs. */
function planBindings(entity: Entity, layer: Layer, context: Context): readonly ModelTest[] {
  const declare: Declare = (list, { name, dataType, expr, ...field }) => {
    // A bare NULL has no type.
    if (/^\s*null\s*$/i.test(expr)) return {};
    const accepted = listAccepted(dataType, context.platform, layer.timezone);
    const place = placeOf(entity.name, list, name, 'data_type');
    const isCustom = 'aggregation' in field && field.aggregation === 'CUSTOM';
    const isWhole = dataType === 'INTEGER' && !isCustom;
    return { type: { accepted, place, message: modelMessages.otherType(dataType), isWhole } };
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

/** Creates the expected type of a field's values. */
type Declare = (list: 'dimensions' | 'measures', field: Dimension | Measure) => Pick<Part, 'type'>;

/** The dimensions, each with its grains. */
function listDimensionParts(
  { name: entity, dimensions }: Entity,
  layer: Layer,
  declare: Declare,
): readonly Part[] {
  return dimensions.flatMap((dimension, at): readonly Part[] => {
    const { name, expr, grain } = dimension;
    if (grain !== null) return [];
    const toPart = (key: string, conditions: readonly string[]) => {
      const place = placeOf(entity, 'dimensions', name, key);
      return { name, exprs: [expr, ...conditions].map(raw), place, ...declare('dimensions', dimension) };
    };
    const base: Part = toPart('expr', []);
    const next = dimensions.findIndex((other, index) => index > at && other.grain === null);
    const grains = dimensions.slice(at + 1, next === -1 ? undefined : next);
    if (grains.length === 0) return [base];
    return [
      {
        ...toPart(
          'x_grains',
          grains.map((grainDimension) => printGrain(dimension, notNull(grainDimension.grain), layer)),
        ),
        base,
      },
    ];
  });
}

/** Whether a measure is tested with its aggregate, which can require numbers. */
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
    const type = { accepted, place, message: modelMessages.noCondition(), isWhole: false };
    parts.push(
      dialect.hasConditions
        ? { name, exprs: [raw(filter), chosen], place, type }
        : { name, exprs: [chosen], place },
    );
  }
  return parts;
}

function planBinding(entity: Entity, all: readonly Part[], context: Context): ModelTest {
  const { dialect, places } = context;
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
        const wholeValues = planWholeValues(entity, { ...part, name: toName(part) }, context);
        return [{ name: toName(part), column, accepted: part.type.accepted, finding, wholeValues }];
      }),
      parts: [],
    };
  };
  const toName = (part: Part) => [entity.name, part.name].filter((text) => text !== '').join('.');
  const parts = all.map((part) => {
    const name = toName(part);
    return { ...test(name, [part]), parts: part.base === undefined ? [] : [test(name, [part.base])] };
  });
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 ? only : { ...test(entity.name, all), parts };
}

/** Finds a value with a fraction in a field that is declared as INTEGER. */
function planWholeValues(
  entity: Entity,
  { name, exprs, type }: Part,
  { dialect, places }: Context,
): ModelTest | null {
  const measure = elementAt(exprs, 0);
  const expr = measure.kind === 'aggregate' ? measure.arg : measure;
  if (type === undefined || !type.isWhole || expr === null) return null;
  const floor: SqlExpr = { kind: 'call', name: 'FLOOR', args: [expr], types: ['DECIMAL'] };
  const select = createSelect(toRelation(entity, entity.name), {
    items: [{ expr: ONE, alias: 'n' }],
    where: [{ kind: 'compare', op: '<>', left: expr, right: floor }],
    limit: { fetch: 1, skip: 0 },
  });
  const finding = places.createFinding(type.place, modelMessages.fractions());
  const sql = printSql(select, dialect);
  return {
    name,
    entities: [entity.name],
    isSource: false,
    sql,
    failure: finding,
    finding,
    types: [],
    parts: [],
  };
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
  const finding = places.createFinding(place, modelMessages.keyRepeats(primaryKey));
  const sql = printSql(select, dialect);
  return [{ name, entities: [name], isSource: false, sql, failure: finding, finding, types: [], parts: [] }];
}

/** Tests that each row has at most one row on the to-one side of a join. */
function planJoins(
  from: Entity,
  relationship: Relationship,
  to: Entity,
  context: Context,
): readonly ModelTest[] {
  const { joinType, name } = relationship;
  // In a self-relationship, the other side is named after the relationship.
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

/** Compares a column with one of another entity, as queries do: the database rejects different types. */
function compareTypes(foreignKey: SqlExpr, key: SqlExpr, { entity, alias }: Side): SqlExpr {
  const select = createSelect(toRelation(entity, alias), {
    items: [{ expr: key, alias: 'k' }],
    where: [NEVER],
  });
  const always: SqlExpr = { kind: 'compare', op: '=', left: ONE, right: ONE };
  return { kind: 'or', parts: [always, { kind: 'exists', keys: [foreignKey], select }] };
}

/** Finds a row of the side `start` that has several rows of the other side. */
function planJoin(
  sides: readonly [Side, Side],
  start: 0 | 1,
  { name, joinType, expr }: Relationship,
  { dialect, places }: Context,
): ModelTest {
  const [from] = sides;
  const [one, other] = start === 0 ? sides : [sides[1], sides[0]];
  const aliases = sides.map(({ alias }) => alias);
  const { written, equalities } = readModelExpression(expr, aliases, dialect.lexicalRules);
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
        const [foreignKey, key] = start === 0 ? [left, right] : [right, left];
        return compareTypes(column(one, foreignKey), column(other, key), other);
      }),
      groupBy: [{ kind: 'column', table: one.alias, name: ROW }],
      having: [SEVERAL],
      limit: { fetch: 1, skip: 0 },
    },
  );
  const message = modelMessages.severalRows(joinType, one.entity.name, other.entity.name);
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

const NUMBERS: readonly TypeName[] = ['INTEGER', 'DECIMAL', 'DOUBLE'];

/** The result types (docs/reference/results.md) that are valid values of a declared field type. */
const ACCEPTED: Readonly<Record<DataType, readonly TypeName[]>> = {
  TEXT: ['STRING', 'JSON'],
  NUMBER: NUMBERS,
  // A sum of integers can be a DECIMAL without fraction digits.
  INTEGER: ['INTEGER', 'DECIMAL'],
  FLOAT: NUMBERS,
  DECIMAL: NUMBERS,
  DATE: ['DATE'],
  DATETIME: ['TIMESTAMP'],
  BOOLEAN: ['BOOLEAN'],
};

/** MySQL's replacements for some types: numbers for booleans, and bytes for text from functions. */
const OF_MYSQL: Readonly<Partial<Record<DataType, readonly TypeName[]>>> = {
  BOOLEAN: ['INTEGER', 'STRING'],
  TEXT: ['BINARY'],
};

/** The types that a database can return for a field of a data type, in a layer with a time zone. */
function listAccepted(type: DataType, platform: Platform, timezone: string): readonly TypeName[] {
  const mysqlTypes = platform === 'mysql' ? (OF_MYSQL[type] ?? []) : [];
  // In other time zones, the midnight of a date is on another day.
  const date: readonly TypeName[] = type === 'DATETIME' && timezone === 'UTC' ? ['DATE'] : [];
  return [...ACCEPTED[type], ...mysqlTypes, ...date];
}
