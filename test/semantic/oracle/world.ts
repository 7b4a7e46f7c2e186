import type {
  AggregationType,
  DataType,
  Dimension,
  Entity,
  Grain,
  JoinType,
  Measure,
  MeasureType,
  Model,
  Platform,
} from '../../../src/semantic/model/model.ts';
import { type Condition, type Expression, printCondition, printExpression, printName } from './expression.ts';
import type { Row } from './value.ts';

/** A model with its rows, in a form that both SQL and the oracle understand. */
export interface World {
  readonly entities: readonly EntityDef[];
  readonly edges: readonly Edge[];
}

/** An entity with its own table. */
export interface EntityDef {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly ColumnDef[];
  readonly rows: readonly Row[];
  /** Turns the source into a query with only the rows that satisfy it. */
  readonly where: Condition | null;
  readonly key: readonly string[] | null;
  readonly dimensions: readonly DimensionDef[];
  readonly measures: readonly MeasureDef[];
}

export interface ColumnDef {
  readonly name: string;
  readonly type: DataType;
}

export interface DimensionDef {
  readonly name: string;
  readonly type: DataType;
  readonly expression: Expression;
  readonly grain: Grain | null;
  /** Whether the grain truncates a DATETIME. */
  readonly cutsMoment: boolean;
  readonly caseSensitive: boolean;
}

export interface MeasureDef {
  readonly name: string;
  readonly type: MeasureType;
  readonly aggregation: AggregationType;
  /** The type of the argument. */
  readonly argumentType: DataType;
  /** Null counts rows. */
  readonly argument: Expression | null;
  readonly filter: Condition | null;
  /** Only for CUSTOM. */
  readonly custom: Custom | null;
}

/** The expressions of CUSTOM measures: NULL without rows, but a tally is 0. */
export type Custom =
  | { readonly kind: 'ratio'; readonly over: Expression; readonly under: Expression | null }
  | { readonly kind: 'span' | 'tally'; readonly of: Expression }
  | { readonly kind: 'difference'; readonly left: Expression; readonly right: Expression };

export interface Edge {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly joinType: JoinType;
  /** Its columns name their entity. */
  readonly on: Condition;
}

/** The SQL of a CUSTOM measure. */
export function printCustom(custom: Custom, platform: Platform): string {
  const print = (expression: Expression) => printExpression(expression, platform);
  switch (custom.kind) {
    case 'ratio': {
      const under = custom.under === null ? 'COUNT(*)' : `SUM(${print(custom.under)})`;
      return `SUM(${print(custom.over)}) * 1.00 / NULLIF(${under}, 0)`;
    }
    case 'span':
      return `MAX(${print(custom.of)}) - MIN(${print(custom.of)})`;
    case 'tally':
      return `COUNT(*) + COUNT(${print(custom.of)})`;
    case 'difference':
      return `SUM(${print(custom.left)}) - /* not '"MAX(${custom.kind}) */ SUM(${print(custom.right)})`;
  }
}

/** The truncated dimension precedes its grain, as in models from files; no query uses it. */
function toDimensions(dimension: DimensionDef, platform: Platform): readonly Dimension[] {
  const own: Dimension = {
    name: dimension.name,
    dataType: dimension.type,
    hidden: false,
    expr: printExpression(dimension.expression, platform),
    grain: dimension.grain,
    caseSensitive: dimension.caseSensitive,
    synonyms: [],
  };
  if (dimension.grain === null) return [own];
  const dataType = dimension.cutsMoment ? 'DATETIME' : 'DATE';
  return [{ ...own, name: `${own.name}!cut`, dataType, hidden: true, grain: null }, own];
}

function toMeasure(measure: MeasureDef, platform: Platform): Measure {
  const expr =
    measure.custom !== null
      ? printCustom(measure.custom, platform)
      : measure.argument === null
        ? '*'
        : printExpression(measure.argument, platform);
  return {
    name: measure.name,
    dataType: measure.type,
    hidden: false,
    expr,
    aggregation: measure.aggregation,
    filter: measure.filter === null ? null : printCondition(measure.filter, platform),
    synonyms: [],
  };
}

/** The source of an entity, as SQL. */
export function printSource(entity: EntityDef, platform: Platform): string {
  if (entity.where === null) return entity.table;
  const rows = `SELECT * FROM ${entity.table} WHERE ${printCondition(entity.where, platform)}`;
  return entity.key === null ? `${rows} -- the ones that count` : `WITH own AS (${rows})\nSELECT * FROM own`;
}

function toEntity(entity: EntityDef, edges: readonly Edge[], platform: Platform): Entity {
  const text = printSource(entity, platform);
  return {
    name: entity.name,
    source: entity.where === null ? { kind: 'table', name: text } : { kind: 'query', sql: text },
    primaryKey: entity.key?.map((name) => printName(name, platform)) ?? null,
    synonyms: [],
    dimensions: entity.dimensions.flatMap((dimension) => toDimensions(dimension, platform)),
    measures: entity.measures.map((measure) => toMeasure(measure, platform)),
    relationships: edges
      .filter(({ from }) => from === entity.name)
      .map(({ name, joinType, to, on }) => ({
        name,
        joinType,
        toEntity: to,
        expr: printCondition(on, platform),
      })),
    unreachable: [],
  };
}

/** The model of a world, as its author writes it for a platform. */
export function toModel(world: World, platform: Platform): Model {
  const entities = world.entities.map((entity) => toEntity(entity, world.edges, platform));
  const half = Math.ceil(entities.length / 2);
  const domains = [entities.slice(0, half), entities.slice(half)].map((some, at) => ({
    name: `domain_${at}`,
    synonyms: [],
    entities: some,
  }));
  return { version: '1.0', layers: [{ name: 'layer', platform, timezone: 'UTC', synonyms: [], domains }] };
}

/** Finds an existing entity by name. */
export function findEntity(world: World, name: string): EntityDef {
  const found = world.entities.find((entity) => entity.name === name);
  if (found === undefined) throw new Error(`no entity ${name}`);
  return found;
}
