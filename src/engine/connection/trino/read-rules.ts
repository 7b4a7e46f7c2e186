import { trinoRules } from '../../text/lexical-rules.ts';
import type { ChangingPart, ReadRules } from '../contract/connection.ts';
import {
  findWriting,
  isAt,
  isMarkAt,
  readSqlWords,
  refuseAt,
  type SqlWord,
  type StatementCheck,
} from '../reading/find-writing.ts';

/** Table functions of Trino itself; those of connectors can run text in another database. */
const TABLE_FUNCTIONS = ['sequence', 'exclude_columns'];
const QUERY_WORDS = ['select', 'with', 'values', 'table'];

/** Finds a table function: `TABLE(name(…))`, whose name can be qualified and quoted. */
function findTableFunction(words: readonly SqlWord[]): ChangingPart | null {
  for (const [at] of words.entries()) {
    if (!isAt(words, at, 'table') || !isMarkAt(words, at + 1, '(')) continue;
    let end = at + 2;
    while (end < words.length && !isMarkAt(words, end, '(', ')')) end += 1;
    if (!isMarkAt(words, end, '(') || end === at + 2 || isAt(words, at + 2, ...QUERY_WORDS)) continue;
    const isOwn = end === at + 3 && TABLE_FUNCTIONS.includes(words[at + 2]?.text ?? '');
    if (!isOwn) return refuseAt(words, end - 1);
  }
  return null;
}

const checkQuery: StatementCheck = (words) => findTableFunction(words);
const allow: StatementCheck = () => null;

const QUERIES: ReadonlyMap<string, StatementCheck> = new Map(QUERY_WORDS.map((word) => [word, checkQuery]));

const CHECKS: ReadonlyMap<string, StatementCheck> = new Map([
  ...QUERIES,
  ['show', checkQuery],
  ['describe', allow],
  ['desc', allow],
  ['use', allow],
  ['explain', checkExplain],
  ['set', checkSession],
  ['reset', checkSession],
]);

function checkExplain(words: readonly SqlWord[], at: number): ChangingPart | null {
  let from = at + 1;
  while (isAt(words, from, 'analyze', 'verbose')) from += 1;
  if (isMarkAt(words, from, '(') && isAt(words, from + 1, 'type', 'format')) {
    while (from < words.length && !isMarkAt(words, from, ')')) from += 1;
    from += 1;
  }
  return findWriting(words, QUERIES, from);
}

/** Settings of the session, but neither another user nor a role. */
function checkSession(words: readonly SqlWord[], at: number): ChangingPart | null {
  const isSetting = isAt(words, at + 1, 'session') && !isAt(words, at + 2, 'authorization');
  return isSetting ? null : refuseAt(words, at, 3);
}

/** READ on Trino: the list alone, because its connectors decide what a transaction holds. */
export const trinoReadRules: ReadRules = {
  lexicalRules: trinoRules,
  *find(statement) {
    return findWriting(yield* readSqlWords(statement, trinoRules), CHECKS);
  },
  transaction: null,
  isRefusal: () => false,
  storing: null,
};
