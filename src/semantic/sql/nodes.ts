// SQL as a tree, without a dialect. A dialect prints it: the names of functions, quotes, and the forms that a
// platform lacks. Values of callers are literals here and never text of SQL, so they cannot become code.

import type { Grain, ValueType } from '../model/model.ts';
import type { CallName } from './calls/create-calls.ts';

/** A caller's value, parsed by the type of the field it is compared with. */
export interface Literal {
  readonly kind: 'literal';
  readonly type: 'text' | 'number' | 'float' | 'boolean' | 'date' | 'timestamp' | 'local';
  /**
   * Numbers in SQL syntax, dates as `2024-05-01`, DATETIMEs in UTC (`timestamp`) and TIMESTAMPs (`local`) as
   * `2024-05-01 12:00:00`, booleans as `true` and `false`.
   */
  readonly text: string;
}

export type AggregateFunction = 'SUM' | 'COUNT' | 'COUNT_DISTINCT' | 'AVG' | 'MIN' | 'MAX' | 'MEDIAN';
export type RelationalOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';
export type Match = 'contains' | 'starts' | 'ends';

/** Text and wildcards for one or any number of characters. */
export type Pattern = readonly (string | { readonly wild: 'one' | 'many' })[];

export type WindowCall =
  | 'ROW_NUMBER'
  | 'RANK'
  | 'DENSE_RANK'
  | 'PERCENT_RANK'
  | 'CUME_DIST'
  | 'NTILE'
  | 'LAG'
  | 'LEAD'
  | 'FIRST_VALUE'
  | 'LAST_VALUE'
  | 'SUM'
  | 'COUNT'
  | 'MIN'
  | 'MAX';

/** The frame of a window function. */
export interface WindowFrame {
  readonly unit: 'ROWS' | 'RANGE';
  readonly from: FrameBound;
  readonly to: FrameBound;
}

/** `rows` is null for all rows on that side. */
export type FrameBound =
  | { readonly side: 'current' }
  | { readonly side: 'preceding' | 'following'; readonly rows: number | null };

interface WindowOrder {
  readonly expr: SqlExpr;
  readonly desc: boolean;
  /** Otherwise they come last. */
  readonly nullsFirst: boolean;
}

