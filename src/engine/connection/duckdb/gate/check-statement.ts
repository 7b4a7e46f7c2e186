import { findFirstWord } from '../../../text/first-word.ts';
import { type Interruptible, isPause } from '../../../text/interruptible.ts';
import { duckdbRules } from '../../../text/lexical-rules.ts';
import { scanSql } from '../../../text/sql-scanner.ts';
import { DatabaseError } from '../../contract/connection.ts';

/** Settings, pragmas and functions that make the engine print past its result, and what to do instead. */
const PRINTING: Readonly<Record<string, string>> = {
  enable_profiling: 'Use EXPLAIN ANALYZE.',
  enable_profile: 'Use EXPLAIN ANALYZE.',
  profiling_mode: 'Use EXPLAIN ANALYZE.',
  custom_profiling_settings: 'Use EXPLAIN ANALYZE.',
  enable_progress_bar: '',
  enable_progress_bar_print: '',
  enable_print_progress_bar: '',
  enable_logging: '',
  logging_storage: '',
};

const MENTIONS_PRINTING = /profil|progress_bar|logging/i;

/** Whether `checkStatement` has to look at a statement; most need no check. */
export function mayBeRefused(statement: string): boolean {
  return statement.includes('\0') || MENTIONS_PRINTING.test(statement);
}

/**
 * Refuses what would not run as it is written: a text with a NUL character, which the engine reads up to
 * there, and what prints to the process's own output. Throws a DatabaseError of code `sql`.
 */
export function* checkStatement(statement: string): Interruptible<void> {
  const nul = statement.indexOf('\0');
  if (nul !== -1) throw new DatabaseError('sql', 'A statement cannot contain a NUL character.', nul);
  const settles = ['pragma', 'set'].includes(findFirstWord(statement, duckdbRules));
  let passed = 0;
  let last: Word | null = null;
  for (const word of scanWords(statement)) {
    if (last !== null && Object.hasOwn(PRINTING, last.text) && word.text === '(') throw createPrinting(last);
    passed += 1;
    if (isPause(passed)) yield;
    if (settles && passed <= 3 && Object.hasOwn(PRINTING, word.text)) throw createPrinting(word);
    last = word;
  }
}

function createPrinting({ text, start }: Word): DatabaseError {
  const message = `${text} is refused: DuckDB would print past its result. ${PRINTING[text]}`.trimEnd();
  return new DatabaseError('sql', message, start);
}

interface Word {
  readonly text: string;
  readonly start: number;
}

/** Tokens without blanks and comments, in lower case; names are without quotes. */
function* scanWords(statement: string): Generator<Word, void, undefined> {
  for (const { kind, start, end } of scanSql(statement, duckdbRules)) {
    if (kind === 'space' || kind === 'comment') continue;
    const text = statement.slice(start, end).toLowerCase();
    yield { text: kind === 'quoted-name' ? text.slice(1, -1) : text, start };
  }
}
