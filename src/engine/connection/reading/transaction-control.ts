import type { SqlWord } from './sql-words.ts';

const MODE =
  '(?:isolation level (?:serializable|repeatable read|read committed|read uncommitted)|read only|(?:not )?deferrable|with consistent snapshot)';
const BEGIN = new RegExp(
  `^(?:begin(?: work| transaction| deferred| immediate)?|start transaction)(?: ${MODE}(?:(?: ,)? ${MODE})*)?$`,
);
const END = /^(?:commit|end|rollback|abort)(?: work| transaction)?$/;

/** First words of statements about transactions. */
export const CONTROL_WORDS: readonly string[] = [
  'begin',
  'start',
  'commit',
  'end',
  'rollback',
  'abort',
  'savepoint',
  'release',
  'prepare',
];

/**
 * Whether a statement starts or ends a transaction that only reads. Tools and drivers send such statements around their
 * queries; with the level READ they do nothing, because each statement has a separate transaction.
 */
export function controlsTransaction(words: readonly SqlWord[]): boolean {
  const text = words.map((word) => word.text).join(' ');
  return BEGIN.test(text) || END.test(text);
}
