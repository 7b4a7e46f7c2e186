import { CHECK_OPTIONS, CHECK_WORDS, ROW_LIMITS } from './parse-checks.ts';

/** The keys of checks, for completion. */
export const CHECK_KEYS: readonly string[] = [
  ...CHECK_WORDS,
  ...new Set(Object.values(CHECK_OPTIONS).flatMap(({ required, more }) => [...required, ...more])),
  ...ROW_LIMITS,
];
