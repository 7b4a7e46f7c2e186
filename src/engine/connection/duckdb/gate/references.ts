import { type Interruptible, isPause } from '../../../text/interruptible.ts';
import { type Refusal, refusals } from './errors.ts';
import {
  FILE_READERS,
  REFUSED_FUNCTIONS,
  REFUSED_TABLE_FUNCTIONS,
  REFUSED_VIEWS,
  SHOWN_SETTINGS,
} from './functions.ts';
import type { PathCheck } from './paths.ts';
import { findTablePlaces, PAUSE, type TablePlace } from './tables.ts';
import { isMark, isName, isWord, readLiteral, type Token, type TokenList } from './tokens.ts';

/** What a text is judged by. */
export interface Knowledge {
  readonly paths: PathCheck;
  /** Names of views, macros and tables that no statement may use, in lower case, with the reasons. */
  readonly barred: ReadonlyMap<string, string>;
  /** Whether texts are as the engine prints them, which writes lists as calls. */
  readonly isStored: boolean;
}

/** Names without these could be files of the one folder alone. */
const LEADS_ELSEWHERE = /[/\\*?[:~]/;
/** What the engine looks for as a file when there is no table of the name. */
const DATA_FILE = /\.(?:csv|tsv|parquet|json|jsonl|ndjson)\b/i;
const DATABASE_FILE = /\.(?:db|ddb|duckdb)\b/i;

/** Why what a text names and calls is refused: functions, readers of files, tables (results 3). */
export function* findReferenceRefusal(
  tokens: TokenList,
  knowledge: Knowledge,
): Interruptible<Refusal | null> {
  for (let at = 0; at < tokens.length; at += 1) {
    if (isPause(at)) yield;
    const token = tokens.at(at)!;
    if (!isName(token)) continue;
    const refusal = findCallRefusal(tokens, at, token, knowledge);
    if (refusal !== null) return refusal;
  }
  for (const place of findTablePlaces(tokens)) {
    if (place === PAUSE) {
      yield;
      continue;
    }
    const refusal = findTableRefusal(tokens, place, knowledge);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** A name that is called, wherever that is: as a value, or as a table. */
function findCallRefusal(
  tokens: TokenList,
  at: number,
  { text, raw, start }: Token,
  { paths, barred, isStored }: Knowledge,
): Refusal | null {
  if (!isMark(tokens.at(at + 1), '(')) return null;
  if (REFUSED_FUNCTIONS.has(text)) return refusals.called(text, start);
  if (text === 'current_setting') return findSettingRefusal(tokens, at);
  if (FILE_READERS.has(text)) return findReaderRefusal(tokens, at, paths, isStored);
  const reason = barred.get(text);
  return reason === undefined ? null : refusals.barred(raw, reason, start);
}

/** The one argument is a plain text in quotes: a setting that shows nothing of the machine. */
function findSettingRefusal(tokens: TokenList, name: number): Refusal | null {
  const literal = readLiteral(tokens.at(name + 2));
  const isAll = isMark(tokens.at(name + 3), ')');
  if (literal !== null && isAll && SHOWN_SETTINGS.has(literal.toLowerCase())) return null;
  return refusals.shown(literal ?? '', tokens.at(name)!.start);
}

/** The first argument is one plain text in quotes, or a list of such texts, each the path of a file. */
function findReaderRefusal(
  tokens: TokenList,
  name: number,
  paths: PathCheck,
  isStored: boolean,
): Refusal | null {
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
    const literal = readLiteral(file);
    if (literal === null || !isClosed || !isAll)
      return refusals.reader(tokens.at(name)!.text, tokens.at(name)!.start);
    const refusal = paths.findRefusal(literal, file!.start);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Where the items of a list begin, and how it ends; null for what is no list. */
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

function findTableRefusal(
  tokens: TokenList,
  { token, at, path, name, isCalled }: TablePlace,
  { paths, barred }: Knowledge,
): Refusal | null {
  if (path === null) {
    const literal = readLiteral(token);
    // A text goes on with another one that stands behind it.
    if (literal === null || tokens.at(at + 1)?.kind === 'string') return refusals.literal(token.start);
    if (DATABASE_FILE.test(literal)) return refusals.database(literal, token.start);
    return paths.findRefusal(literal, token.start);
  }
  if (isCalled) {
    return REFUSED_TABLE_FUNCTIONS.has(name!) ? refusals.called(name!, token.start) : null;
  }
  if (REFUSED_VIEWS.has(name!)) return refusals.named(name!, token.start);
  const reason = barred.get(name!);
  if (reason !== undefined) return refusals.barred(readLast(tokens, at), reason, token.start);
  return findFileRefusal(path, token.start, paths);
}

/** The last of names with dots between, as it is written. */
function readLast(tokens: TokenList, at: number): string {
  let end = at;
  while (isMark(tokens.at(end + 1), '.') && isName(tokens.at(end + 2))) end += 2;
  return tokens.at(end)!.raw;
}

/** A name that the engine takes for a file when it has no such table. */
function findFileRefusal(name: string, offset: number, paths: PathCheck): Refusal | null {
  const isOwn = !LEADS_ELSEWHERE.test(name);
  if (isOwn && (!(DATA_FILE.test(name) || DATABASE_FILE.test(name)) || !paths.has(name))) return null;
  if (!name.includes('.')) return null;
  if (DATABASE_FILE.test(name)) return refusals.database(name, offset);
  return paths.findRefusal(name, offset);
}