/** A SQL expression, the input of a dialect's printer. */
export type SqlExpr =
  | Literal
  /** SQL from the model; unless it is `atomic`, it needs parentheses next to an operator. */
  | { readonly kind: 'raw'; readonly sql: string; readonly atomic: boolean }
  | { readonly kind: 'column'; readonly table: string; readonly name: string }
  | { readonly kind: 'number'; readonly text: string }
  /** NULL of a type that any numeric type overrides. */
  | { readonly kind: 'no-number' }
  /** NULL of a type; null takes the type from the context. */
  | { readonly kind: 'no-value'; readonly type: ValueType | null }
  /** One half, as a factor. */
  | { readonly kind: 'half'; readonly isExact: boolean }
  /** An aggregate, with the type of its measure if it is one; a null argument means whole rows. */
  | {
      readonly kind: 'aggregate';
      readonly type: AggregateFunction;
      readonly arg: SqlExpr | null;
      readonly measure?: ValueType;
    }
  | { readonly kind: 'coalesce'; readonly args: readonly SqlExpr[] }
  | { readonly kind: 'case'; readonly when: SqlExpr; readonly value: SqlExpr }
  /** The value of the first branch whose condition is true. */
  | {
      readonly kind: 'choice';
      readonly branches: readonly { readonly when: SqlExpr; readonly value: SqlExpr }[];
      readonly otherwise: SqlExpr | null;
    }
  /** A portable function or operator; the types are those of its arguments. */
  | {
      readonly kind: 'call';
      readonly name: CallName;
      readonly args: readonly SqlExpr[];
      readonly types: readonly ValueType[];
    }
  /** A cast; `digits` are those of a decimal. */
  | {
      readonly kind: 'cast';
      readonly expr: SqlExpr;
      readonly type: ValueType;
      readonly digits: { readonly precision: number; readonly scale: number } | null;
    }
  /** A date as text: year, month and day. */
  | { readonly kind: 'date-text'; readonly expr: SqlExpr }
  | {
      readonly kind: 'like';
      readonly expr: SqlExpr;
      readonly pattern: Pattern;
      readonly caseSensitive: boolean;
      readonly negated: boolean;
    }
  | { readonly kind: 'sum'; readonly left: SqlExpr; readonly right: SqlExpr }
  | { readonly kind: 'product'; readonly left: SqlExpr; readonly right: SqlExpr }
  | { readonly kind: 'between'; readonly expr: SqlExpr; readonly from: SqlExpr; readonly to: SqlExpr }
  | {
      readonly kind: 'compare';
      readonly op: RelationalOperator;
      readonly left: SqlExpr;
      readonly right: SqlExpr;
    }
  | {
      readonly kind: 'in';
      readonly expr: SqlExpr;
      readonly values: readonly SqlExpr[];
      readonly negated: boolean;
    }
  | { readonly kind: 'null'; readonly expr: SqlExpr; readonly negated: boolean }
  | {
      readonly kind: 'match';
      readonly how: Match;
      readonly expr: SqlExpr;
      readonly text: string;
      readonly caseSensitive: boolean;
      readonly negated: boolean;
    }
  | { readonly kind: 'and'; readonly parts: readonly SqlExpr[] }
  | { readonly kind: 'or'; readonly parts: readonly SqlExpr[] }
  | { readonly kind: 'not'; readonly expr: SqlExpr }
  /** Whether there is a row, or a row that equals `keys`. */
  | { readonly kind: 'exists'; readonly keys: readonly SqlExpr[]; readonly select: Select }
  /** The only value of a sub-query. */
  | { readonly kind: 'query'; readonly select: Select }
  /** A window function; without arguments it applies to rows. */
  | {
      readonly kind: 'window';
      readonly call: WindowCall;
      readonly args: readonly SqlExpr[];
      readonly partitionBy: readonly SqlExpr[];
      readonly orderBy: readonly WindowOrder[];
      /** Null for the default: up to the current row and its peers with an order, otherwise all rows. */
      readonly frame: WindowFrame | null;
    }
  /** A DATE or TIMESTAMP truncated to a unit, as a DATE. */
  | { readonly kind: 'grain'; readonly unit: Grain; readonly expr: SqlExpr }
  /** A DATETIME as the TIMESTAMP of a time zone; null is UTC. Only a value can be compared and returned. */
  | {
      readonly kind: 'local';
      readonly expr: SqlExpr;
      readonly timezone: string | null;
      readonly isValue: boolean;
    }
  /** The start of the quarter of an hour of a DATETIME, in UTC. */
  | { readonly kind: 'quarter-hour'; readonly expr: SqlExpr }
  /** A TIMESTAMP of a time zone as a DATETIME. */
  | { readonly kind: 'moment'; readonly expr: SqlExpr; readonly timezone: string }
  /** A text that `<` compares by code points. */
  | { readonly kind: 'ordered'; readonly expr: SqlExpr }
  /** A floating-point number as a PARTITION BY key. */
  | { readonly kind: 'partition'; readonly expr: SqlExpr }
  /** A text as a key that compares exactly, if the dialect needs it. */
  | { readonly kind: 'text-key'; readonly expr: SqlExpr }
  /** Like `text-key`, for a value of any type. */
  | { readonly kind: 'identity'; readonly expr: SqlExpr }
  /** The text of a key. */
  | { readonly kind: 'key-text'; readonly expr: SqlExpr };

export interface SelectItem {
  readonly expr: SqlExpr;
  readonly alias: string;
}

