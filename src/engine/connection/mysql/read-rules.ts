import { mysqlRules } from '../../text/lexical-rules.ts';
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
import { NO_ROWS } from '../server/describe-query.ts';
import { hasNumber } from './errors.ts';

const READ_ONLY_TRANSACTION = 1792;

const isCalled = (count: number) => (words: readonly SqlWord[], at: number) =>
  isMarkAt(words, at + count, '(');
/** A statement after the queries of WITH; REPLACE and INSERT are functions, too. */
const beginsStatement = (words: readonly SqlWord[], at: number) =>
  isMarkAt(words, at - 1, '(', ')') && !isMarkAt(words, at + 1, '(', ')', ',');

const WRITING: readonly WritingWords[] = [
  { words: ['into'] },
  { words: ['insert'], counts: beginsStatement },
  { words: ['update'], counts: beginsStatement },
  { words: ['delete'], counts: beginsStatement },
  { words: ['replace'], counts: beginsStatement },
  { words: ['for', 'update'] },
  { words: ['for', 'share'] },
  { words: ['lock', 'in', 'share', 'mode'] },
  { words: ['next', 'value', 'for'] },
  { words: ['nextval'], counts: isCalled(1) },
  { words: ['setval'], counts: isCalled(1) },
  { words: ['get_lock'], counts: isCalled(1) },
];

const checkQuery: StatementCheck = (words) => findWords(words, WRITING);
const allow: StatementCheck = () => null;

const QUERIES: ReadonlyMap<string, StatementCheck> = new Map([
  ['select', checkQuery],
  ['with', checkQuery],
  ['values', checkQuery],
]);

const CHECKS: ReadonlyMap<string, StatementCheck> = new Map([
  ...QUERIES,
  ['show', checkQuery],
  ['describe', checkExplain],
  ['desc', checkExplain],
  ['explain', checkExplain],
  ['analyze', (words, at) => checkExplained(words, isFormat(words, at + 1) ? at + 4 : at + 1)],
  ['use', allow],
  ['set', checkSet],
]);

/** `EXPLAIN table`, or a query with options before it. */
function checkExplain(words: readonly SqlWord[], at: number): ChangingPart | null {
  let from = at + 1;
  while (isAt(words, from, 'extended', 'partitions', 'analyze')) from += 1;
  if (isFormat(words, from)) from += 3;
  const isTable =
    words[from] !== undefined && !isAt(words, from, ...EXPLAINED) && !isMarkAt(words, from, '(');
  return isTable && from === at + 1 ? null : checkExplained(words, from);
}

/** Words of statements that EXPLAIN takes; any other word is the name of a table. */
const EXPLAINED = ['select', 'with', 'values', 'insert', 'update', 'delete', 'replace', 'for', 'table'];

const isFormat = (words: readonly SqlWord[], at: number) =>
  isAt(words, at, 'format') && isMarkAt(words, at + 1, '=');

function checkExplained(words: readonly SqlWord[], from: number): ChangingPart | null {
  return findWriting(words, QUERIES, from);
}

/** Variables that change how a text is read or what a transaction may do, and those that the driver sets. */
const CLOSED =
  /^(?:tx_.*|transaction_.*|autocommit|sql_mode|character_set_.*|collation_.*|sql_quote_show_create|net_write_timeout|time_zone|password|role|global|persist|persist_only)$/;

/** Servers compare these names by a collation in which other letters equal some of ASCII. */
const isOpen = (name: string) => /^[a-z0-9_]+$/.test(name) && !CLOSED.test(name);

/** Every assignment must be one of a user variable, or of an open variable of the session. */
function checkSet(words: readonly SqlWord[], at: number): ChangingPart | null {
  let depth = 0;
  let isStart = true;
  for (let index = at + 1; index < words.length; index += 1) {
    if (isMarkAt(words, index, '(')) depth += 1;
    if (isMarkAt(words, index, ')')) depth -= 1;
    if (isStart && !assigns(words, index)) return refuseAt(words, at, index - at + 1);
    isStart = depth === 0 && isMarkAt(words, index, ',');
  }
  return isStart ? refuseAt(words, at) : findWords(words, WRITING);
}

function assigns(words: readonly SqlWord[], from: number): boolean {
  let at = from;
  if (isMarkAt(words, at, '@') && !isMarkAt(words, at + 1, '@')) return isAssignment(words, at + 2);
  const isSystem = isMarkAt(words, at, '@');
  if (isSystem) at += 2;
  if (isAt(words, at, 'session', 'local')) at += isSystem ? 2 : 1;
  const name = words[at];
  return name !== undefined && isOpen(name.text) && isAssignment(words, at + 1);
}

const isAssignment = (words: readonly SqlWord[], at: number) =>
  isMarkAt(words, at, '=') || (isMarkAt(words, at, ':') && isMarkAt(words, at + 1, '='));

/** MariaDB runs the text of these comments; the scanner takes those with `!` alone for code. */
const EXECUTABLE = /^\/\*M!/i;

/**
 * READ on MariaDB and MySQL: the list decides about definitions, which end any transaction; a transaction that only
 * reads holds rows that a function changes. The session does not negotiate several statements in one text.
 */
export const mysqlReadRules: ReadRules = {
  lexicalRules: mysqlRules,
  *find(statement) {
    let executable: ChangingPart | null = null;
    const words = yield* readSqlWords(statement, mysqlRules, (text, start) => {
      if (EXECUTABLE.test(text)) executable ??= { kind: '/*M!', offset: start };
    });
    return executable ?? findWriting(words, CHECKS);
  },
  transaction: { begin: 'START TRANSACTION READ ONLY', commit: 'COMMIT' },
  isRefusal: (error) => hasNumber(error, READ_ONLY_TRANSACTION),
  storing: { empty: NO_ROWS, isProbed: true, printFill: (name) => `INSERT INTO ${name} ` },
};
