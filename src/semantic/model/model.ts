// A semantic model, as it was read from its files: entities with dimensions, measures and relationships. It is plain
// data that can be sent to another thread. `index/` adds what queries look up.

/** The supported platforms (docs/reference/semantic-model.md#keys). */
export const PLATFORMS = [
  'duckdb',
  'postgresql',
  'redshift',
  'yellowbrick',
  'snowflake',
  'bigquery',
  'databricks',
  'trino',
  'mysql',
  'sqlserver',
  'clickhouse',
] as const;
export type Platform = (typeof PLATFORMS)[number];

export const DATA_TYPES = [
  'TEXT',
  'NUMBER',
  'INTEGER',
  'FLOAT',
  'DECIMAL',
  'DATE',
  'DATETIME',
  'BOOLEAN',
] as const;
export type DataType = (typeof DATA_TYPES)[number];

/**
 * The type of a value: of a field, or a TIMESTAMP, which only expressions have. A DATETIME is a moment; a TIMESTAMP is
 * wall-clock time without a time zone (docs/reference/semantic-sql-functions.md#dates-and-times).
 */
export type ValueType = DataType | 'TIMESTAMP';

export const MEASURE_TYPES = ['NUMBER', 'INTEGER', 'FLOAT', 'DECIMAL'] as const satisfies readonly DataType[];
export type MeasureType = (typeof MEASURE_TYPES)[number];

export const AGGREGATION_TYPES = [
  'SUM',
  'COUNT',
  'COUNT_DISTINCT',
  'AVG',
  'MIN',
  'MAX',
  'MEDIAN',
  'CUSTOM',
] as const;
export type AggregationType = (typeof AGGREGATION_TYPES)[number];

export const JOIN_TYPES = ['ONE_TO_ONE', 'ONE_TO_MANY', 'MANY_TO_ONE'] as const;
export type JoinType = (typeof JOIN_TYPES)[number];

/** The units that a dimension can truncate dates to; weeks start on Monday. */
export const GRAINS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Grain = (typeof GRAINS)[number];

/** A loaded and valid semantic model (docs/reference/semantic-model.md#keys). */
export interface Model {
  readonly version: string;
  readonly layers: readonly Layer[];
}

export interface Layer {
  readonly name: string;
  readonly label?: string | undefined;
  readonly platform: Platform;
  /** An IANA time zone; UTC by default. */
  readonly timezone: string;
  readonly synonyms: readonly string[];
  readonly domains: readonly Domain[];
}

export interface Domain {
  readonly name: string;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly synonyms: readonly string[];
  readonly entities: readonly Entity[];
}

export interface Entity {
  /** Unique in the whole model. */
  readonly name: string;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  /** The source of the rows: a table name as written in SQL, or a query. */
  readonly source:
    | { readonly kind: 'table'; readonly name: string }
    | { readonly kind: 'query'; readonly sql: string };
  /** The columns that identify a row; null without a declared key. */
  readonly primaryKey: readonly string[] | null;
  readonly synonyms: readonly string[];
  /** Dimensions of grains follow the dimension that they truncate. */
  readonly dimensions: readonly Dimension[];
  readonly measures: readonly Measure[];
  readonly relationships: readonly Relationship[];
  readonly unreachable: readonly Unreachable[];
}

export interface Dimension {
  readonly name: string;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly dataType: DataType;
  readonly hidden: boolean;
  /** SQL over the entity's columns; for a grain, the SQL of the truncated dimension. */
  readonly expr: string;
  /** Null except for dimensions that `x_grains` adds. */
  readonly grain: Grain | null;
  /** Whether text filters are case-sensitive. */
  readonly caseSensitive: boolean;
  readonly synonyms: readonly string[];
}

export interface Measure {
  readonly name: string;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly dataType: MeasureType;
  readonly hidden: boolean;
  /** The aggregated expression, or the whole expression for CUSTOM; `*` counts rows. */
  readonly expr: string;
  readonly aggregation: AggregationType;
  /** The SQL condition of counted rows; null for all rows. */
  readonly filter: string | null;
  readonly synonyms: readonly string[];
}

export interface Relationship {
  /** Unique among the relationships of its entity. */
  readonly name: string;
  readonly joinType: JoinType;
  readonly toEntity: string;
  /** The condition of the join, with columns qualified by the names of the two entities. */
  readonly expr: string;
}

/** A relationship that exists but has no SQL: a query whose path needs it is refused. */
export interface Unreachable {
  readonly toEntity: string;
  /** Null if it is unknown: the path over it then counts as the cheapest one. */
  readonly joinType: JoinType | null;
  /** Why it has no SQL: a sentence without a full stop. */
  readonly reason: string;
}
