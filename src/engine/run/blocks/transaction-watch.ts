import { type Connection, DatabaseError } from '../../connection/contract/connection.ts';
import type { Statement } from '../../script/evaluate/steps.ts';
import { findFirstWord } from '../../text/first-word.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { locateStatement } from '../outcome/statement-error.ts';
import { mayWrite } from './is-query.ts';

const ROLLBACKS = new Set(['rollback', 'abort']);
const ENDS = new Set([...ROLLBACKS, 'commit', 'end']);
const ROLLBACK_TO = /^rollback\s+(?:work\s+|transaction\s+)?to\b/i;
/** First words of other statements than queries that change no data. */
const HARMLESS = new Set(
  'begin start savepoint release set reset use show describe desc summarize declare fetch move close prepare deallocate pragma'.split(
    ' ',
  ),
);
const MAKES_TEMPORARY = /^create\s+(?:or\s+replace\s+)?(?:(?:local|global)\s+)?temp(?:orary)?\b/i;
const NEVER = new AbortController().signal;

/**
 * Watches the transactions that the statements of one session begin and end. An execution must not end in a transaction
 * that has changed something: the session ends with it, and the changes would be lost.
 */
export class TransactionWatch {
  readonly #connection: Connection;
  readonly #lexicalRules: LexicalRules;
  /** The statement that has started the current transaction. */
  #start: Statement | null = null;
  #hasChanged = false;
  /** What to do once the transaction is committed. */
  #waiting: (() => void)[] = [];

  constructor(connection: Connection, lexicalRules: LexicalRules) {
    this.#connection = connection;
    this.#lexicalRules = lexicalRules;
  }

  /** Runs one statement of the user. */
  async run<T>(statement: Statement, work: () => Promise<T>): Promise<T> {
    const result = await work();
    this.#notice(statement);
    return result;
  }

  /** Whether an execution that ends after a statement is an error, so that its rows must not be sent before. */
  isUnfinished(statement: string): boolean {
    return this.#connection.inTransaction && (this.#hasChanged || this.#changes(statement));
  }

  /** Does something now, or after the commit of the current transaction, which has changed data. */
  afterCommit(work: () => void): void {
    if (!this.#connection.inTransaction) {
      this.#end(true);
      work();
      return;
    }
    this.#hasChanged = true;
    this.#waiting.push(work);
  }

  /** Rolls back a transaction that has changed something, and rejects with a StatementError that names its start. */
  async checkEnded(): Promise<void> {
    if (!this.#connection.inTransaction) this.#end(true);
    if (this.#start === null || !this.#hasChanged) return;
    await this.#connection.run('ROLLBACK', NEVER).catch(() => {});
    const message =
      'the transaction that this statement starts is still open at the end, so its changes are rolled back: end it with `COMMIT`';
    await locateStatement(this.#start, async () => {
      throw new DatabaseError('sql', message);
    });
  }

  #notice(statement: Statement): void {
    const { sql } = statement;
    const word = findFirstWord(sql, this.#lexicalRules);
    const { inTransaction } = this.#connection;
    if (!inTransaction || (ENDS.has(word) && !ROLLBACK_TO.test(sql))) this.#end(!ROLLBACKS.has(word));
    if (!inTransaction) return;
    this.#start ??= statement;
    this.#hasChanged ||= this.#changes(sql);
  }

  #end(isCommit: boolean): void {
    if (isCommit) for (const work of this.#waiting) work();
    this.#waiting = [];
    this.#start = null;
    this.#hasChanged = false;
  }

  #changes(sql: string): boolean {
    const word = findFirstWord(sql, this.#lexicalRules);
    if (HARMLESS.has(word) || ENDS.has(word) || MAKES_TEMPORARY.test(sql)) return false;
    return mayWrite(sql, this.#lexicalRules);
  }
}
