// Semantic SQL after it is parsed, with the span of every part. PostgreSQL's own grammar parses the text; this tree
// has only the part of it that is accepted, and names that are not resolved.

import type { Span } from '../../engine/text/span.ts';
import { pickByKind } from '../../invariants/narrow.ts';

/** A name; unquoted names are in lower case, as in PostgreSQL. */
export interface NameSyntax extends Span {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** One statement of Semantic SQL; spans are UTF-16 offsets in the parsed text. */
export type StatementSyntax = Span &
  (
    | { readonly kind: 'query' | 'explain'; readonly query: QuerySyntax }
    | { readonly kind: 'show-entities' }
    /** `entity` has the names separated by dots; null for all entities. */
    | { readonly kind: 'show-fields'; readonly entity: readonly NameSyntax[] | null }
  );

/** A SELECT with its surrounding clauses, a VALUES list, or a set operation. */
export interface QuerySyntax extends Span {
  readonly tables: readonly CommonTableSyntax[];
  readonly body: SelectSyntax | ValuesSyntax | CombinationSyntax;
  readonly orderBy: readonly OrderSyntax[];
  /** Null for all rows. */
  readonly limit: number | null;
  readonly offset: number;
}

/** One part of WITH. */
export interface CommonTableSyntax {
  readonly name: NameSyntax;
  readonly columns: readonly NameSyntax[];
  readonly query: QuerySyntax;
}

export interface SelectSyntax extends Span {
  readonly kind: 'select';
  readonly isDistinct: boolean;
  readonly items: readonly ItemSyntax[];
  readonly from: readonly RelationSyntax[];
  readonly where: ExpressionSyntax | null;
  /** `all`: GROUP BY ALL. */
  readonly groupBy: 'all' | readonly ExpressionSyntax[];
  /** The grouping sets, as indexes of `groupBy`; null without ROLLUP, CUBE and GROUPING SETS. */
  readonly levels: readonly (readonly number[])[] | null;
  readonly having: ExpressionSyntax | null;
  readonly windows: readonly WindowSyntax[];
}

export interface ValuesSyntax extends Span {
  readonly kind: 'values';
  readonly rows: readonly (readonly ExpressionSyntax[])[];
}

export interface CombinationSyntax extends Span {
  readonly kind: 'union' | 'intersect' | 'except';
  readonly keepsDuplicates: boolean;
  readonly left: QuerySyntax;
  readonly right: QuerySyntax;
}

/** One result column, or `*`. */
export interface ItemSyntax extends Span {
  readonly value: ExpressionSyntax;
  readonly alias: NameSyntax | null;
}

/** A relation in FROM. */
export type RelationSyntax = Span &
  (
    | {
        readonly kind: 'table';
        readonly names: readonly NameSyntax[];
        readonly alias: NameSyntax | null;
      }
    | {
        readonly kind: 'derived';
        readonly query: QuerySyntax;
        readonly alias: NameSyntax | null;
        readonly columns: readonly NameSyntax[];
      }
    | {
        readonly kind: 'join';
        readonly join: 'cross' | 'inner' | 'left' | 'right' | 'full';
        readonly left: RelationSyntax;
        readonly right: RelationSyntax;
        readonly on: ExpressionSyntax | null;
        readonly using: readonly NameSyntax[];
      }
  );

export interface OrderSyntax {
  readonly value: ExpressionSyntax;
  readonly isDescending: boolean;
  /** Null: the default of Semantic SQL, last in both directions. */
  readonly nulls: 'first' | 'last' | null;
}

/** `name` is the name in WINDOW, or the name that OVER refers to. */
export interface WindowSyntax {
  readonly name: NameSyntax | null;
  readonly base: NameSyntax | null;
  readonly partitionBy: readonly ExpressionSyntax[];
  readonly orderBy: readonly OrderSyntax[];
  /** Null: PostgreSQL's default. */
  readonly frame: FrameSyntax | null;
}

export interface FrameSyntax {
  readonly unit: 'rows' | 'range' | 'groups';
  readonly from: FrameBoundSyntax;
  readonly to: FrameBoundSyntax;
}

/** `rows` is null for all rows on that side, and for the current row. */
export interface FrameBoundSyntax {
  readonly side: 'preceding' | 'following' | 'current';
  readonly rows: ExpressionSyntax | null;
}

/** A type with its PostgreSQL name, such as `int4`, `numeric`, `timestamp`; `args` are the arguments in parentheses. */
export interface TypeSyntax {
  readonly name: string;
  readonly args: readonly number[];
}

/** Operators between two values, or before one. */
export type OperatorSyntax =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '^'
  | '||'
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | '~'
  | '~*'
  | '!~'
  | '!~*';

/** The span of the most specific part, for a caret: a name, an operator, a function. */
export type ExpressionSyntax = Span &
  (
    | { readonly kind: 'column'; readonly names: readonly NameSyntax[] }
    /** `*`, `e.*`. */
    | { readonly kind: 'star'; readonly names: readonly NameSyntax[] }
    | {
        readonly kind: 'literal';
        /** `decimal` has a decimal point, an exponent, or more than 64 bits. */
        readonly type: 'integer' | 'decimal' | 'text' | 'boolean' | 'null';
        readonly text: string;
      }
    | { readonly kind: 'cast'; readonly operand: ExpressionSyntax; readonly type: TypeSyntax }
    | {
        readonly kind: 'operator';
        readonly operator: OperatorSyntax;
        /** Null for a sign. */
        readonly left: ExpressionSyntax | null;
        readonly right: ExpressionSyntax;
      }
    | { readonly kind: 'and' | 'or'; readonly parts: readonly ExpressionSyntax[] }
    | { readonly kind: 'not'; readonly operand: ExpressionSyntax }
    | { readonly kind: 'is-null'; readonly operand: ExpressionSyntax; readonly isNegated: boolean }
    /** A null `value` means UNKNOWN. */
    | {
        readonly kind: 'is-boolean';
        readonly operand: ExpressionSyntax;
        readonly value: boolean | null;
        readonly isNegated: boolean;
      }
    | {
        readonly kind: 'is-distinct';
        readonly left: ExpressionSyntax;
        readonly right: ExpressionSyntax;
        readonly isNegated: boolean;
      }
    | {
        readonly kind: 'between';
        readonly operand: ExpressionSyntax;
        readonly low: ExpressionSyntax;
        readonly high: ExpressionSyntax;
        readonly isNegated: boolean;
      }
    | {
        readonly kind: 'in-list';
        readonly operand: ExpressionSyntax;
        readonly values: readonly ExpressionSyntax[];
        readonly isNegated: boolean;
      }
    | { readonly kind: 'in-query'; readonly operand: ExpressionSyntax; readonly query: QuerySyntax }
    | { readonly kind: 'exists'; readonly query: QuerySyntax }
    | { readonly kind: 'scalar-query'; readonly query: QuerySyntax }
    | {
        readonly kind: 'like';
        readonly operand: ExpressionSyntax;
        readonly pattern: ExpressionSyntax;
        /** Null: a backslash, as in PostgreSQL. */
        readonly escape: ExpressionSyntax | null;
        readonly ignoresCase: boolean;
        readonly isNegated: boolean;
      }
    | {
        readonly kind: 'case';
        readonly operand: ExpressionSyntax | null;
        readonly branches: readonly { readonly when: ExpressionSyntax; readonly result: ExpressionSyntax }[];
        readonly otherwise: ExpressionSyntax | null;
      }
    | CallSyntax
  );

/** A function, an aggregate or a window function; `EXTRACT(… FROM …)` and similar calls have PostgreSQL's arguments. */
export interface CallSyntax extends Span {
  readonly kind: 'call';
  readonly name: NameSyntax;
  readonly args: readonly ExpressionSyntax[];
  /** `count(*)`. */
  readonly isStar: boolean;
  readonly isDistinct: boolean;
  readonly filter: ExpressionSyntax | null;
  readonly over: WindowSyntax | null;
}

/** The expressions of a kind. */
export type SyntaxOf<Kind extends ExpressionSyntax['kind']> = ExpressionSyntax extends infer Each
  ? Each extends { readonly kind: infer Own }
    ? Kind extends Own
      ? Each
      : never
    : never
  : never;

type Kind = ExpressionSyntax['kind'];
type Parts = { readonly [K in Kind]: (syntax: SyntaxOf<K>) => readonly (ExpressionSyntax | null)[] };

const PARTS: Parts = {
  column: () => [],
  star: () => [],
  literal: () => [],
  exists: () => [],
  'scalar-query': () => [],
  cast: ({ operand }) => [operand],
  operator: ({ left, right }) => [left, right],
  and: ({ parts }) => parts,
  or: ({ parts }) => parts,
  not: ({ operand }) => [operand],
  'is-null': ({ operand }) => [operand],
  'is-boolean': ({ operand }) => [operand],
  'is-distinct': ({ left, right }) => [left, right],
  between: ({ operand, low, high }) => [operand, low, high],
  'in-list': ({ operand, values }) => [operand, ...values],
  'in-query': ({ operand }) => [operand],
  like: ({ operand, pattern, escape: sign }) => [operand, pattern, sign],
  case: ({ operand, branches, otherwise }) => [
    operand,
    ...branches.flatMap(({ when, result }) => [when, result]),
    otherwise,
  ],
  call: ({ args, filter, over }) => [
    ...args,
    filter,
    ...(over?.partitionBy ?? []),
    ...(over?.orderBy ?? []).map(({ value }) => value),
  ],
};

/** The direct parts of an expression, without its sub-queries. */
export function listSyntaxParts(syntax: ExpressionSyntax): readonly ExpressionSyntax[] {
  const list = pickByKind<ExpressionSyntax, [], readonly (ExpressionSyntax | null)[]>(PARTS, syntax);
  return list(syntax).filter((part) => part !== null);
}