/** A relation in FROM, with its alias. */
export type Relation =
  | { readonly kind: 'table'; readonly name: string; readonly alias: string }
  | { readonly kind: 'query'; readonly sql: string; readonly alias: string }
  /** Rows of values, at least one. */
  | {
      readonly kind: 'rows';
      readonly names: readonly string[];
      readonly rows: readonly (readonly SqlExpr[])[];
      readonly alias: string;
    }
  | {
      readonly kind: 'select';
      /** One SELECT, or several with the same columns, combined with `by`. */
      readonly selects: readonly Select[];
      /** Default: UNION ALL. */
      readonly by?: SetWord;
      readonly alias: string;
    };

/** A set operation; without ALL it removes duplicate rows. */
export type SetWord = `${'UNION' | 'INTERSECT' | 'EXCEPT'}${'' | ' ALL'}`;

/** A SELECT in the WITH clause of a statement. */
export interface CommonTable {
  readonly name: string;
  readonly select: Select;
}

export interface Join {
  readonly type: 'LEFT' | 'RIGHT' | 'FULL' | 'INNER' | 'CROSS';
  readonly relation: Relation;
  readonly on: SqlExpr | null;
}

export interface Order {
  /** The alias of the result column; null for an expression that is not selected. */
  readonly alias: string | null;
  readonly expr: SqlExpr;
  readonly desc: boolean;
  /** Whether NULLs come first; otherwise they come last. */
  readonly nullsFirst?: boolean;
}

/** One SELECT. */
export interface Select {
  readonly comments: readonly string[];
  readonly distinct: boolean;
  /** The alias of a relation whose columns all come before the items, or null. */
  readonly star: string | null;
  readonly items: readonly SelectItem[];
  /** Null for one row without columns. */
  readonly from: Relation | null;
  readonly joins: readonly Join[];
  readonly where: readonly SqlExpr[];
  /** The index of an item from 0, or an expression. */
  readonly groupBy: readonly (number | SqlExpr)[];
  readonly having: readonly SqlExpr[];
  readonly orderBy: readonly Order[];
  readonly limit: { readonly fetch: number; readonly skip: number } | null;
}

/** Creates a SELECT from a relation, with the given parts. */
export function createSelect(from: Relation | null, parts: Partial<Omit<Select, 'from'>>): Select {
  return {
    comments: [],
    distinct: false,
    star: null,
    items: [],
    joins: [],
    where: [],
    groupBy: [],
    having: [],
    orderBy: [],
    limit: null,
    ...parts,
    from,
  };
}

export const ONE: SqlExpr = { kind: 'number', text: '1' };

/** A condition that no row satisfies. */
export const NEVER: SqlExpr = { kind: 'compare', op: '=', left: ONE, right: { kind: 'number', text: '0' } };

/** The NULL of a column that has values in other parts of a union: a number takes the type of the values. */
export function createNoValue(type: ValueType): SqlExpr {
  return NUMBERS.has(type) ? { kind: 'no-number' } : { kind: 'no-value', type };
}

const NUMBERS: ReadonlySet<ValueType> = new Set<ValueType>(['INTEGER', 'NUMBER', 'DECIMAL', 'FLOAT']);

/** A cast to a type, with the default digits. */
export function createSqlCast(expr: SqlExpr, type: ValueType): SqlExpr {
  return { kind: 'cast', expr, type, digits: null };
}

/** The row number in its partition, in a given or arbitrary order. */
export function createRowNumber(partitionBy: readonly SqlExpr[], by?: SqlExpr): SqlExpr {
  const orderBy = by === undefined ? [] : [{ expr: by, desc: false, nullsFirst: false }];
  return { kind: 'window', call: 'ROW_NUMBER', args: [], partitionBy, orderBy, frame: null };
}

/** The number of non-NULL values in a partition. */
export function createCount(value: SqlExpr, partitionBy: readonly SqlExpr[]): SqlExpr {
  return { kind: 'window', call: 'COUNT', args: [value], partitionBy, orderBy: [], frame: null };
}
