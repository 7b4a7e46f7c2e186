import type { Condition, Expression, Ordering } from '../expression/expression.ts';
import { listExpressionFields } from '../expression/walk-expression.ts';
import type { AggregationType, DataType, Entity, Grain } from '../model/model.ts';
import type { Aggregate } from '../sql/nodes.ts';

/**
 * How a question is answered, as plain data: what each leg joins, keeps and counts, and how legs become one table
 * (semantic 3). The only thing that SQL is made from besides the model's expressions.
 */
export interface Plan {
  readonly dimensions: readonly PlannedColumn[];
  readonly measures: readonly PlannedColumn[];
  /** The columns of the answer, over those; in a question all of them, in their order. */
  readonly outputs: readonly PlannedOutput[];
  readonly legs: readonly Leg[];
  /** What groups must satisfy once they are whole. */
  readonly conditions: readonly Condition<ColumnRef>[];
  readonly orderBy: readonly Ordering<ColumnRef>[];
  readonly limit: { readonly fetch: number; readonly skip: number } | null;
}

/** A column of the answer, and what it is. */
export interface PlannedOutput extends PlannedColumn {
  readonly value: Expression<ColumnRef>;
}

/** A column that groups have. */
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
  readonly dimensions: readonly PlannedKey[];
  readonly measures: readonly AnyMeasure[];
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

/** What groups: a dimension, or what is computed of several on the joined row. */
export type PlannedKey = PlannedField | ComputedKey;

interface ComputedKey {
  readonly column: string;
  readonly dataType: DataType;
  readonly expression: Expression<PlannedField>;
}

/** The dimensions that keys are made of. */
export function listKeyFields(key: PlannedKey): readonly PlannedField[] {
  return 'expression' in key ? listExpressionFields(key.expression) : [key];
}

/** A measure of the model, or one that is made of dimensions. */
export type AnyMeasure = PlannedMeasure | SpotMeasure;

interface SpotMeasure {
  readonly column: string;
  readonly aggregation: Aggregate;
  readonly dataType: DataType;
  /** Null for the rows themselves. */
  readonly argument: Expression<PlannedField> | null;
  /** What a row must satisfy to count; null for every row. */
  readonly condition: Expression<PlannedField> | null;
}

/** The dimensions that a measure is made of; none of the model's, which are SQL. */
export function listMeasureFields(measure: AnyMeasure): readonly PlannedField[] {
  if (!('argument' in measure)) return [];
  const parts = [measure.argument, measure.condition].filter((part) => part !== null);
  return parts.flatMap((part) => listExpressionFields(part));
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
