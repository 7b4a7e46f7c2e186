import { finishInPieces } from '../../text/finish-in-pieces.ts';
import { findFirstWord } from '../../text/first-word.ts';
import { finish, type Interruptible } from '../../text/interruptible.ts';
import {
  type ChangingPart,
  type Connection,
  DatabaseError,
  type Publishing,
  type ReadRules,
  type Relations,
  type StatementInput,
  type StatementResult,
} from '../contract/connection.ts';
import { runAround } from '../contract/run-inner.ts';
import { readSqlWords, refuseAt, type SqlWord } from './find-writing.ts';

const NEVER = new AbortController().signal;

/** A result whose statement only controlled a transaction. */
const NOTHING: StatementResult = { kind: 'done', rowsChanged: 0 };

/** `mayPublish`: publications are not those of statements, and need another right. */
export interface ReadingOptions {
  /** The name of the connection, for messages. */
  readonly name: string;
  readonly mayPublish: boolean;
}

/**
 * A session that only reads (docs/reference/permissions.md#read). A statement must be on the driver's list; then the
 * database runs it alone in a transaction that only reads, where it has such transactions. Statements that start and
 * end a transaction are accepted and do nothing. Refused statements reject with a DatabaseError `level`.
 */
export function createReadingConnection(
  physical: Connection,
  rules: ReadRules,
  { name, mayPublish }: ReadingOptions,
): Connection {
  const session = new ReadingSession(physical, rules, name);
  const publishing = createPublishing(physical.publishing, session);
  return {
    get inTransaction() {
      return false;
    },
    run: (statement, signal, input) => session.run(statement, signal, input),
    checkStatement: (statement) => session.check(statement),
    ...(physical.checkMeaning === undefined ? {} : { checkMeaning: physical.checkMeaning.bind(physical) }),
    exportParquet: (query, file, maxRows, signal) =>
      session.use(query, signal, () => physical.exportParquet(query, file, maxRows, signal)),
    relations: createRelations(physical.relations, rules, session),
    publishing: mayPublish ? publishing : refusePublications(publishing, name),
    readState: async () => {
      await session.end();
      return physical.readState();
    },
    close: async () => {
      await session.end();
      await physical.close();
    },
  };
}

class ReadingSession {
  readonly physical: Connection;
  readonly #rules: ReadRules;
  readonly #name: string;
  /** Whether the transaction of the last statement is open. */
  #isOpen = false;

  constructor(physical: Connection, rules: ReadRules, name: string) {
    this.physical = physical;
    this.#rules = rules;
    this.#name = name;
  }

  /** Throws a DatabaseError for a statement that is not on the list, or that the session itself would refuse. */
  *check(statement: string): Interruptible<void> {
    if (this.physical.checkStatement !== undefined) yield* this.physical.checkStatement(statement);
    const writing = this.#findControl(statement) ?? (yield* this.#rules.find(statement));
    if (writing !== null && writing !== 'nothing') throw createLevelError(writing, this.#name);
  }

  /** A statement about transactions: `nothing` if it does nothing here; null for any other statement. */
  #findControl(statement: string): ChangingPart | 'nothing' | null {
    const word = findFirstWord(statement, this.#rules.lexicalRules);
    if (!CONTROL_WORDS.includes(word)) return null;
    const words = finish(readSqlWords(statement.slice(0, MAX_CONTROL), this.#rules.lexicalRules));
    return controlsTransaction(words) && statement.length <= MAX_CONTROL ? 'nothing' : refuseAt(words, 0);
  }

  async run(statement: string, signal: AbortSignal, input?: StatementInput): Promise<StatementResult> {
    await finishInPieces(this.check(statement), signal);
    if (this.#findControl(statement) === 'nothing') return NOTHING;
    await this.#begin(signal);
    const result = await this.#attempt(statement, () => this.physical.run(statement, signal, input));
    if (result.kind === 'rows') return { ...result, chunks: this.#readAll(statement, result.chunks) };
    await this.#commit();
    return result;
  }

  /** Does something with a query inside a transaction that only reads. Rejects like `run`. */
  async use<T>(query: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await finishInPieces(this.check(query), signal);
    await this.#begin(signal);
    const result = await this.#attempt(query, work);
    await this.#commit();
    return result;
  }

  /** Ends the transaction of the last statement; never rejects. */
  async end(): Promise<void> {
    await this.#commit().catch(() => {});
  }

  /** Does something after the transaction of the last statement. */
  async outside<T>(work: () => Promise<T>): Promise<T> {
    await this.end();
    return work();
  }

  async #begin(signal: AbortSignal): Promise<void> {
    await this.end();
    const { transaction } = this.#rules;
    if (transaction === null) return;
    await this.physical.run(transaction.begin, signal);
    this.#isOpen = true;
  }

  async #commit(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      await this.physical.run(this.#rules.transaction?.commit ?? '', NEVER);
    } catch (error) {
      await this.physical.run('ROLLBACK', NEVER).catch(() => {});
      throw error;
    }
  }

  async #attempt<T>(statement: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.#rollBack();
      throw this.#explain(statement, error);
    }
  }

