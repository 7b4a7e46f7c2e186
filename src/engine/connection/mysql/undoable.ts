import type { Chunk } from '../../result/columns/column.ts';
import type { MysqlExchange, SessionState } from './exchange.ts';
import { listWords } from './statement.ts';

/**
 * Statements around a statement whose changes are kept only if all its rows are read; the first of each list decides.
 */
interface Frame {
  readonly before: string;
  readonly keep: readonly string[];
  readonly undo: readonly string[];
}

const SAVEPOINT = 'SAVEPOINT quern_returning';

/** Within a transaction that the user has started. */
const INNER: Frame = {
  before: SAVEPOINT,
  keep: [`RELEASE ${SAVEPOINT}`],
  undo: [`ROLLBACK TO ${SAVEPOINT}`, `RELEASE ${SAVEPOINT}`],
};
/** A transaction without BEGIN, which would release locked tables; independent of `completion_type`. */
const OWN: Frame = {
  before: 'SET autocommit = 0',
  keep: ['COMMIT AND NO CHAIN NO RELEASE', 'SET autocommit = 1'],
  undo: ['ROLLBACK AND NO CHAIN NO RELEASE', 'SET autocommit = 1'],
};

const CHANGING = new Set(['insert', 'replace', 'update', 'delete']);

/** Whether a statement changes rows and returns them. */
export function returnsChanges(statement: string): boolean {
  const words = [...listWords(statement)].flatMap(({ kind, text }) =>
    kind === 'word' ? [text.toLowerCase()] : [],
  );
  const isSet = words[0] === 'set' && words[1] === 'statement';
  const changes = isSet ? words.some((word) => CHANGING.has(word)) : CHANGING.has(words[0] ?? '');
  return changes && words.includes('returning');
}

/** The surrounding statements for a session in this state. */
export function chooseFrame({ inTransaction, autocommit }: SessionState): Frame {
  return autocommit && !inTransaction ? OWN : INNER;
}

/**
 * A statement with rows whose changes are rolled back unless all rows are read; the surrounding transaction has
 * started.
 */
export class UndoableStatement {
  readonly #exchange: MysqlExchange;
  readonly #frame: Frame;
  readonly #run: (statement: string) => Promise<void>;
  #isOpen = true;

  constructor(exchange: MysqlExchange, frame: Frame, run: (statement: string) => Promise<void>) {
    this.#exchange = exchange;
    this.#frame = frame;
    this.#run = run;
  }

  /** Like that of the exchange. */
  async begin(): Promise<Chunk | null> {
    const first = await this.#exchange.begin();
    if (this.#exchange.columns === null) await this.#keep();
    return first;
  }

  /** The next rows; null at the successful end. Rejects with a DatabaseError, also if the commit fails. */
  async next(): Promise<Chunk | null> {
    const chunk = await this.#exchange.next();
    if (chunk === null) await this.#keep();
    return chunk;
  }

  /** Ends the statement in any state; never rejects. */
  async leave(): Promise<void> {
    await this.#exchange.leave();
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#runAll(this.#frame.undo);
  }

  async #keep(): Promise<void> {
    if (!this.#isOpen) return;
    const [first, ...others] = this.#frame.keep;
    await this.#run(first!);
    this.#isOpen = false;
    await this.#runAll(others);
  }

  /** Errors here mean that the session or its transaction has already ended. */
  async #runAll(statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.#run(statement).catch(() => {});
  }
}
