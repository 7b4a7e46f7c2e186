import type { DataType, Grain } from '../model/model.ts';
import type { CallName } from './calls/create-calls.ts';

/** A value that a caller gave, read by the type of the field it is compared with. */
export interface Literal {
  readonly kind: 'literal';
  readonly type: 'text' | 'number' | 'float' | 'boolean' | 'date' | 'timestamp';
  /** Numbers by SQL's syntax, dates as `2024-05-01`, timestamps as `2024-05-01 12:00:00`, booleans `true` and `false`. */
  readonly text: string;
}

export type Aggregate = 'SUM' | 'COUNT' | 'COUNT_DISTINCT' | 'AVG' | 'MIN' | 'MAX' | 'MEDIAN';
export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';
export type Match = 'contains' | 'starts' | 'ends';

/** Text, and what stands for any character or any number of them. */
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

/** The rows that a window function looks at, from one bound to another. */
export interface Frame {
  readonly unit: 'ROWS' | 'RANGE';
  readonly from: FrameBound;
  readonly to: FrameBound;
}

/** `rows` is null for all on a side. */
export type FrameBound =
  | { readonly side: 'current' }
  | { readonly side: 'preceding' | 'following'; readonly rows: number | null };

interface WindowOrder {
  readonly expr: SqlExpr;
  readonly desc: boolean;
  /** Else they come last. */
  readonly nullsFirst: boolean;
}

/** An expression of SQL, as the printer of a dialect takes it. */
export type SqlExpr =
  | Literal
  /** The model's own text; what is not `atomic` needs parentheses beside an operator. */
  | { readonly kind: 'raw'; readonly sql: string; readonly atomic: boolean }
  | { readonly kind: 'column'; readonly table: string; readonly name: string }
  | { readonly kind: 'number'; readonly text: string }
  /** NULL of a type that gives way to any number's. */
  | { readonly kind: 'no-number' }
  /** NULL of a type, or of one that what stands beside it has. */
  | { readonly kind: 'no-value'; readonly type: DataType | null }
  /** One half, as a factor. */
  | { readonly kind: 'half'; readonly isExact: boolean }
  /** An aggregate, and the type of the measure that it is, if it is one; of `null` it is of whole rows. */
  | {
      readonly kind: 'aggregate';
      readonly type: Aggregate;
      readonly arg: SqlExpr | null;
      readonly measure?: DataType;
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
      readonly types: readonly DataType[];
    }
  /** A value as one of a type; `digits` are those of a decimal. */
  | {
      readonly kind: 'cast';
      readonly expr: SqlExpr;
      readonly type: DataType;
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
  | { readonly kind: 'compare'; readonly op: Comparison; readonly left: SqlExpr; readonly right: SqlExpr }
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
  /** Whether there is a row, or one that is equal to `keys`. */
  | { readonly kind: 'exists'; readonly keys: readonly SqlExpr[]; readonly select: Select }
  /** The one value of a sub-query. */
  | { readonly kind: 'query'; readonly select: Select }
  /** A window function, of rows where it has no arguments. */
  | {
      readonly kind: 'window';
      readonly call: WindowCall;
      readonly args: readonly SqlExpr[];
      readonly partitionBy: readonly SqlExpr[];
      readonly orderBy: readonly WindowOrder[];
      /** Null for the default: up to the current row and its equals where there is an order, else all. */
      readonly frame: Frame | null;
    }
  /** A date or moment cut to a unit, as a date; a moment is first converted to `timezone` unless that is null. */
  | {
      readonly kind: 'grain';
      readonly unit: Grain;
      readonly expr: SqlExpr;
      readonly timezone: string | null;
      readonly isMoment: boolean;
    }
  /** A moment as the clocks of a time zone show it. */
  | { readonly kind: 'local'; readonly expr: SqlExpr; readonly timezone: string | null }
  /** A text that `<` compares by code points. */
  | { readonly kind: 'ordered'; readonly expr: SqlExpr }
  /** A floating number to part windows by. */
  | { readonly kind: 'partition'; readonly expr: SqlExpr }
  /** A text as something that compares as it is written, where the dialect needs it. */
  | { readonly kind: 'text-key'; readonly expr: SqlExpr }
  /** The same for a value that may be of any type. */
  | { readonly kind: 'identity'; readonly expr: SqlExpr }
  /** The text of a key. */
  | { readonly kind: 'key-text'; readonly expr: SqlExpr };

export interface Item {
  readonly expr: SqlExpr;
  readonly alias: string;
}

/** What stands in FROM, with its alias. */
export type Relation =
  | { readonly kind: 'table'; readonly name: string; readonly alias: string }
  | { readonly kind: 'query'; readonly sql: string; readonly alias: string }
  /** Rows of values, one at least. */
  | {
      readonly kind: 'rows';
      readonly names: readonly string[];
      readonly rows: readonly (readonly SqlExpr[])[];
      readonly alias: string;
    }
  | {
      readonly kind: 'select';
      /** One, or several of the same columns that `by` makes one. */
      readonly selects: readonly Select[];
      /** Left out: UNION ALL. */
      readonly by?: SetWord;
      readonly alias: string;
    };

/** What makes one result of two; those without ALL have each row once. */
export type SetWord = `${'UNION' | 'INTERSECT' | 'EXCEPT'}${'' | ' ALL'}`;

/** A SELECT that a statement names before it begins (WITH). */
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
  /** The column of the result, by its alias; null for what is not selected. */
  readonly alias: string | null;
  readonly expr: SqlExpr;
  readonly desc: boolean;
  /** Whether NULLs come first; else they come last. */
  readonly nullsFirst?: boolean;
}

/** One SELECT. */
export interface Select {
  readonly comments: readonly string[];
  readonly distinct: boolean;
  /** The alias of a relation all of whose columns come before the items; null for none. */
  readonly star: string | null;
  readonly items: readonly Item[];
  /** Null for one row without columns. */
  readonly from: Relation | null;
  readonly joins: readonly Join[];
  readonly where: readonly SqlExpr[];
  /** An item by its place from 0, or an expression. */
  readonly groupBy: readonly (number | SqlExpr)[];
  readonly having: readonly SqlExpr[];
  readonly orderBy: readonly Order[];
  readonly limit: { readonly fetch: number; readonly skip: number } | null;
}

/** A SELECT of a relation, with what is given of it. */
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

/** A value as one of a type, with as many digits as it has. */
export function createSqlCast(expr: SqlExpr, type: DataType): SqlExpr {
  return { kind: 'cast', expr, type, digits: null };
}

/** The number of a row among those of its part, in an order or in any. */
export function createRowNumber(partitionBy: readonly SqlExpr[], by?: SqlExpr): SqlExpr {
  const orderBy = by === undefined ? [] : [{ expr: by, desc: false, nullsFirst: false }];
  return { kind: 'window', call: 'ROW_NUMBER', args: [], partitionBy, orderBy, frame: null };
}

/** How many rows of a part have a value. */
export function createCount(value: SqlExpr, partitionBy: readonly SqlExpr[]): SqlExpr {
  return { kind: 'window', call: 'COUNT', args: [value], partitionBy, orderBy: [], frame: null };
}
