// A platform is one table of this type. A difference between platforms is an entry in it, with the reason where the
// manual surprises; the printer has no condition on the name of a platform.

import type { LexicalRules } from '../../engine/text/lexical-rules.ts';
import type { Grain, Platform, ValueType } from '../model/model.ts';
import type { Calls } from './calls/create-calls.ts';
import type { AggregateFunction, Literal, Match, Pattern, WindowCall } from './nodes.ts';

/**
 * How one platform writes SQL (docs/reference/semantic-platforms.md). Its functions take and return printed SQL that
 * needs no parentheses.
 */
export interface Dialect {
  /** Only for messages. */
  readonly platform: Platform;
  readonly lexicalRules: LexicalRules;
  readonly quoteName: (name: string) => string;
  readonly quoteText: (text: string) => string;
  /** The maximum length of a name. */
  readonly longestName: { readonly unit: 'bytes' | 'characters'; readonly length: number };
  /** Characters that names cannot have, quoted or not; a global pattern, or null. */
  readonly forbiddenInNames: RegExp | null;
  readonly literals: Readonly<Record<Literal['type'], (text: string) => string>>;
  /** `type` is that of the measure; null for an aggregate that is not a measure. */
  readonly aggregates: Readonly<Record<AggregateFunction, (arg: string, type: ValueType | null) => string>>;
  /** The portable functions and operators. */
  readonly calls: Calls;
  /** The names of types in CAST; `#` is replaced by the digits of a DECIMAL. */
  readonly types: Readonly<Record<ValueType, string>>;
  /** A date as text: year, month and day. */
  readonly toDateText: (date: string) => string;
  /** One half as a factor: it keeps exact numbers exact and floating-point numbers floating-point. */
  readonly half: { readonly exact: string; readonly float: string };
  /** NULL of a type that any numeric type overrides. */
  readonly noNumber: string;
  /** Whether MEDIAN is one exact aggregate: of INTEGER, NUMBER and DECIMAL, and of FLOAT. */
  readonly medians: { readonly exact: boolean; readonly float: boolean };
  /** A sort key for "is NULL" that puts NULLs last (or first, descending); null if the platform has NULLS LAST. */
  readonly nullsLast: ((isNull: string) => string) | null;
  /** Whether ORDER BY uses the numbers of columns, because a name could mean another column. */
  readonly ordersByNumber: boolean;
  /** The ORDER BY of ROW_NUMBER for an arbitrary order; empty if it can be left out. */
  readonly anyOrder: string;
  readonly windows: WindowSpelling;
  /** UNION, INTERSECT and EXCEPT: whether they need DISTINCT, and whether the last two support ALL. */
  readonly sets: { readonly namesDistinct: boolean; readonly keepsDuplicates: boolean };
  readonly hasFullJoin: boolean;
  /** Whether a sub-query in a branch of CASE runs even if no row needs it, so that its errors always show. */
  readonly runsUnusedQueries: boolean;
  /** A floating-point number as a PARTITION BY key. */
  readonly toPartition: (float: string) => string;
  /**
   * How texts are compared, grouped and ordered on a platform whose default comparison is not exact; null for an exact
   * one.
   */
  readonly textKeys: {
    readonly toKey: (text: string) => string;
    /** Like `toKey`, for a value of any type, where only equality matters. */
    readonly toIdentity: (value: string) => string;
    /** Null if keys are texts. */
    readonly toText: ((key: string) => string) | null;
    readonly literal: (text: string) => string;
    /** What a model author must write for an exact text comparison. */
    readonly toExact: (text: string) => string;
  } | null;
  /** A text that `<` compares by code points. */
  readonly toOrdered: (text: string) => string;
  /** Whether a text contains another, which is not quoted yet. */
  readonly match: (how: Match, text: string, part: string, options: MatchOptions) => string;
  /** Whether a text matches a pattern. */
  readonly like: (text: string, pattern: Pattern, options: MatchOptions) => string;
  readonly grains: Readonly<Record<Grain, (date: string) => string>>;
  /** Conversions between time zones; null if they can fail silently. */
  readonly zones: TimeZones | null;
  /**
   * The start of the quarter of an hour of a DATETIME, in UTC; null unless converting a value to a time zone takes much
   * longer than grouping by it.
   */
  readonly toQuarterHour: ((moment: string) => string) | null;
  /** Whether IN with a sub-query is NULL if it is not true and one of the values is NULL. */
  readonly findsNulls: boolean;
  /** Whether decimals of different scales have a common type, and signed and unsigned integers too. */
  readonly alignsNumbers: boolean;
  /** Whether `a.b` can be the name of one column; then `a.*` names the columns of `a` that way with several joins. */
  readonly joinsNames: boolean;
  /** Whether DATETIME values have several types, which cannot be compared. */
  readonly mixesMoments: boolean;
  /**
   * Whether DATETIME values are truncated in the session's time zone unless they are converted to a time zone such as
   * UTC.
   */
  readonly hasSessionTime: boolean;
  readonly limit: (fetch: number, skip: number, isOrdered: boolean) => string;
  /** Whether GROUP BY accepts the numbers of columns. */
  readonly groupsByNumber: boolean;
  /** Whether GROUP BY requires a column in each expression, and GROUP BY and aggregates reject sub-queries. */
  readonly groupsColumnsOnly: boolean;
  /** Whether an alias in SELECT hides a relation of the same name in HAVING and ORDER BY. */
  readonly hidesRelations: boolean;
  /** Whether the bare alias of a relation means its whole row, even if a column has the same name. */
  readonly readsRows: boolean;
  /** Whether a condition is a value that can be selected. */
  readonly hasConditions: boolean;
  /** Whether a sub-query can compare any outer column, and finds it even if an inner column has the same name. */
  readonly correlates: boolean;
  /** Whether IN with a sub-query accepts several columns. */
  readonly comparesRows: boolean;
  /** Whether joins compare texts exactly, so that a to-many side can be reduced before the join. */
  readonly joinsByTheLetter: boolean;
  /**
   * Whether a reduced branch of several entities must be sorted by its keys: otherwise PostgreSQL hashes as many values
   * as rows, which takes twice as long.
   */
  readonly sortsReduced: boolean;
  /**
   * Whether conditions on a derived table use only its columns; otherwise they are pushed into it, where a name can
   * mean another column.
   */
  readonly keepsConditions: boolean;
  /** Whether a SELECT can group by one expression under several names; otherwise some names are lost. */
  readonly groupsRepeatedly: boolean;
  /**
   * Whether COUNT of a column is correct as a window function; MariaDB can lose all rows if the column is also in an
   * IN.
   */
  readonly countsColumnsInWindows: boolean;
  /** The last line of every statement, or null. */
  readonly lastLine: string | null;
}

