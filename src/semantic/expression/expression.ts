// A resolved query. Keys, arguments of measures and conditions are expressions over fields, each with its type. A
// semantic query and a statement of Semantic SQL both become this form, so the planner knows one language. The type
// of the fields is a parameter: a field of the query, of the plan, or of the finished groups.

import type { DimensionUse, MeasureUse } from '../model/index/field-use.ts';
import type { Edge, IndexedEntity } from '../model/index/index-model.ts';
import type { Grain, ValueType } from '../model/model.ts';
import type {
  AggregateFunction,
  Literal,
  Match,
  RelationalOperator,
  WindowCall,
  WindowFrame,
} from '../sql/nodes.ts';
import type { FunctionName } from './functions.ts';

/** The properties of every expression. */
interface Typed {
  readonly dataType: ValueType;
  /** Whether a value may be NULL. */
  readonly nullable: boolean;
}

/** A field, described by `Field`. */
export interface FieldExpression<Field> extends Typed {
  readonly kind: 'field';
  readonly field: Field;
}

/** A literal from the caller; the value null is NULL. */
export interface TypedLiteral extends Typed {
  readonly kind: 'literal';
  readonly value: Literal | null;
}

/**
 * A call of a portable function or operator (docs/reference/semantic-sql-functions.md). Only `createCall` creates it
 * and checks the types.
 */
export interface TypedCall<Field> extends Typed {
  readonly kind: 'call';
  readonly name: FunctionName;
  readonly args: readonly TypedExpression<Field>[];
}

/** The value of the first branch whose condition is true, otherwise `otherwise`; null means NULL. */
export interface CaseExpression<Field> extends Typed {
  readonly kind: 'case';
  readonly branches: readonly {
    readonly when: TypedExpression<Field>;
    readonly value: TypedExpression<Field>;
  }[];
  readonly otherwise: TypedExpression<Field> | null;
}

/** A cast to `dataType`. */
export interface CastExpression<Field> extends Typed {
  readonly kind: 'cast';
  readonly of: TypedExpression<Field>;
  /** The digits of a DECIMAL; null for the default. */
  readonly digits: Digits | null;
}

/** The precision and scale of a DECIMAL. */
export interface Digits {
  readonly precision: number;
  readonly scale: number;
}

/** The first day, a DATE, of the unit that contains a DATE or TIMESTAMP. */
interface GrainExpression<Field> extends Typed {
  readonly kind: 'grain';
  readonly unit: Grain;
  readonly of: TypedExpression<Field>;
}

/**
 * A DATETIME as the TIMESTAMP of a time zone (`local`), or the DATETIME of a TIMESTAMP or DATE there (`moment`); a DATE
 * is its first moment.
 */
interface ZoneExpression<Field> extends Typed {
  readonly kind: 'local' | 'moment';
  readonly of: TypedExpression<Field>;
  /** An IANA time zone name. */
  readonly timezone: string;
}

/** An aggregate over the rows of a result; not allowed in the query that produces the rows. */
export interface AggregateExpression<Field> extends Typed {
  readonly kind: 'aggregate';
  readonly aggregate: AggregateFunction;
  /** Null for the rows themselves, which only COUNT takes. */
  readonly of: TypedExpression<Field> | null;
  readonly filter: TypedExpression<Field> | null;
}

/** A window function over the rows of a result; not allowed in the query that produces the rows. */
export interface WindowExpression<Field> extends Typed {
  readonly kind: 'window';
  readonly call: WindowCall | 'AVG';
  /** Empty for the rows themselves. */
  readonly args: readonly TypedExpression<Field>[];
  readonly partitionBy: readonly TypedExpression<Field>[];
  readonly orderBy: readonly Ordering<Field>[];
  /** Null if the call has no frame. */
  readonly frame: WindowFrame | null;
}

/** An uncorrelated sub-query over results: its only value, whether it contains `of`, or whether it has rows. */
type QueryExpression<Field> =
  | (Typed & { readonly kind: 'query'; readonly query: QueryName })
  | (Typed & { readonly kind: 'in query'; readonly of: TypedExpression<Field>; readonly query: QueryName })
  | (Typed & { readonly kind: 'exists'; readonly query: QueryName });

/** The key of a sub-query in its statement. */
export type QueryName = string;

/**
 * An expression with resolved fields and checked types (docs/reference/semantic-sql-functions.md#types). A condition is
 * a BOOLEAN expression.
 */
export type TypedExpression<Field> =
  | FieldExpression<Field>
  | TypedLiteral
  | TypedCall<Field>
  | CaseExpression<Field>
  | CastExpression<Field>
  | GrainExpression<Field>
  | ZoneExpression<Field>
  | AggregateExpression<Field>
  | WindowExpression<Field>
  | QueryExpression<Field>;

