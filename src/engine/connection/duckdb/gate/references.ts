import { type Interruptible, isPause } from '../../../text/interruptible.ts';
import { type GateDiagnostic, gateDiagnostics } from './errors.ts';
import {
  FILE_READERS,
  REFUSED_FUNCTIONS,
  REFUSED_TABLE_FUNCTIONS,
  REFUSED_VIEWS,
  SHOWN_SETTINGS,
} from './functions.ts';
import type { PathCheck } from './paths.ts';
import { findTablePlaces, PAUSE, type TablePlace } from './tables.ts';
import {
  isMark,
  isName,
  isWord,
  readStringLiteral,
  type SignificantToken,
  type TokenList,
} from './tokens.ts';

/** The rules by which a text is checked. */
export interface Knowledge {
  readonly paths: PathCheck;
  /** Names of views, macros and tables that no statement may use, in lower case, with reasons. */
  readonly barred: ReadonlyMap<string, string>;
  /** Whether the text was printed by the engine, which writes lists as calls. */
  readonly isStored: boolean;
}

/** Names without these characters can only denote files directly in the folder. */
const LEADS_ELSEWHERE = /[/\\*?[:~]/;
/** Names that the engine treats as a file when no table has the name. */
const DATA_FILE = /\.(?:csv|tsv|parquet|json|jsonl|ndjson)\b/i;
const DATABASE_FILE = /\.(?:db|ddb|duckdb)\b/i;

/**
 * Why the names and calls in a text are rejected: functions, file readers, tables
 * (docs/reference/server-sql.md#statements-functions-and-files).
 */
export function* findReferenceDiagnostic(
  tokens: TokenList,
  knowledge: Knowledge,
): Interruptible<GateDiagnostic | null> {
  for (let at = 0; at < tokens.length; at += 1) {
    if (isPause(at)) yield;
    const token = tokens.at(at)!;
    if (!isName(token)) continue;
    const diagnostic = findCallDiagnostic(tokens, at, token, knowledge);
    if (diagnostic !== null) return diagnostic;
  }
  for (const place of findTablePlaces(tokens)) {
    if (place === PAUSE) {
      yield;
      continue;
    }
    const diagnostic = findTableDiagnostic(tokens, place, knowledge);
    if (diagnostic !== null) return diagnostic;
  }
  return null;
}

/** Checks a called name in any position, as a value or as a table. */
function findCallDiagnostic(
  tokens: TokenList,
  at: number,
  { text, raw, start }: SignificantToken,
  { paths, barred, isStored }: Knowledge,
): GateDiagnostic | null {
  if (!isMark(tokens.at(at + 1), '(')) return null;
  if (REFUSED_FUNCTIONS.has(text)) return gateDiagnostics.called(text, start);
  if (text === 'current_setting') return findSettingDiagnostic(tokens, at);
  if (FILE_READERS.has(text)) return findReaderDiagnostic(tokens, at, paths, isStored);
  const reason = barred.get(text);
  return reason === undefined ? null : gateDiagnostics.barred(raw, reason, start);
}

/** The only argument must be a plain string: a setting that reveals nothing about the machine. */
function findSettingDiagnostic(tokens: TokenList, name: number): GateDiagnostic | null {
  const literal = readStringLiteral(tokens.at(name + 2));
  const isAll = isMark(tokens.at(name + 3), ')');
  if (literal !== null && isAll && SHOWN_SETTINGS.has(literal.toLowerCase())) return null;
  return gateDiagnostics.shown(literal ?? '', tokens.at(name)!.start);
}

/** The first argument must be a plain string, or a list of such strings, each the path of a file. */
function findReaderDiagnostic(
  tokens: TokenList,
  name: number,
  paths: PathCheck,
  isStored: boolean,
): GateDiagnostic | null {
  const list = findList(tokens, name + 2, isStored);
  let at = list === null ? name + 2 : list.first;
  const files = [tokens.at(at)];
  while (list !== null && isMark(tokens.at(at + 1), ',')) {
    at += 2;
    files.push(tokens.at(at));
  }
  if (list !== null) at += 1;
  const isClosed = list === null || isMark(tokens.at(at), list.close);
  const isAll = isMark(tokens.at(at + 1), ',') || isMark(tokens.at(at + 1), ')');
  for (const file of files) {
    const literal = readStringLiteral(file);
    if (literal === null || !isClosed || !isAll)
      return gateDiagnostics.reader(tokens.at(name)!.text, tokens.at(name)!.start);
    const diagnostic = paths.findDiagnostic(literal, file!.start);
    if (diagnostic !== null) return diagnostic;
  }
  return null;
}

/** Start of the items of a list, and its end; null if it is not a list. */
function findList(
  tokens: TokenList,
  at: number,
  isStored: boolean,
): { readonly first: number; readonly close: string } | null {
  if (isMark(tokens.at(at), '[')) return { first: at + 1, close: ']' };
  const isCall =
    isWord(tokens.at(at), 'main') &&
    isMark(tokens.at(at + 1), '.') &&
    isWord(tokens.at(at + 2), 'list_value') &&
    isMark(tokens.at(at + 3), '(');
  return isStored && isCall ? { first: at + 4, close: ')' } : null;
}

function findTableDiagnostic(
  tokens: TokenList,
  { token, at, path, name, isCalled }: TablePlace,
  { paths, barred }: Knowledge,
): GateDiagnostic | null {
  if (path === null) {
    const literal = readStringLiteral(token);
    // Adjacent string literals form one string.
    if (literal === null || tokens.at(at + 1)?.kind === 'string') return gateDiagnostics.literal(token.start);
    if (DATABASE_FILE.test(literal)) return gateDiagnostics.database(literal, token.start);
    return paths.findDiagnostic(literal, token.start);
  }
  if (isCalled) {
    return REFUSED_TABLE_FUNCTIONS.has(name!) ? gateDiagnostics.called(name!, token.start) : null;
  }
  if (REFUSED_VIEWS.has(name!)) return gateDiagnostics.named(name!, token.start);
  const reason = barred.get(name!);
  if (reason !== undefined) return gateDiagnostics.barred(readLast(tokens, at), reason, token.start);
  return findFileDiagnostic(path, token.start, paths);
}

/** The last part of a dotted name, as written. */
function readLast(tokens: TokenList, at: number): string {
  let end = at;
  while (isMark(tokens.at(end + 1), '.') && isName(tokens.at(end + 2))) end += 2;
  return tokens.at(end)!.raw;
}

/** A name that the engine treats as a file when no table has the name. */
function findFileDiagnostic(name: string, offset: number, paths: PathCheck): GateDiagnostic | null {
  const isOwn = !LEADS_ELSEWHERE.test(name);
  if (isOwn && (!(DATA_FILE.test(name) || DATABASE_FILE.test(name)) || !paths.has(name))) return null;
  if (!name.includes('.')) return null;
  if (DATABASE_FILE.test(name)) return gateDiagnostics.database(name, offset);
  return paths.findDiagnostic(name, offset);
}