/** Conversions to and from a time zone, which is a printed literal. */
interface TimeZones {
  /** The local time of a DATETIME in UTC, for the parts and the truncation of dates. */
  readonly toLocal: (moment: string, timezone: string) => string;
  /** The local time as a value of its type. */
  readonly toTimestamp: (moment: string, timezone: string) => string;
  /** The DATETIME in UTC of a local time. */
  readonly toMoment: (local: string, timezone: string) => string;
  /** Whether `toMoment` gives the later of two equal local times, and keeps the offset before a gap. */
  readonly resolvesTimes: boolean;
}

export interface MatchOptions {
  readonly caseSensitive: boolean;
  readonly negated: boolean;
}

/** The syntax of window functions. */
interface WindowSpelling {
  /** Calls with another name; null for unsupported calls. */
  readonly names: Readonly<Partial<Record<WindowCall, string | null>>>;
  /** Whether RANGE frames are supported, the default with ORDER BY; otherwise only ROWS frames. */
  readonly hasRanges: boolean;
  /** Whether LAG and LEAD need a frame of all rows. */
  readonly framesShifts: boolean;
  /** Whether RANGE frames sort NULLs with an extra key, because they do not accept NULLS LAST. */
  readonly ordersNulls: boolean;
}

/** Half of the lower plus half of the higher value in the middle: exact, with one more digit than the values. */
export function addHalves(low: string, high: string, half = '0.5'): string {
  return `(${half} * ${low} + ${half} * ${high})`;
}

/** The mean as a floating-point type: the exact sum, divided once; NULL without values. */
export function createMean(float: string): (arg: string) => string {
  return (arg) => `CAST(SUM(${arg}) AS ${float}) / NULLIF(COUNT(${arg}), 0)`;
}

/** The row limit of a query that only skips rows. */
export const ALL_ROWS = Number.MAX_SAFE_INTEGER;

/** OFFSET and LIMIT on separate lines. LIMIT is left out for all rows, because some limits have only 31 bits. */
export function limitRows(fetch: number, skip: number): string {
  const lines = [...(skip > 0 ? [`OFFSET ${skip}`] : []), ...(fetch < ALL_ROWS ? [`LIMIT ${fetch}`] : [])];
  return lines.join('\n');
}
