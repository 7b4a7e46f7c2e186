import { type Refusal, refusals } from './errors.ts';
import { FILE_READERS, REFUSED_FUNCTIONS, REFUSED_TABLE_FUNCTIONS, REFUSED_VIEWS } from './functions.ts';
import type { PathCheck } from './paths.ts';
import { findTablePlaces, type TablePlace } from './tables.ts';
import { isMark, isName, readLiteral, type Token } from './tokens.ts';

/** What a text is judged by. */
export interface Knowledge {
  readonly paths: PathCheck;
  /** Names of views, macros and tables that no statement may use, in lower case, with the reasons. */
  readonly barred: ReadonlyMap<string, string>;
}

/** Names without these could be files of the one folder alone. */
const LEADS_ELSEWHERE = /[/\\*?[:~]/;
/** What the engine looks for as a file when there is no table of the name. */
const DATA_FILE = /\.(?:csv|tsv|parquet|json|jsonl|ndjson)\b/i;
const DATABASE_FILE = /\.(?:db|ddb|duckdb)\b/i;

/** Why what a text names and calls is refused: functions, readers of files, tables (results 3). */
export function findReferenceRefusal(tokens: readonly Token[], knowledge: Knowledge): Refusal | null {
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if (!isName(token)) continue;
    const refusal = findNameRefusal(tokens, at, token, knowledge);
    if (refusal !== null) return refusal;
  }
  for (const place of findTablePlaces(tokens)) {
    const refusal = findTableRefusal(tokens, place, knowledge.paths);
    if (refusal !== null) return refusal;
  }
  return null;
}

function findNameRefusal(
  tokens: readonly Token[],
  at: number,
  { text, raw, start }: Token,
  { paths, barred }: Knowledge,
): Refusal | null {
  const reason = barred.get(text);
  if (reason !== undefined) return refusals.barred(raw, reason, start);
  if (isMark(tokens[at + 1], '(')) {
    if (REFUSED_FUNCTIONS.has(text)) return refusals.called(text, start);
    if (FILE_READERS.has(text)) return findReaderRefusal(tokens, at, paths);
  }
  return REFUSED_VIEWS.has(text) ? refusals.named(text, start) : null;
}

/** The first argument is one plain text in quotes, or a list of such texts, each the path of a file. */
function findReaderRefusal(tokens: readonly Token[], name: number, paths: PathCheck): Refusal | null {
  const isList = isMark(tokens[name + 2], '[');
  let at = name + (isList ? 3 : 2);
  const files = [tokens[at]];
  while (isList && isMark(tokens[at + 1], ',')) {
    at += 2;
    files.push(tokens[at]);
  }
  if (isList) at += 1;
  const isClosed = !isList || isMark(tokens[at], ']');
  const isAll = isMark(tokens[at + 1], ',') || isMark(tokens[at + 1], ')');
  for (const file of files) {
    const literal = readLiteral(file);
    if (literal === null || !isClosed || !isAll)
      return refusals.reader(tokens[name]!.text, tokens[name]!.start);
    const refusal = paths.findRefusal(literal, file!.start);
    if (refusal !== null) return refusal;
  }
  return null;
}

function findTableRefusal(
  tokens: readonly Token[],
  { token, at, path, called }: TablePlace,
  paths: PathCheck,
): Refusal | null {
  if (path === null) {
    const literal = readLiteral(token);
    // A text goes on with another one that stands behind it.
    if (literal === null || tokens[at + 1]?.kind === 'string') return refusals.literal(token.start);
    if (DATABASE_FILE.test(literal)) return refusals.database(literal, token.start);
    return paths.findRefusal(literal, token.start);
  }
  if (called !== null) {
    return REFUSED_TABLE_FUNCTIONS.has(called) ? refusals.called(called, token.start) : null;
  }
  return findFileRefusal(path, token.start, paths);
}

/** A name that the engine takes for a file when it has no such table. */
function findFileRefusal(name: string, offset: number, paths: PathCheck): Refusal | null {
  const isOwn = !LEADS_ELSEWHERE.test(name);
  if (isOwn && (!(DATA_FILE.test(name) || DATABASE_FILE.test(name)) || !paths.has(name))) return null;
  if (!name.includes('.')) return null;
  if (DATABASE_FILE.test(name)) return refusals.database(name, offset);
  return paths.findRefusal(name, offset);
}
