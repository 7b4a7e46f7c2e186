import type { SqlLexis } from '../../engine/text/sql-lexis.ts';
import type { Grain } from '../model.ts';
import type { Aggregate, Literal } from './nodes.ts';

/** How one platform writes SQL (semantic 5); its functions take and give printed SQL that needs no parentheses. */
export interface Dialect {
  readonly lexis: SqlLexis;
  readonly quoteName: (name: string) => string;
  readonly quoteText: (text: string) => string;
  /** How long a name may be. */
  readonly longestName: { readonly unit: 'bytes' | 'characters'; readonly length: number };
  /** The highest code point that a name may have. */
  readonly highestInName: number;
  readonly literals: Readonly<Record<Literal['type'], (text: string) => string>>;
  readonly aggregates: Readonly<Record<Aggregate, (arg: string) => string>>;
  /** NULL of a type that gives way to any number's. */
  readonly noNumber: string;
  /** Whether MEDIAN of floating numbers is an aggregate of the platform's own. */
  readonly hasMedian: boolean;
  readonly hasNullsLast: boolean;
  /** Bytes for texts that would not compare by the letter, and back; null where they do. */
  readonly textKeys: {
    readonly toKey: (text: string) => string;
    readonly toText: (key: string) => string;
    readonly literal: (text: string) => string;
  } | null;
  /** A text that `<` compares by code points. */
  readonly toOrdered: (text: string) => string;
  /** Whether a text is like a pattern, a literal in which `!` escapes. */
  readonly like: (text: string, pattern: string, caseSensitive: boolean, negated: boolean) => string;
  readonly grains: Readonly<Record<Grain, (date: string) => string>>;
  /** A moment that is kept in UTC as the clocks of a time zone (a literal) show it; null where it may fail silently. */
  readonly toLocal: ((moment: string, timezone: string) => string) | null;
  readonly limit: (fetch: number, skip: number) => string;
  /** Whether a subquery finds an alias outside of it rather than a column of its own by the same name. */
  readonly findsOuterNames: boolean;
  /** Whether an edge's many side may be reduced before the join: two texts that differ never join as equals. */
  readonly joinsByTheLetter: boolean;
}
