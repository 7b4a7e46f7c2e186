import { postgresqlRules } from '../../text/lexical-rules.ts';
import type { ChangingPart, ReadRules } from '../contract/connection.ts';
import {
  findWords,
  findWriting,
  isAt,
  isMarkAt,
  readSqlWords,
  refuseAt,
  type SqlWord,
  type StatementCheck,
  type WritingWords,
} from '../reading/find-writing.ts';
import { hasState } from './errors.ts';

const READ_ONLY_TRANSACTION = '25006';

/** Statements that change rows, inside a query: after WITH, or in its parentheses. */
const beginsStatement = (words: readonly SqlWord[], at: number) => isMarkAt(words, at - 1, '(', ')');

const WRITING: readonly WritingWords[] = [
  { words: ['into'] },
  { words: ['insert', 'into'], counts: beginsStatement },
  { words: ['delete', 'from'], counts: beginsStatement },
  { words: ['merge', 'into'], counts: beginsStatement },
  {
    words: ['update'],
    counts: (words, at) => beginsStatement(words, at) && !isMarkAt(words, at + 1, ')', ','),
  },
  { words: ['for', 'update'] },
  { words: ['for', 'no', 'key', 'update'] },
  { words: ['for', 'share'] },
  { words: ['for', 'key', 'share'] },
];

const checkQuery: StatementCheck = (words) => findWords(words, WRITING);
const allow: StatementCheck = () => null;

const QUERIES: ReadonlyMap<string, StatementCheck> = new Map([
  ['select', checkQuery],
  ['with', checkQuery],
  ['values', checkQuery],
  ['table', checkQuery],
]);

const CHECKS: ReadonlyMap<string, StatementCheck> = new Map([
  ...QUERIES,
  ['show', allow],
  ['explain', checkExplain],
  ['set', (words, at) => checkSetting(words, at, isAt(words, at + 1, 'session', 'local') ? at + 2 : at + 1)],
  ['reset', (words, at) => checkSetting(words, at, at + 1)],
]);

/** The statement of an EXPLAIN must be a query: ANALYZE runs it. */
function checkExplain(words: readonly SqlWord[], at: number): ChangingPart | null {
  let from = at + 1;
  if (isMarkAt(words, from, '(') && !isAt(words, from + 1, 'select', 'with', 'values', 'table')) {
    while (from < words.length && !isMarkAt(words, from, ')')) from += 1;
    from += 1;
  }
  while (isAt(words, from, 'analyze', 'analyse', 'verbose')) from += 1;
  return findWriting(words, QUERIES, from);
}

/** Parameters that change who acts, or what a transaction may do. */
const CLOSED =
  /^(?:all|role|authorization|characteristics|transaction|constraints|session_authorization|(?:default_)?transaction_.*)$/;

function checkSetting(words: readonly SqlWord[], at: number, name: number): ChangingPart | null {
  const parameter = words[name];
  // `U&"…"` is a name with escapes.
  const isEscaped = isMarkAt(words, name + 1, '&');
  if (parameter === undefined || isEscaped || CLOSED.test(parameter.text))
    return refuseAt(words, at, name - at + 1);
  return null;
}

/**
 * READ on PostgreSQL: queries, SHOW, EXPLAIN and most settings, each alone in a transaction that only reads. The session
 * sends statements by the extended protocol, so that the server refuses two statements in one text.
 */
export const postgresqlReadRules: ReadRules = {
  lexicalRules: postgresqlRules,
  *find(statement) {
    return findWriting(yield* readSqlWords(statement, postgresqlRules), CHECKS);
  },
  transaction: { begin: 'BEGIN READ ONLY', commit: 'COMMIT' },
  isRefusal: (error) => hasState(error, READ_ONLY_TRANSACTION),
  storing: {
    empty: ['', ' WITH NO DATA'],
    isProbed: false,
    printFill: (name) => `INSERT INTO pg_temp.${name} `,
  },
};
