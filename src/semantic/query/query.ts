/**
 * Names a dimension or a measure; `entity` can be a path over relationships, such as `orders.ship_to`
 * (docs/reference/semantic-numbers.md#paths).
 */
export interface FieldRef {
  readonly entity: string;
  readonly field: string;
  readonly alias?: string | undefined;
}

export type Operator =
  | { readonly type: ListOperator | RangeOperator; readonly values: readonly string[] }
  | { readonly type: ValueOperator; readonly value: string }
  | { readonly type: NullOperator };

export type ListOperator =
  | 'EQUALS'
  | 'NOT_EQUALS'
  | 'CONTAINS'
  | 'NOT_CONTAINS'
  | 'STARTS_WITH'
  | 'NOT_STARTS_WITH'
  | 'ENDS_WITH'
  | 'NOT_ENDS_WITH';

export type RangeOperator = 'IN_DATE_RANGE' | 'NOT_IN_DATE_RANGE';

export type ValueOperator =
  | 'GREATER_THAN'
  | 'GREATER_THAN_OR_EQUAL'
  | 'LESS_THAN'
  | 'LESS_THAN_OR_EQUAL'
  | 'BEFORE_DATE'
  | 'AFTER_DATE'
  | 'BEFORE_OR_ON_DATE'
  | 'AFTER_OR_ON_DATE';

export type NullOperator = 'IS_NULL' | 'IS_NOT_NULL';

export type SemanticFilter =
  | { readonly type: 'CONDITION'; readonly field: FieldRef; readonly operator: Operator }
  | { readonly type: 'AND' | 'OR'; readonly filters: readonly SemanticFilter[] };

export interface OrderSpec {
  readonly field: FieldRef;
  readonly desc: boolean;
}

/**
 * A semantic query with the right shape (docs/reference/semantic-queries.md#form). Its names and values are not checked
 * yet.
 */
export interface SemanticQuery {
  readonly dimensions: readonly FieldRef[];
  readonly measures: readonly FieldRef[];
  /** Combined with AND. */
  readonly filters: readonly SemanticFilter[];
  readonly orderBy: readonly OrderSpec[];
  readonly limit: { readonly fetch: number; readonly skip: number } | null;
}

/** The maximum number of dimensions, measures and order fields together. */
export const MAX_FIELDS = 1_000;
/** The maximum number of conditions in the filters of a query. */
export const MAX_CONDITIONS = 10_000;
/** The maximum depth of nested filters. */
export const MAX_FILTER_DEPTH = 100;
