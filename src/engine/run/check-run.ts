import { notNull } from '../../invariants/must.ts';
import {
  type Connection,
  DatabaseError,
  type Relations,
  type StatementResult,
} from '../connection/contract/connection.ts';
import type { Chunk } from '../result/columns/column.ts';
import { evaluatePublication, settleDefaults } from '../script/evaluate/evaluate.ts';
import { type BlockDefinition, createScriptError, findPublicationSpan } from '../script/program/program.ts';
import { type Publication, printPublishedName } from '../script/values/publication.ts';
import type { Request } from '../script/values/request.ts';
import { createScope, type RunContext, type Scope } from '../script/values/scope.ts';
import type { Value } from '../script/values/value.ts';
import type { LexicalRules } from '../text/lexical-rules.ts';
import { BlockRunner } from './blocks/block-runner.ts';
import type { PendingStatement } from './blocks/session-relations.ts';
import { checkMayPublish, listWanted } from './publish/publish.ts';

interface CheckOptions {
  readonly connection: Connection;
  /** A new context, in which nothing has been evaluated. */
  readonly context: RunContext;
  readonly lexicalRules: LexicalRules;
  readonly signal: AbortSignal;
}

/**
 * Renders blocks and the blocks that they publish as a run would, and rejects before anything runs: invalid semantic
 * SQL (docs/reference/semantic-sql-scripts.md), statements that need stored rows where none can be stored, and targets
 * that cannot be published. No statement of the script runs, so a loop over the rows of a block has no rows here; a
 * statement with such a loop is checked only when it runs, as are tests. Rejects as the run of the blocks would.
 */
export async function checkRun(
  blocks: readonly { readonly block: BlockDefinition; readonly args: ReadonlyMap<string, Value> }[],
  options: CheckOptions,
): Promise<void> {
  const { checkMeaning, publishing, relations } = options.connection;
  const mayRefuse =
    checkMeaning !== undefined || publishing.check !== null || publishing.refusal !== undefined;
  if (!mayRefuse && (relations.scratch?.refusal ?? null) === null) return;
  const run = new CheckedRun(options);
  for (const { block, args } of blocks) await run.check(block, args, null);
}

/**
 * Whether blocks publish a table or a view, as far as a check without a session can know. Rejects as the run of the
 * blocks would.
 */
export async function findsPublication(
  blocks: Parameters<typeof checkRun>[0],
  options: Omit<CheckOptions, 'connection'>,
): Promise<boolean> {
  const run = new CheckedRun({ ...options, connection: NO_SESSION });
  for (const { block, args } of blocks) await run.check(block, args, null);
  return run.hasObjects;
}

class CheckedRun {
  readonly #connection: Connection;
  readonly #signal: AbortSignal;
  readonly #context: RunContext;
  readonly #runner: BlockRunner;
  /** Whether the current statement has a loop over rows, which are unknown here. */
  #isGuess = false;
  #publishing = false;
  /** What the query of the current block is for. */
  #use: 'view' | undefined;
  /** Whether a table or a view is published. */
  hasObjects = false;

