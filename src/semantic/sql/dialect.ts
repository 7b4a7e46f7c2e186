import type { LexicalRules } from '../../engine/text/lexical-rules.ts';
import type { DataType, Grain } from '../model/model.ts';
import type { Calls } from './calls/create-calls.ts';
import type { Aggregate, Literal, Match, Pattern, WindowCall } from './nodes.ts';

/** How one platform writes SQL (semantic 5); its functions take and give printed SQL that needs no parentheses. */
export interface Dialect {
  readonly lexicalRules: LexicalRules;
  readonly quoteName: (name: string) => string;
  readonly quoteText: (text: string) => string;
  /** How long a name may be. */
  readonly longestName: { readonly unit: 'bytes' | 'characters'; readonly length: number };
  /** What no name may have, quoted or not; global, null for nothing. */
  readonly forbiddenInNames: RegExp | null;
  readonly literals: Readonly<Record<Literal['type'], (text: string) => string>>;
  /** `type` is that of the measure; null for an aggregate of no measure's values. */
  readonly aggregates: Readonly<Record<Aggregate, (arg: string, type: DataType | null) => string>>;
  /** The portable functions and operators. */
  readonly calls: Calls;
  /** What CAST calls the types; `#` stands for the digits of a DECIMAL. */
  readonly types: Readonly<Record<DataType, string>>;
  /** A date as text, year, month and day. */
  readonly toDateText: (date: string) => string;
  /** One half, which as a factor keeps exact numbers exact, and floating ones floating. */
  readonly half: { readonly exact: string; readonly float: string };
  /** NULL of a type that gives way to any number's. */
  readonly noNumber: string;
  /** Whether MEDIAN of floating numbers is an aggregate of the platform's own. */
  readonly hasMedian: boolean;
  /** A condition (that something is NULL) as what is ordered by before, so that it comes last (or, descending, first); null where there is NULLS LAST. */
  readonly nullsLast: ((isNull: string) => string) | null;
  /** Whether a column of the result is ordered by its number, because its name could be taken for another column's. */
  readonly ordersByNumber: boolean;
  /** How ROW_NUMBER says that any order will do; empty where it need not. */
  readonly anyOrder: string;
  readonly windows: WindowSpelling;
  /** UNION, INTERSECT and EXCEPT: whether they say DISTINCT, and whether the last two may keep duplicates (ALL). */
  readonly sets: { readonly namesDistinct: boolean; readonly keepsDuplicates: boolean };
  readonly hasFullJoin: boolean;
  /** A floating number by which windows can be parted. */
  readonly toPartition: (float: string) => string;
  /** What texts that would not compare by the letter are compared, grouped and ordered by; null where they do. */
  readonly textKeys: {
    readonly toKey: (text: string) => string;
    /** The same for a value of any type, where only equality counts. */
    readonly toIdentity: (value: string) => string;
    /** Null where keys are texts. */
    readonly toText: ((key: string) => string) | null;
    readonly literal: (text: string) => string;
    /** What the author of a model writes to compare a text by the letter. */
    readonly toExact: (text: string) => string;
  } | null;
  /** A text that `<` compares by code points. */
  readonly toOrdered: (text: string) => string;
  /** Whether a text has another, not yet quoted one in it. */
  readonly match: (how: Match, text: string, part: string, options: MatchOptions) => string;
  /** Whether a text is like a pattern. */
  readonly like: (text: string, pattern: Pattern, options: MatchOptions) => string;
  readonly grains: Readonly<Record<Grain, (date: string) => string>>;
  /** A moment that is kept in UTC as the clocks of a time zone (a literal) show it; null where it may fail silently. */
  readonly toLocal: ((moment: string, timezone: string) => string) | null;
  /** Whether IN of a sub-query is NULL where it is not true and one of the values is NULL. */
  readonly findsNulls: boolean;
  /** Whether decimals with different digits behind the point have a common type, and whole numbers with and without a sign. */
  readonly alignsNumbers: boolean;
  /** Whether `a.b` may also be a column of that name, dot and all; so `a.*` calls those of `a` beside several joins. */
  readonly joinsNames: boolean;
  /** Whether moments are of several types, which do not compare. */
  readonly mixesMoments: boolean;
  /** Whether moments are cut in the session's time zone unless they are converted to another one, such as UTC. */
  readonly hasSessionTime: boolean;
  readonly limit: (fetch: number, skip: number, isOrdered: boolean) => string;
  /** Whether GROUP BY takes the numbers of columns. */
  readonly groupsByNumber: boolean;
  /** Whether GROUP BY takes nothing without a column, and neither GROUP BY nor an aggregate takes a sub-query. */
  readonly groupsColumnsOnly: boolean;
  /** Whether a name that a SELECT gives hides a relation of that name in its HAVING and ORDER BY. */
  readonly hidesRelations: boolean;
  /** Whether the alias of a relation, written alone, is its whole row, even where a column has that name. */
  readonly readsRows: boolean;
  /** Whether a condition is a value, which can be selected. */
  readonly hasConditions: boolean;
  /** Whether a subquery may compare whatever stands outside of it, and finds it rather than what is inside by the same name. */
  readonly correlates: boolean;
  /** Whether several columns at once may be IN a subquery. */
  readonly comparesRows: boolean;
  /** Whether an edge's many side may be reduced before the join: two texts that differ never join as equals. */
  readonly joinsByTheLetter: boolean;
  /**
   * Whether what a branch of several entities is reduced to has to come in the order of its keys: PostgreSQL would rather
   * hash as many values as rows, which takes twice as long.
   */
  readonly sortsReduced: boolean;
  /** Whether conditions on a derived table go by its columns alone; else they are moved into it, where a name may mean another column. */
  readonly keepsConditions: boolean;
  /** Whether a SELECT may group by one expression under several names; else some of the names are lost. */
  readonly groupsRepeatedly: boolean;
  /** Whether COUNT of a column is right as a window function; MariaDB may lose all rows where the column is also in an IN. */
  readonly countsColumnsInWindows: boolean;
  /** The last line of every statement; null for none. */
  readonly lastLine: string | null;
}

export interface MatchOptions {
  readonly caseSensitive: boolean;
  readonly negated: boolean;
}

/** How window functions are written. */
interface WindowSpelling {
  /** Calls with names of their own; null for those that there are not. */
  readonly names: Readonly<Partial<Record<WindowCall, string | null>>>;
  /** Whether there are RANGE frames, which are the default with ORDER BY; else ROWS frames alone. */
  readonly hasRanges: boolean;
  /** Whether what goes to rows before and behind needs a frame of all rows. */
  readonly framesShifts: boolean;
  /** Whether NULLs are ordered by a key of their own in frames of values, where a query would say NULLS LAST. */
  readonly ordersNulls: boolean;
}
