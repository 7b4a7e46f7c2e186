import type { DimensionUse, MeasureUse } from '../model/index/field-use.ts';
import type { IndexedEntity } from '../model/index/index-model.ts';
import type { DataType, Grain } from '../model/model.ts';
import type { Aggregate, Comparison, Frame, Literal, Match, WindowCall } from '../sql/nodes.ts';
import type { FunctionName } from './functions.ts';

/** What is known of the values of an expression. */
interface Typed {
  readonly dataType: DataType;
  /** Whether a value may be NULL. */
  readonly nullable: boolean;
}

/** A field, as `Field` names it. */
export interface FieldExpression<Field> extends Typed {
  readonly kind: 'field';
  readonly field: Field;
}

/** A value of the caller; null is NULL. */
export interface LiteralExpression extends Typed {
  readonly kind: 'literal';
  readonly value: Literal | null;
}

/** A call of a portable function or operator (semantic SQL 3); made by `createCall` alone, which checks the types. */
export interface CallExpression<Field> extends Typed {
  readonly kind: 'call';
  readonly name: FunctionName;
  readonly args: readonly Expression<Field>[];
}

/** The value of the first branch whose condition is true, else `otherwise`; null is NULL. */
export interface CaseExpression<Field> extends Typed {
  readonly kind: 'case';
  readonly branches: readonly { readonly when: Expression<Field>; readonly value: Expression<Field> }[];
  readonly otherwise: Expression<Field> | null;
}

/** A value as one of `dataType`. */
export interface CastExpression<Field> extends Typed {
  readonly kind: 'cast';
  readonly of: Expression<Field>;
  /** Of a DECIMAL; null for as many as it has. */
  readonly digits: Digits | null;
}

/** How many digits a DECIMAL has, and how many of them behind the point. */
export interface Digits {
  readonly precision: number;
  readonly scale: number;
}

/** The beginning of the unit that a DATE or DATETIME is in, of the same type; a moment is cut in `timezone`. */
interface GrainExpression<Field> extends Typed {
  readonly kind: 'grain';
  readonly unit: Grain;
  readonly of: Expression<Field>;
  /** An IANA name. */
  readonly timezone: string;
}

/** A moment, kept in UTC, as the clocks of a time zone show it. */
interface LocalExpression<Field> extends Typed {
  readonly kind: 'local';
  readonly of: Expression<Field>;
  /** An IANA name. */
  readonly timezone: string;
}

/** An aggregate of the rows of a result; never in what makes the rows. */
export interface AggregateExpression<Field> extends Typed {
  readonly kind: 'aggregate';
  readonly aggregate: Aggregate;
  /** Null for the rows themselves, which only COUNT takes. */
  readonly of: Expression<Field> | null;
  readonly filter: Expression<Field> | null;
}

/** A window function over the rows of a result; never in what makes the rows. */
export interface WindowExpression<Field> extends Typed {
  readonly kind: 'window';
  readonly call: WindowCall | 'AVG';
  /** None for the rows themselves. */
  readonly args: readonly Expression<Field>[];
  readonly partitionBy: readonly Expression<Field>[];
  readonly orderBy: readonly Ordering<Field>[];
  /** Null where the call has none. */
  readonly frame: Frame | null;
}

/** A sub-query over results, which names nothing outside of it: its one value, whether it has `of`, or any row. */
type QueryExpression<Field> =
  | (Typed & { readonly kind: 'query'; readonly query: QueryName })
  | (Typed & { readonly kind: 'in query'; readonly of: Expression<Field>; readonly query: QueryName })
  | (Typed & { readonly kind: 'exists'; readonly query: QueryName });

/** What the sub-query of an expression is found by, among those of its statement. */
export type QueryName = string;

/** An expression whose fields are found and whose types are checked (semantic SQL 2). A condition is one that is BOOLEAN. */
export type Expression<Field> =
  | FieldExpression<Field>
  | LiteralExpression
  | CallExpression<Field>
  | CaseExpression<Field>
  | CastExpression<Field>
  | GrainExpression<Field>
  | LocalExpression<Field>
  | AggregateExpression<Field>
  | WindowExpression<Field>
  | QueryExpression<Field>;

