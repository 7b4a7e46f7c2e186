import type { Platform } from '../../model/model.ts';
import { CONVERT_CALLS } from './convert-calls.ts';
import { DATE_CALLS } from './date-calls.ts';
import { NUMBER_CALLS } from './number-calls.ts';
import type { Spelling, Spellings } from './spelling.ts';
import { TEXT_CALLS } from './text-calls.ts';

const ALL = { ...NUMBER_CALLS, ...TEXT_CALLS, ...DATE_CALLS, ...CONVERT_CALLS };

/** A function or operator whose spelling depends on the platform. */
export type CallName = keyof typeof ALL;

export type Calls = Readonly<Record<CallName, Spelling>>;

/** Calls written with operators, which need parentheses next to another operator on any platform. */
export const LOOSE_CALLS: ReadonlySet<CallName> = new Set<CallName>([
  ...(['+', '-', '*', '/', '%', 'NEGATE', '||', 'ROUND'] as const),
  ...(['ADD_DAYS', 'ADD_MONTHS', 'ADD_SECONDS'] as const),
]);

/** The spellings of the portable functions and operators on a platform (docs/reference/semantic-sql-functions.md). */
export function createCalls(platform: Platform): Calls {
  const spell = ([name, spellings]: [string, Spellings]) => [name, spellings[platform] ?? spellings.all];
  return Object.fromEntries(Object.entries<Spellings>(ALL).map(spell));
}
