/** The platforms that SQL is made for (interface 2.7, `environment.platform`). */
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

/** The units to which a dimension cuts the dates of another; weeks begin on Monday. */
export const GRAINS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Grain = (typeof GRAINS)[number];

/** A semantic model that was loaded and found sound (interface 2.7, semantic 1). */
export interface Model {
  readonly version: string;
  readonly layers: readonly Layer[];
}

export interface Layer {
  readonly name: string;
  readonly label?: string | undefined;
  readonly platform: Platform;
  /** An IANA time zone; UTC unless the model says otherwise. */
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
  /** Where its rows come from: the name of a table as it stands in SQL, or a query. */
  readonly source:
    | { readonly kind: 'table'; readonly name: string }
    | { readonly kind: 'query'; readonly sql: string };
  /** Columns that tell its rows apart; null where the model names none. */
  readonly primaryKey: readonly string[] | null;
  readonly synonyms: readonly string[];
  /** Those that grains add stand behind the one that they cut. */
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
  /** SQL over the entity's columns; with a grain, that of the dimension that it cuts. */
  readonly expr: string;
  /** Null for all but those that `x_grains` adds. */
  readonly grain: Grain | null;
  /** Whether text matches only as it is written. */
  readonly caseSensitive: boolean;
  readonly synonyms: readonly string[];
}

export interface Measure {
  readonly name: string;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly dataType: MeasureType;
  readonly hidden: boolean;
  /** What is aggregated, or for CUSTOM the whole expression; `*` counts rows. */
  readonly expr: string;
  readonly aggregation: AggregationType;
  /** SQL that a row must satisfy to count; null for every row. */
  readonly filter: string | null;
  readonly synonyms: readonly string[];
}

export interface Relationship {
  /** Unique among those of its entity. */
  readonly name: string;
  readonly joinType: JoinType;
  readonly toEntity: string;
  /** The join's condition, with columns qualified by the two entities' names. */
  readonly expr: string;
}

/** A relationship that exists and has no SQL here: a question whose path needs it is refused. */
export interface Unreachable {
  readonly toEntity: string;
  /** Null where it is not known: the path over it then counts as the cheapest one. */
  readonly joinType: JoinType | null;
  /** Why it has no SQL: a sentence without its end. */
  readonly reason: string;
}
