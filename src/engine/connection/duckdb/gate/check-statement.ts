import { duckdbLexis } from '../../../text/lexical-rules.ts';
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

/**
 * Refuses what would not run as it is written: a text with a NUL character, which the engine reads up to
 * there, and what prints to the process's own output. Throws a DatabaseError of code `sql`.
 */
export function checkStatement(statement: string): void {
  const nul = statement.indexOf('\0');
  if (nul !== -1) throw new DatabaseError('sql', 'A statement cannot contain a NUL character.', nul);
  if (!MENTIONS_PRINTING.test(statement)) return;
  const words = [...scanWords(statement)];
  const settles = ['pragma', 'set'].includes(words[0]?.text ?? '');
  words.forEach(({ text, start }, i) => {
    const advice = PRINTING[text];
    if (advice === undefined || !((settles && i <= 2) || words[i + 1]?.text === '(')) return;
    const message = `${text} is refused: DuckDB would print past its result. ${advice}`.trimEnd();
    throw new DatabaseError('sql', message, start);
  });
}

/** The first word of a statement in lower case, '' if it has none. */
export function findFirstWord(statement: string): string {
  return scanWords(statement).next().value?.text ?? '';
}

/** What is neither blank nor comment, in lower case, names without their quotes. */
function* scanWords(statement: string): Generator<{ text: string; start: number }, void, undefined> {
  for (const { kind, start, end } of scanSql(statement, duckdbLexis)) {
    if (kind === 'space' || kind === 'comment') continue;
    const text = statement.slice(start, end).toLowerCase();
    yield { text: kind === 'quoted-name' ? text.slice(1, -1) : text, start };
  }
}