/** An ORDER BY item. */
export interface Ordering<Field> {
  readonly value: TypedExpression<Field>;
  readonly desc: boolean;
  /** Whether NULLs come first; otherwise they come last, in both directions. */
  readonly nullsFirst: boolean;
}

/** A test of one value that is the same in every dialect. */
export type Test =
  | { readonly kind: 'in'; readonly values: readonly Literal[] }
  | { readonly kind: 'match'; readonly how: Match; readonly text: string }
  /** All bounds must hold. */
  | { readonly kind: 'bounds'; readonly bounds: readonly RangeBound[] }
  | { readonly kind: 'null' };

export interface RangeBound {
  readonly op: RelationalOperator;
  readonly value: Literal;
}

/** A filter with resolved fields and parsed values. */
export type ResolvedFilter<Field> =
  | {
      readonly kind: 'test';
      readonly field: Field;
      /** One of them must hold; none when negated. */
      readonly tests: readonly Test[];
      readonly negated: boolean;
      /** Whether NULL satisfies it. */
      readonly takesNull: boolean;
    }
  /** A BOOLEAN expression that must be true: as in SQL, NULL does not satisfy it. */
  | { readonly kind: 'expression'; readonly expression: TypedExpression<Field> }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly ResolvedFilter<Field>[] };

/** A grouping key computed from dimensions. With several entities it is computed on the joined row. */
export interface ComputedKeyUse {
  readonly kind: 'computed';
  /** Equal for equal expressions. */
  readonly key: string;
  /** The name in messages and generated names. */
  readonly name: string;
  /** Contains at least one field and no window function; a constant for GROUPING over levels. */
  readonly expression: TypedExpression<DimensionUse>;
}

/**
 * A measure that a statement defines over the fields of one entity and of entities reached over to-one relationships.
 */
export interface SpotMeasureUse {
  readonly kind: 'spot';
  /** Equal for equal aggregates. */
  readonly key: string;
  readonly name: string;
  /** The entity whose rows count once each (`findOwner` finds it). */
  readonly owner: IndexedEntity;
  readonly aggregate: AggregateFunction;
  /** Null for the rows themselves, which only COUNT takes. */
  readonly argument: TypedExpression<DimensionUse> | null;
  /** The condition of counted rows (FILTER); null for all rows. */
  readonly filter: TypedExpression<DimensionUse> | null;
  readonly dataType: ValueType;
}

export type KeyUse = DimensionUse | ComputedKeyUse;
export type AnyMeasureUse = MeasureUse | SpotMeasureUse;

/** The fields that HAVING, ORDER BY and the items of a result can name. */
export type ResultUse = KeyUse | AnyMeasureUse;

/**
 * A grouping key or measure and the alias of its column; the alias is null where the items of a query define the
 * columns.
 */
export interface OutputColumn<Use, Alias = string | null> {
  readonly use: Use;
  readonly alias: Alias;
}

/** A result that is joined with an entity, which it has at most one row for. */
export interface ResultLink {
  readonly edge: Edge;
  /**
   * The join condition, combined with AND: all fields start at the entity of the edge, and those of the result are
   * over the edge.
   */
  readonly on: readonly TypedExpression<DimensionUse>[];
}

/** A query over entities with resolved fields and parsed values (docs/reference/semantic-numbers.md#the-plan). */
export interface ResolvedQuery {
  /** The entity whose rows a query without measures lists; null where the keys define it. */
  readonly root: IndexedEntity | null;
  /** Without duplicates if there are items. */
  readonly keys: readonly OutputColumn<KeyUse>[];
  /**
   * Without duplicates if there are items. They decide which groups exist; `having` and `orderBy` can name other
   * measures, which add no groups.
   */
  readonly measures: readonly OutputColumn<AnyMeasureUse>[];
  /** The results that dimensions and conditions read. */
  readonly results: readonly ResultLink[];
  /** The conditions on the joined rows of every leg, combined with AND. */
  readonly conditions: readonly ResolvedFilter<DimensionUse>[];
  /** The conditions on finished groups, combined with AND. */
  readonly having: readonly ResolvedFilter<ResultUse>[];
  readonly orderBy: readonly Ordering<ResultUse>[];
  /** `fetch` can be 0. */
  readonly limit: { readonly fetch: number; readonly skip: number } | null;
  /** The result columns, computed from the keys and measures above; null for the keys followed by the measures. */
  readonly items: readonly ResolvedItem[] | null;
}

/** A column computed over the result. */
interface ResolvedItem {
  readonly alias: string;
  readonly value: TypedExpression<ResultUse>;
}