  /** The rows of a statement; its transaction stays open until the next statement, so that nothing waits for its end. */
  async *#readAll<Chunk>(statement: string, chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk, void> {
    try {
      yield* chunks;
    } catch (error) {
      await this.#rollBack();
      throw this.#explain(statement, error);
    }
  }

  async #rollBack(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.physical.run('ROLLBACK', NEVER).catch(() => {});
  }

  /** The refusal of the database in the words of the level. */
  #explain(statement: string, error: unknown): unknown {
    if (!(error instanceof DatabaseError) || !this.#rules.isRefusal(error)) return error;
    const kind = /[a-z]+/i.exec(statement)?.[0].toUpperCase() ?? '';
    return createLevelError({ kind, offset: 0 }, this.#name, error);
  }
}

/** Maximum length of a statement that starts or ends a transaction, in UTF-16 code units. */
const MAX_CONTROL = 1_000;

/** The rows of blocks: queries of the user in tables that the driver makes. */
function createRelations(relations: Relations, rules: ReadRules, session: ReadingSession): Relations {
  const { physical } = session;
  const run: Connection['run'] = (statement, signal) => physical.run(statement, signal);
  const { nulls, createView } = relations;
  return {
    isRepeatable: (query, signal) => session.outside(() => relations.isRepeatable(query, signal)),
    nulls: nulls && {
      mayBeIn: (query) => nulls.mayBeIn(query),
      printTypes: () => nulls.printTypes(),
      printTexts: (columns) => nulls.printTexts(columns),
      listColumns: (types, signal) => session.use(types, signal, () => nulls.listColumns(types, signal)),
    },
    async createTable(name, query, signal) {
      const { storing } = rules;
      if (storing === null) {
        await session.use(query, signal, () => relations.createTable(name, query, signal));
        return;
      }
      const create = async (empty: string): Promise<StatementResult> => {
        await relations.createTable(name, empty, signal);
        return NOTHING;
      };
      const [before, after] = storing.empty;
      await finishInPieces(session.check(query), signal);
      if (storing.isProbed) {
        await session.use(query, signal, () => runAround(run, [before, query, after], signal));
      }
      await session.outside(() => runAround(create, [before, query, after], signal));
      await session.use(query, signal, () => runAround(run, [storing.printFill(name), query], signal));
    },
    createView:
      createView &&
      (async (name, query, signal) => {
        const create = () => createView(name, query, signal);
        if (rules.storing === null) return session.use(query, signal, create);
        await finishInPieces(session.check(query), signal);
        await session.outside(create);
      }),
    runsOnce: relations.runsOnce,
    insertsAtEnd: relations.insertsAtEnd,
    scratch: relations.scratch,
    listTemporary: (signal) => session.outside(() => relations.listTemporary(signal)),
    dropTemporary: (objects, signal) => session.outside(() => relations.dropTemporary(objects, signal)),
  };
}

/** Publications, outside the transactions of statements. */
function createPublishing(publishing: Publishing, session: ReadingSession): Publishing {
  const { check } = publishing;
  return {
    resolve: (...args) => session.outside(() => publishing.resolve(...args)),
    ignoresCase: publishing.ignoresCase,
    hasSchema: (...args) => session.outside(() => publishing.hasSchema(...args)),
    find: (...args) => session.outside(() => publishing.find(...args)),
    check: check && ((...args) => session.outside(() => check(...args))),
    replaceTable: (...args) => session.outside(() => publishing.replaceTable(...args)),
    replaceView: (...args) => session.outside(() => publishing.replaceView(...args)),
    append: (...args) => session.outside(() => publishing.append(...args)),
    compareColumns: (...args) => session.outside(() => publishing.compareColumns(...args)),
    merge: (...args) => session.outside(() => publishing.merge(...args)),
    transact: (_signal, work) => work(),
    startHistory: (...args) => session.outside(() => publishing.startHistory(...args)),
    continueHistory: (...args) => session.outside(() => publishing.continueHistory(...args)),
    writeFile: (...args) => session.outside(() => publishing.writeFile(...args)),
  };
}

/** Publications that need USE; targets that exist can be read. */
function refusePublications(publishing: Publishing, name: string): Publishing {
  const refusal = createLevelError({ kind: 'publication', offset: 0 }, name);
  const refuse = () => Promise.reject(refusal);
  return {
    ...publishing,
    refusal,
    replaceTable: refuse,
    replaceView: refuse,
    compareColumns: refuse,
    append: refuse,
    merge: refuse,
    startHistory: refuse,
    continueHistory: refuse,
    writeFile: refuse,
  };
}

function createLevelError({ kind, offset }: ChangingPart, name: string, cause?: unknown): DatabaseError {
  return new DatabaseError('level', `\`${kind}\` needs USE on \`${name}\`; you have READ`, offset, { cause });
}

const MODE =
  '(?:isolation level (?:serializable|repeatable read|read committed|read uncommitted)|read only|(?:not )?deferrable|with consistent snapshot)';
const BEGIN = new RegExp(
  `^(?:begin(?: work| transaction| deferred| immediate)?|start transaction)(?: ${MODE}(?:(?: ,)? ${MODE})*)?$`,
);
const END = /^(?:commit|end|rollback|abort)(?: work| transaction)?$/;

/** First words of statements about transactions. */
const CONTROL_WORDS: readonly string[] = [
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
function controlsTransaction(words: readonly SqlWord[]): boolean {
  const text = words.map((word) => word.text).join(' ');
  return BEGIN.test(text) || END.test(text);
}
