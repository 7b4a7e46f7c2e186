import type { Connection, StatementResult } from '../connection/contract/connection.ts';
import type { Chunk } from '../result/columns/column.ts';
import { evaluatePublication, settleDefaults } from '../script/evaluate/evaluate.ts';
import type { BlockDefinition } from '../script/program/program.ts';
import { printTarget } from '../script/values/publication.ts';
import type { Request } from '../script/values/request.ts';
import { createScope, type RunContext, type Scope } from '../script/values/scope.ts';
import type { Value } from '../script/values/value.ts';
import type { LexicalRules } from '../text/lexical-rules.ts';
import { BlockRunner } from './blocks/block-runner.ts';
import type { PendingStatement } from './blocks/session-relations.ts';
import { listWanted } from './publish/publish.ts';

interface CheckOptions {
  readonly connection: Connection;
  /** A new context, in which nothing has been evaluated. */
  readonly context: RunContext;
  readonly lexicalRules: LexicalRules;
  readonly signal: AbortSignal;
}

/**
 * Renders blocks and the blocks that they publish as a run would, and rejects invalid semantic SQL before anything runs
 * (semantic SQL 4). Nothing reaches the database, so a loop over the rows of a block has no rows here; a statement with
 * such a loop is checked only when it runs, as are tests. Rejects as the run of the blocks would.
 */
export async function checkRun(
  blocks: readonly { readonly block: BlockDefinition; readonly args: ReadonlyMap<string, Value> }[],
  options: CheckOptions,
): Promise<void> {
  if (options.connection.checkMeaning === undefined) return;
  const run = new CheckedRun(options);
  for (const { block, args } of blocks) await run.check(block, args, null);
}

class CheckedRun {
  readonly #context: RunContext;
  readonly #runner: BlockRunner;
  /** Whether the current statement has a loop over rows, which are unknown here. */
  #isGuess = false;
  #publishing = false;

  constructor({ connection, context, lexicalRules, signal }: CheckOptions) {
    this.#context = context;
    this.#runner = new BlockRunner({
      connection: createCheckedConnection(connection),
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
      const { last } = await this.#runner.walk(block, args, (own) => this.#checkOne(own), publication);
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
    const args = settleDefaults(block, this.#context);
    const found = evaluatePublication(block, createScope(this.#context, block, args));
    const target = found === null || found.path !== null ? null : printTarget(found, this.#context.dialect);
    await this.check(block, args, target === null ? null : { target, incremental: false });
  }
}

const NO_CHUNKS: AsyncIterable<Chunk> = { async *[Symbol.asyncIterator]() {} };
const NO_ROWS: StatementResult = { kind: 'rows', columns: [], chunks: NO_CHUNKS };

/** A session that checks statements without running them. */
function createCheckedConnection(connection: Connection): Connection {
  const { relations, publishing } = connection;
  const idle: Connection = {
    run: async () => NO_ROWS,
    exportParquet: async () => 0,
    relations,
    publishing,
    close: async () => {},
  };
  return {
    ...idle,
    own: idle,
    async run(statement, signal) {
      await connection.checkMeaning?.(statement, signal);
      return NO_ROWS;
    },
  };
}
