import { findFirstWord } from '../../text/first-word.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';

/** What a statement leaves in its session for later statements, as messages name it. */
export type SessionTrace =
  | 'open transaction'
  | 'temporary objects'
  | 'settings'
  | 'current schema'
  | 'prepared statements'
  | 'attached databases'
  | 'extensions'
  | 'cursors'
  | 'locks'
  | 'secrets';

const TRACE_OF_WORD: ReadonlyMap<string, SessionTrace> = new Map<string, SessionTrace>([
  ['begin', 'open transaction'],
  ['start', 'open transaction'],
  ['set', 'settings'],
  ['reset', 'settings'],
  ['pragma', 'settings'],
  ['use', 'current schema'],
  ['prepare', 'prepared statements'],
  ['attach', 'attached databases'],
  ['load', 'extensions'],
  ['declare', 'cursors'],
  ['lock', 'locks'],
]);
const CREATES_TEMPORARY = /\bcreate\s+(?:or\s+replace\s+)?(?:(?:local|global)\s+)?temp(?:orary)?\b/i;
const CREATES_SECRET = /\bcreate\s+(?:or\s+replace\s+)?(?:temporary\s+)?secret\b/i;
/** MySQL: `START SLAVE` and others begin no transaction; `LOAD DATA` loads no extension. */
const NOT_LASTING = /^\s*(?:start\s+(?!transaction)|load\s+(?:data|xml|index)\b|lock\s+instance)/i;
/** The length of a statement's start in which these words are searched, in UTF-16 code units. */
const MAX_START = 1_000;

/** Returns what a statement leaves in its session, as far as its first words show; null without such words. */
export function findTrace(statement: string, lexicalRules: LexicalRules): SessionTrace | null {
  const word = findFirstWord(statement, lexicalRules);
  const start = statement.slice(0, MAX_START);
  if (word === 'create' && CREATES_SECRET.test(start)) return 'secrets';
  if (word === 'create') return CREATES_TEMPORARY.test(start) ? 'temporary objects' : null;
  return NOT_LASTING.test(start) ? null : (TRACE_OF_WORD.get(word) ?? null);
}
