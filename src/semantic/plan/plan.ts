import type { Ordering, ResolvedFilter, TypedExpression } from '../expression/expression.ts';
import { listExpressionFields } from '../expression/walk-expression.ts';
import type { AggregationType, Entity, Grain, ValueType } from '../model/model.ts';
import type { AggregateFunction } from '../sql/nodes.ts';

/**
 * The plan of a query as plain data: the joins, rows and measures of each leg, and how the legs are combined
 * (docs/reference/semantic-numbers.md#the-plan). SQL is generated only from the plan and the model's expressions.
 */
export interface Plan {
  readonly dimensions: readonly PlannedColumn[];
  readonly measures: readonly PlannedColumn[];
  /** The result columns, computed from those; in a semantic query, all of them in order. */
  readonly outputs: readonly PlannedOutput[];
  readonly legs: readonly Leg[];
  /** The conditions on finished groups. */
  readonly conditions: readonly ResolvedFilter<ColumnRef>[];
  readonly orderBy: readonly Ordering<ColumnRef>[];
  readonly limit: { readonly fetch: number; readonly skip: number } | null;
}

/** A result column and its value. */
export interface PlannedOutput extends PlannedColumn {
  readonly value: TypedExpression<ColumnRef>;
}

/** A column of groups. */
export interface PlannedColumn {
  readonly name: string;
  readonly dataType: ValueType;
  /** The description in the model. */
  readonly description?: string | undefined;
}

/** A column of the combined legs: a result column, or one that only conditions and ORDER BY need. */
export interface ColumnRef {
  readonly kind: 'dimension' | 'measure';
  readonly name: string;
  readonly dataType: ValueType;
  readonly caseSensitive: boolean;
}

/** The measures of one entity, at its own grain. */
export interface Leg {
  readonly root: PlannedEntity;
  /** How `rows` count once in each group: unchanged, by a key and DISTINCT, or as numbered whole rows. */
  readonly rows: 'once' | 'distinct' | 'numbered';
  /** Whether the groups of this leg appear in the result. */
  readonly addsGroups: boolean;
  readonly joins: readonly (PlannedJoin | ReducedJoin)[];
  readonly dimensions: readonly PlannedKey[];
  readonly measures: readonly AnyMeasure[];
  readonly where: readonly ResolvedFilter<PlannedField>[];
  readonly exists: readonly Branch[];
  /** A condition from the model on every row; null for all rows. */
  readonly rowFilter: string | null;
  /** Names of the dimensions with several values for one row. */
  readonly overlapping: readonly string[];
}

/** An entity with an alias that is unique in its leg. */
export interface PlannedEntity {
  readonly alias: string;
  readonly entity: string;
  readonly source: Entity['source'] | { readonly kind: 'result'; readonly name: string };
  readonly primaryKey: readonly string[] | null;
}

export interface PlannedJoin extends PlannedEntity {
  readonly kind: 'join';
  /** The alias of the parent entity. */
  readonly to: string;
  readonly path: string;
  readonly toMany: boolean;
  readonly condition: string;
  /** The qualifiers of columns in the condition, and the aliases that replace them. */
  readonly names: readonly [string, string];
  readonly aliases: readonly [string, string];
  /** The conditions of the join with a result, instead of `condition`. */
  readonly on: readonly TypedExpression<PlannedField>[];
  /** Whether the conditions exclude rows without this entity. */
  readonly isInner: boolean;
}

/** Entities joined to one outer entity, and the conditions on their rows. */
export interface Branch {
  readonly first: PlannedJoin;
  readonly joins: readonly PlannedJoin[];
  readonly where: readonly ResolvedFilter<PlannedField>[];
  /** The equal columns, if they are the whole join condition and no outer column is compared; otherwise null. */
  readonly keys: readonly Key[] | null;
}

/** A pair of columns as written: of the outer entity and of the branch's first entity. */
export interface Key {
  readonly outer: string;
  readonly inner: string;
}

/** A branch that is joined by its distinct dimensions only. */
export interface ReducedJoin extends Branch {
  readonly kind: 'reduced';
  readonly keys: readonly Key[];
  readonly dimensions: readonly PlannedField[];
  /** Whether rows without a row of the branch are excluded. */
  readonly isInner: boolean;
}

export interface PlannedField {
  /** The result column, or the column of a reduced branch that a condition uses; otherwise null. */
  readonly column: string | null;
  readonly alias: string;
  readonly entity: string;
  readonly name: string;
  readonly dataType: ValueType;
  readonly expr: string;
  readonly grain: Grain | null;
  /** The time zone for truncating a DATETIME; null if it is not needed. */
  readonly timezone: string | null;
  /** Whether a grain truncates a DATETIME. */
  readonly isMoment: boolean;
  readonly caseSensitive: boolean;
}

/** A grouping key: a dimension, or an expression over several dimensions on the joined row. */
export type PlannedKey = PlannedField | ComputedKey;

interface ComputedKey {
  readonly column: string;
  readonly dataType: ValueType;
  readonly expression: TypedExpression<PlannedField>;
}

/** The dimensions of a key. */
export function listKeyFields(key: PlannedKey): readonly PlannedField[] {
  return 'expression' in key ? listExpressionFields(key.expression) : [key];
}

/** A measure of the model, or one that the statement defines. */
export type AnyMeasure = PlannedMeasure | SpotMeasure;

interface SpotMeasure {
  readonly column: string;
  readonly aggregation: AggregateFunction;
  readonly dataType: ValueType;
  /** Null for the rows themselves. */
  readonly argument: TypedExpression<PlannedField> | null;
  /** The condition of counted rows; null for all rows. */
  readonly condition: TypedExpression<PlannedField> | null;
}

/** The dimensions of a measure; empty for a measure of the model, which is SQL. */
export function listMeasureFields(measure: AnyMeasure): readonly PlannedField[] {
  if (!('argument' in measure)) return [];
  const parts = [measure.argument, measure.condition].filter((part) => part !== null);
  return parts.flatMap((part) => listExpressionFields(part));
}

export interface PlannedMeasure {
  readonly column: string;
  readonly name: string;
  readonly aggregation: AggregationType;
  readonly dataType: ValueType;
  readonly expr: string;
  /** Null also if the leg has this filter. */
  readonly filter: string | null;
}
