import type { AggregationType, DataType, Entity, Grain } from '../model/model.ts';
import type { Condition } from '../query/condition.ts';

/**
 * How a question is answered, as plain data: what each leg joins, keeps and counts, and how legs become one table
 * (semantic 3). The only thing that SQL is made from besides the model's expressions.
 */
export interface Plan {
  readonly dimensions: readonly PlannedColumn[];
  readonly measures: readonly PlannedColumn[];
  readonly legs: readonly Leg[];
  /** What groups must satisfy once they are whole. */
  readonly conditions: readonly Condition<ColumnRef>[];
  readonly orderBy: readonly { readonly column: ColumnRef; readonly desc: boolean }[];
  readonly limit: { readonly fetch: number; readonly skip: number } | null;
}

/** A column of the answer. */
export interface PlannedColumn {
  readonly name: string;
  readonly dataType: DataType;
  /** What the model says of it. */
  readonly description?: string | undefined;
}

/** A column of the table that legs become: of the answer, or one that only conditions and order need. */
export interface ColumnRef {
  readonly kind: 'dimension' | 'measure';
  readonly name: string;
  readonly dataType: DataType;
  readonly caseSensitive: boolean;
}

/** The measures of one entity, at its own grain. */
export interface Leg {
  readonly root: PlannedEntity;
  /** `rows` go once into each group: by nature, by a key and DISTINCT, or whole and numbered. */
  readonly rows: 'once' | 'distinct' | 'numbered';
  /** Whether a group is in the answer because this leg has it. */
  readonly addsGroups: boolean;
  readonly joins: readonly (PlannedJoin | ReducedJoin)[];
  readonly dimensions: readonly PlannedField[];
  readonly measures: readonly PlannedMeasure[];
  readonly where: readonly Condition<PlannedField>[];
  readonly exists: readonly Branch[];
  /** Of the model: what every row must satisfy; null for all. */
  readonly rowFilter: string | null;
  /** Names of the dimensions of which a row may have several. */
  readonly overlapping: readonly string[];
}

/** An entity under an alias that is unique in its leg. */
export interface PlannedEntity {
  readonly alias: string;
  readonly entity: string;
  readonly source: Entity['source'];
  readonly primaryKey: readonly string[] | null;
}

export interface PlannedJoin extends PlannedEntity {
  readonly kind: 'join';
  /** The alias of the entity that it is joined to. */
  readonly to: string;
  readonly path: string;
  readonly toMany: boolean;
  readonly condition: string;
  /** The names that qualify columns in the condition, and the aliases for them. */
  readonly names: readonly [string, string];
  readonly aliases: readonly [string, string];
  /** Whether conditions leave no row without it. */
  readonly isInner: boolean;
}

/** Entities that are joined to one that stands outside, and what of them counts. */
export interface Branch {
  readonly first: PlannedJoin;
  readonly joins: readonly PlannedJoin[];
  readonly where: readonly Condition<PlannedField>[];
  /** The columns that must be equal, where that is all that joins it and nothing outside of it is compared; else null. */
  readonly keys: readonly Key[] | null;
}

/** Columns as they are written: of what a branch is joined to, of its first entity. */
export interface Key {
  readonly outer: string;
  readonly inner: string;
}

/** A branch of which only the different dimensions are joined. */
export interface ReducedJoin extends Branch {
  readonly kind: 'reduced';
  readonly keys: readonly Key[];
  readonly dimensions: readonly PlannedField[];
  /** Whether rows without one of the branch are out. */
  readonly isInner: boolean;
}

export interface PlannedField {
  /** The column of the answer, also of one that is asked about where a branch is reduced to it; else null. */
  readonly column: string | null;
  readonly alias: string;
  readonly entity: string;
  readonly name: string;
  readonly dataType: DataType;
  readonly expr: string;
  readonly grain: Grain | null;
  /** The time zone in which a moment is cut; null where it needs none. */
  readonly timezone: string | null;
  /** Whether a grain cuts a moment. */
  readonly isMoment: boolean;
  readonly caseSensitive: boolean;
}

export interface PlannedMeasure {
  readonly column: string;
  readonly name: string;
  readonly aggregation: AggregationType;
  readonly dataType: DataType;
  readonly expr: string;
  /** Null also where the leg's own filter is the measure's. */
  readonly filter: string | null;
}
