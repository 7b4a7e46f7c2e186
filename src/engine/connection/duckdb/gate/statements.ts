import duckdb from '@duckdb/node-bindings';

import { findFirstWord } from '../../../text/first-word.ts';
import { type Interruptible, isPause } from '../../../text/interruptible.ts';
import { duckdbRules } from '../../../text/lexical-rules.ts';
import { type GateDiagnostic, gateDiagnostics } from './errors.ts';
import { isMark, isName, isWord, type TokenList } from './tokens.ts';

const { StatementType: Type } = duckdb;

const QUERY: readonly duckdb.StatementType[] = [Type.SELECT];
const TRANSACTION: readonly duckdb.StatementType[] = [Type.TRANSACTION];
const ANALYZE: readonly duckdb.StatementType[] = [Type.ANALYZE, Type.VACUUM];
const SETTING: readonly duckdb.StatementType[] = [Type.SET, Type.VARIABLE_SET];

/** First words of queries. */
const QUERIES = [
  'select',
  'from',
  'values',
  'table',
  'with',
  'pivot',
  'unpivot',
  'pivot_wider',
  'pivot_longer',
  'describe',
  'desc',
  'show',
  'summarize',
];

/** Statement types that the engine must report for a first word; other first words are rejected. */
const TYPES: ReadonlyMap<string, readonly duckdb.StatementType[]> = createMap({
  ...Object.fromEntries(QUERIES.map((word) => [word, QUERY])),
  with: [Type.SELECT, Type.INSERT, Type.UPDATE, Type.DELETE, Type.MERGE_INTO],
  insert: [Type.INSERT],
  update: [Type.UPDATE],
  delete: [Type.DELETE],
  merge: [Type.MERGE_INTO],
  create: [Type.CREATE],
  alter: [Type.ALTER],
  drop: [Type.DROP],
  begin: TRANSACTION,
  start: TRANSACTION,
  commit: TRANSACTION,
  end: TRANSACTION,
  rollback: TRANSACTION,
  abort: TRANSACTION,
  use: SETTING,
  set: SETTING,
  analyze: ANALYZE,
  analyse: ANALYZE,
  explain: [Type.EXPLAIN],
});

/** Statements that only the driver itself may start. */
const OWN_TYPES: typeof TYPES = createMap({ copy: [Type.COPY], '(': QUERY });

/** Additional statements into which the engine expands a PIVOT. */
const PIVOT_TYPES: readonly duckdb.StatementType[] = [Type.CREATE, Type.SET, Type.TRANSACTION];

/** Words that may follow CREATE before the kind of the object. */
const MODIFIERS = new Set(
  'or replace temp temporary local global unlogged persistent recursive unique'.split(' '),
);
const KINDS = new Set('table view schema sequence type macro function index'.split(' '));

/** Words that continue a query in parentheses. */
const JOINING = ['union', 'except', 'intersect', 'order', 'limit', 'offset', 'fetch'];

/** Statement types that the engine may report for a first word, and whether it must be exactly one statement. */
export function findTypes(statement: string): {
  readonly types: readonly duckdb.StatementType[];
  readonly isOne: boolean;
} {
  const word = findFirstWord(statement, duckdbRules);
  const types = TYPES.get(word) ?? OWN_TYPES.get(word) ?? [];
  const hasPivot = /pivot/i.test(statement);
  return { types: hasPivot ? [...types, ...PIVOT_TYPES] : types, isOne: !hasPivot };
}

/**
 * Why a text is not one statement that a server runs, judged by its first words
 * (docs/reference/server-sql.md#statements-functions-and-files).
 */
export function* findStatementDiagnostic(tokens: TokenList): Interruptible<GateDiagnostic | null> {
  for (let at = 0; at < tokens.length; at += 1) {
    if (isPause(at)) yield;
    const token = tokens.at(at)!;
    if (isMark(token, ';')) return gateDiagnostics.several(token.start);
  }
  let at = 0;
  while (isWord(tokens.at(at), 'explain')) at = findExplained(tokens, at + 1);
  const first = tokens.at(at);
  if (first === undefined) return null;
  if (isMark(first, '(')) return findQueryDiagnostic(tokens, at);
  if (first.kind !== 'word') return gateDiagnostics.beginning(first.raw, [], first.start);
  const check = CHECKS.get(first.text);
  if (check !== undefined) return check(tokens, at);
  if (TYPES.has(first.text)) return null;
  return KNOWN.has(first.text)
    ? gateDiagnostics.statement(first.text, first.start)
    : gateDiagnostics.beginning(first.raw, [...TYPES.keys()], first.start);
}

/** Why a text is not a query that may become part of an internal statement. */
export function findQueryDiagnostic(tokens: TokenList, from = 0): GateDiagnostic | null {
  let at = from;
  while (isMark(tokens.at(at), '(')) at += 1;
  const first = tokens.at(at);
  return isWord(first, ...QUERIES) ? null : gateDiagnostics.notQuery(first?.start ?? 0);
}

/** Start of the statement in an EXPLAIN; options may precede it, or it may be a query in parentheses. */
function findExplained(tokens: TokenList, from: number): number {
  let at = from;
  while (isWord(tokens.at(at), 'analyze', 'analyse', 'verbose')) at += 1;
  if (!isMark(tokens.at(at), '(')) return at;
  const after = findClosing(tokens, at) + 1;
  return tokens.at(after) === undefined || isWord(tokens.at(after), ...JOINING) ? at : after;
}

function findClosing(tokens: TokenList, open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    if (isMark(tokens.at(at), '(')) depth += 1;
    else if (isMark(tokens.at(at), ')')) depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

type Check = (tokens: TokenList, at: number) => GateDiagnostic | null;

const CHECKS: ReadonlyMap<string, Check> = createMap<Check>({
  create: checkKind,
  alter: checkKind,
  drop: checkKind,
  set: checkSet,
  update(tokens, at) {
    const isExtensions = isWord(tokens.at(at + 1), 'extensions');
    const isAll = tokens.at(at + 2) === undefined || isMark(tokens.at(at + 2), '(');
    return isExtensions && isAll
      ? gateDiagnostics.object('update', 'extensions', tokens.at(at)!.start)
      : null;
  },
});

function checkKind(tokens: TokenList, at: number): GateDiagnostic | null {
  let kind = at + 1;
  while (tokens.at(kind)?.kind === 'word' && MODIFIERS.has(tokens.at(kind)!.text)) kind += 1;
  const token = tokens.at(kind);
  if (token?.kind === 'word' && KINDS.has(token.text)) return null;
  return gateDiagnostics.object(tokens.at(at)!.text, isName(token) ? token.text : '', tokens.at(at)!.start);
}

function checkSet(tokens: TokenList, at: number): GateDiagnostic | null {
  const [variable, name] = [tokens.at(at + 1), tokens.at(at + 2)];
  if (isWord(variable, 'variable') && isName(name)) return null;
  const isScope = isWord(variable, 'session', 'global', 'local');
  const setting = isScope ? name : variable;
  return gateDiagnostics.setting(isName(setting) ? setting.text : '', tokens.at(at)!.start);
}

/** Statements that the engine supports and a server rejects. */
const KNOWN = new Set(
  `attach call checkpoint comment copy deallocate detach execute export force import install load pragma prepare reset
  truncate vacuum`
    .trim()
    .split(/\s+/),
);

/** A map instead of an object, because users may write names that every object has, such as `constructor`. */
function createMap<T>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries));
}