/** What rows are ordered by. */
export interface Ordering<Field> {
  readonly value: Expression<Field>;
  readonly desc: boolean;
  /** Whether NULLs come first; else they come last, in both directions. */
  readonly nullsFirst: boolean;
}

/** A test of one value that no dialect has a part in. */
export type Test =
  | { readonly kind: 'in'; readonly values: readonly Literal[] }
  | { readonly kind: 'match'; readonly how: Match; readonly text: string }
  /** All bounds hold. */
  | { readonly kind: 'bounds'; readonly bounds: readonly Bound[] }
  | { readonly kind: 'null' };

export interface Bound {
  readonly op: Comparison;
  readonly value: Literal;
}

/** A filter whose fields are found and whose values are read. */
export type Condition<Field> =
  | {
      readonly kind: 'test';
      readonly field: Field;
      /** One of them holds; none when negated. */
      readonly tests: readonly Test[];
      readonly negated: boolean;
      /** Whether NULL satisfies it. */
      readonly takesNull: boolean;
    }
  /** What is BOOLEAN, and true: as SQL has it, not so where it is NULL. */
  | { readonly kind: 'expression'; readonly expression: Expression<Field> }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition<Field>[] };

/** A grouping key that is computed of dimensions; of several entities, on the joined row. */
export interface ComputedKeyUse {
  readonly kind: 'computed';
  /** The same for the same expression. */
  readonly key: string;
  /** What messages and generated names call it. */
  readonly name: string;
  /** Has a field; no window function. */
  readonly expression: Expression<DimensionUse>;
}

/** A measure that a statement makes of the fields of one entity, or of what that reaches over to-one edges. */
export interface SpotMeasureUse {
  readonly kind: 'spot';
  /** The same for the same aggregate. */
  readonly key: string;
  readonly name: string;
  /** Each of its rows counts once (`findOwner` finds it). */
  readonly owner: IndexedEntity;
  readonly aggregate: Aggregate;
  /** Null for the rows themselves, which only COUNT takes. */
  readonly argument: Expression<DimensionUse> | null;
  /** What a row must satisfy to count (FILTER); null for every row. */
  readonly filter: Expression<DimensionUse> | null;
  readonly dataType: DataType;
}

export type KeyUse = DimensionUse | ComputedKeyUse;
export type AnyMeasureUse = MeasureUse | SpotMeasureUse;

/** What HAVING, ORDER BY and the items of a result can name. */
export type ResultUse = KeyUse | AnyMeasureUse;

/** Something that groups or is counted, and the column that it is; null where the items of a query say what its columns are. */
export interface Output<Use, Alias = string | null> {
  readonly use: Use;
  readonly alias: Alias;
}

/** A query over entities with every field found and every value read (semantic 3, point 1; semantic SQL 1). */
export interface ResolvedQuery {
  /** Whose rows a query without measures lists; null where the keys say it. */
  readonly root: IndexedEntity | null;
  /** None twice, where there are items. */
  readonly keys: readonly Output<KeyUse>[];
  /** None twice, where there are items; those whose groups are in the answer; `having` and `orderBy` may name others, which add none. */
  readonly measures: readonly Output<AnyMeasureUse>[];
  /** What the joined rows of every leg must satisfy: all of them; none is an AND. */
  readonly conditions: readonly Condition<DimensionUse>[];
  /** What groups must satisfy once they are whole: all of them. */
  readonly having: readonly Condition<ResultUse>[];
  readonly orderBy: readonly Ordering<ResultUse>[];
  /** `fetch` may be 0. */
  readonly limit: { readonly fetch: number; readonly skip: number } | null;
  /** The answer's columns, of keys and measures that stand above; null for the keys and then the measures. */
  readonly items: readonly ResolvedItem[] | null;
}

/** A column that is computed over the result. */
interface ResolvedItem {
  readonly alias: string;
  readonly value: Expression<ResultUse>;
}