  constructor({ connection, context, lexicalRules, signal }: CheckOptions) {
    this.#connection = connection;
    this.#signal = signal;
    this.#context = context;
    this.#runner = new BlockRunner({
      connection: createCheckedConnection(connection, () => this.#use),
      context,
      lexicalRules,
      signal,
      warn: () => undefined,
      effect: (request) => this.#checkEffect(request),
      onRows: () => {
        this.#isGuess = true;
      },
    });
  }

  /** Checks the statements of a block, up to the first that cannot be rendered without the rows of a loop. */
  async check(
    block: BlockDefinition,
    args: ReadonlyMap<string, Value>,
    publication: Scope['publication'],
  ): Promise<void> {
    try {
      const { last } = await this.#runner.walk(
        block,
        args,
        (pending) => this.#checkOne(pending),
        publication,
      );
      if (last !== null) await this.#checkOne(last);
    } catch (error) {
      if (!this.#isGuess) throw await this.#runner.explain(error);
    } finally {
      this.#isGuess = false;
    }
  }

  async #checkOne(pending: PendingStatement): Promise<void> {
    try {
      await this.#runner.execute(pending);
    } catch (error) {
      if (!this.#isGuess) throw error;
    }
    this.#isGuess = false;
  }

  /** Does not check nested publications: the run rejects them. */
  async #checkEffect(request: Extract<Request, { kind: 'publish' | 'test' }>): Promise<void> {
    if (request.kind === 'test' || this.#publishing) return;
    this.#publishing = true;
    try {
      for (const block of listWanted(request)) await this.#checkPublication(block);
    } finally {
      this.#publishing = false;
    }
  }

  async #checkPublication(block: BlockDefinition): Promise<void> {
    checkMayPublish(block, this.#connection);
    const args = settleDefaults(block, this.#context);
    const publication = evaluatePublication(block, createScope(this.#context, block, args));
    if (publication === null || publication.path !== null) return this.check(block, args, null);
    this.hasObjects = true;
    await checkTarget(block, publication, this.#connection, this.#signal);
    const target = printPublishedName(publication, this.#context.dialect);
    this.#use = publication.type === 'view' ? 'view' : undefined;
    try {
      await this.check(block, args, { target, incremental: false });
    } finally {
      this.#use = undefined;
    }
  }
}

/** Rejects with a DiagnosticError if a target cannot be published. */
async function checkTarget(
  block: BlockDefinition,
  { schema, name, type }: Publication,
  { publishing }: Connection,
  signal: AbortSignal,
): Promise<void> {
  if (publishing.check === null) return;
  try {
    const target = await publishing.resolve(schema, notNull(name), signal);
    await publishing.check(target, type === 'view' ? 'view' : 'table', signal);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== 'refused') throw error;
    throw createScriptError(block.file.file, findPublicationSpan(block, 'name'), error.message);
  }
}

const NO_CHUNKS: AsyncIterable<Chunk> = { async *[Symbol.asyncIterator]() {} };
const NO_ROWS: StatementResult = { kind: 'rows', columns: [], chunks: NO_CHUNKS };

/** A session that checks statements without running them. */
function createCheckedConnection(connection: Connection, findUse: () => 'view' | undefined): Connection {
  const { relations, publishing } = connection;
  const idle: Connection = {
    run: async () => NO_ROWS,
    exportParquet: async () => 0,
    inTransaction: false,
    readState: refuse,
    relations: connection.physicalConnection === undefined ? createCheckedRelations(relations) : relations,
    publishing,
    close: async () => {},
  };
  return {
    ...idle,
    ...(connection.physicalConnection === undefined ? {} : { physicalConnection: idle }),
    async run(statement, signal) {
      await connection.checkMeaning?.(statement, signal, findUse());
      return NO_ROWS;
    },
  };
}

const refuse = async (): Promise<never> => {
  throw new Error('no session is open');
};
/** Stands for a session that is not open; a check of it finds no more than its text says. */
const NO_SESSION: Connection = {
  run: refuse,
  exportParquet: refuse,
  inTransaction: false,
  readState: refuse,
  relations: {
    isRepeatable: async () => true,
    nulls: null,
    createTable: refuse,
    createView: null,
    runsOnce: 'all',
    insertsAtEnd: true,
    scratch: null,
    listTemporary: refuse,
    dropTemporary: refuse,
  },
  publishing: {
    resolve: refuse,
    ignoresCase: true,
    hasSchema: refuse,
    find: refuse,
    check: null,
    replaceTable: refuse,
    replaceView: refuse,
    compareColumns: refuse,
    append: refuse,
    merge: refuse,
    transact: refuse,
    startHistory: refuse,
    continueHistory: refuse,
    writeFile: refuse,
  },
  close: async () => {},
};

/** Relations that store no rows, and reject where none can be stored. */
function createCheckedRelations(relations: Relations): Relations {
  const refusal = relations.scratch?.refusal ?? null;
  return {
    ...relations,
    // Where rows can be stored, it makes no difference.
    isRepeatable: refusal === null ? async () => true : relations.isRepeatable,
    nulls: null,
    async createTable() {
      if (refusal !== null) throw new DatabaseError('refused', refusal);
    },
    createView: null,
    listTemporary: async () => [],
    dropTemporary: async () => {},
  };
}
