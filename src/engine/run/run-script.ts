// A run executes the anonymous blocks of a script in order, in one session. The first result set is the answer; a
// recorder takes the results of all statements instead. Callees, publications and tests are requests of the
// rendering, which `blocks/`, `publish/` and `tests/` answer. Statements that need no rows are checked before the
// first one runs.

import path from 'node:path';
import type { Connection } from '../connection/contract/connection.ts';
import { checkNotEmpty } from '../script/evaluate/call-errors.ts';
import { settleDefaults } from '../script/evaluate/evaluate.ts';
import { createRunContext } from '../script/evaluate/render.ts';
import { listNamed } from '../script/graph/graph.ts';
import type { JsonValue } from '../script/params/json-value.ts';
import {
  type BlockDefinition,
  createScriptError,
  isVoid,
  listBlocks,
  type Program,
} from '../script/program/program.ts';
import type { RunEnvironment } from '../script/values/environment.ts';
import type { Request } from '../script/values/request.ts';
import type { RunContext } from '../script/values/scope.ts';
import type { Warn } from '../text/diagnostic.ts';
import type { LexicalRules } from '../text/lexical-rules.ts';
import type { SqlDialect } from '../text/sql-dialect.ts';
import { findBlock, toArguments } from './blocks/block-arguments.ts';
import { BlockRunner } from './blocks/block-runner.ts';
import type { PendingStatement } from './blocks/session-relations.ts';
import { checkRun, findsPublication } from './check-run.ts';
import type { Answer } from './outcome/answer.ts';
import type { NanoClock } from './outcome/clock.ts';
import type { StatementCount } from './outcome/statement-count.ts';
import type { TestResult } from './outcome/test-report.ts';
import type { PublicationLog } from './publish/publication-log.ts';
import { type PublishOptions, publish } from './publish/publish.ts';
import type { FilePlaces } from './publish/publish-file.ts';
import type { ResultRecorder } from './record/result-recorder.ts';
import { runStatement, warnOfNothing } from './run-statements.ts';
import { createTestEffectError, runTest } from './tests/run-test.ts';

export interface ScriptJob extends Job {
  /** The name of the script among the files of the program's root. */
  readonly file: string;
}

export interface BlockJob extends Job {
  readonly block: string;
  readonly args: Readonly<Record<string, JsonValue>>;
}

interface Job {
  readonly connection: Connection;
  /** Opens another session, or returns null if another one is not allowed; the caller of the run closes it. */
  readonly connectMore: () => Promise<Connection | null>;
  readonly program: Program;
  readonly dialect: SqlDialect;
  readonly lexicalRules: LexicalRules;
  readonly answer: Answer;
  /** Takes the results of all statements, instead of `answer`; null if only the answer is wanted. */
  readonly recorder: ResultRecorder | null;
  readonly clock: NanoClock;
  readonly environment: RunEnvironment;
  readonly publishing: FilePlaces & Pick<PublishOptions, 'locks' | 'database'>;
  readonly signal: AbortSignal;
  readonly warn: Warn;
  readonly log: PublicationLog;
  readonly count: StatementCount;
}

/** A job whose session is not open. */
export type UnopenedJob = Omit<ScriptJob, 'connection'> | Omit<BlockJob, 'connection'>;

/** Thrown inside a run by failed tests that end it (`test.Stop`). */
class Stopped extends Error {}

/**
 * Runs a script's plain statements, in order; the first result set is the answer
 * (docs/reference/language.md#files-and-packages, docs/reference/calls.md#result). A script that has tests and no plain
 * statement runs its tests. Resolves with the results of all tests that ran, null if no test was requested. Rejects
 * with a DiagnosticError or a StatementError.
 */
export async function runScript(job: ScriptJob): Promise<readonly TestResult[] | null> {
  return settle(new ScriptRun(job), (run) => run.run(job.file));
}

/**
 * Runs one block of the program's root, whose rows are the answer, or one test. Rejects as `runScript` does, and with
 * an UnknownBlockError or a BlockArgumentError.
 */
export async function runBlock(job: BlockJob): Promise<readonly TestResult[] | null> {
  const block = findBlock(job.program, job.block);
  return settle(new ScriptRun(job), (run) => run.runBlock(block, job.args));
}

/** Whether a job publishes a table or a view, as far as a check can know. Rejects as the run would. */
export async function publishesObjects(job: UnopenedJob): Promise<boolean> {
  const { program, lexicalRules, signal } = job;
  const options = { context: createContext(job), lexicalRules, signal };
  if (!('block' in job)) return findsPublication(toCalls(listBlocksOf(program, job.file)), options);
  const block = findBlock(program, job.block);
  const args = toArguments(block, job.args, settleDefaults(block, createContext(job)));
  return block.kind === 'block' && (await findsPublication([{ block, args }], options));
}

async function settle(
  run: ScriptRun,
  work: (run: ScriptRun) => Promise<void>,
): Promise<readonly TestResult[] | null> {
  try {
    await work(run);
  } catch (error) {
    if (!(error instanceof Stopped)) throw await run.explain(error);
  }
  return run.results;
}

class ScriptRun {
  readonly #job: Job;
  readonly #context: RunContext;
  readonly #runner: BlockRunner;
  /** Whether tests are running. Tests cannot publish or run other tests. */
  #testing = false;
  #publishing = false;
  results: TestResult[] | null = null;

  constructor(job: Job) {
    this.#job = job;
    this.#context = createContext(job);
    this.#runner = this.#createRunner(job.connection);
  }

  #createRunner(connection: Connection): BlockRunner {
    const { lexicalRules, signal, warn } = this.#job;
    return new BlockRunner({
      connection,
      context: this.#context,
      lexicalRules,
      signal,
      warn,
      effect: (request) => this.#do(request),
    });
  }

  explain(error: unknown): Promise<unknown> {
    return this.#runner.explain(error);
  }

  async runBlock(block: BlockDefinition, values: BlockJob['args']): Promise<void> {
    const args = toArguments(block, values, settleDefaults(block, this.#context));
    if (block.kind === 'test') {
      await this.#runTests([block]);
      return;
    }
    checkNotEmpty(block, { file: block.file, ...(block.declaration.name ?? block.declaration) });
    await this.#check([{ block, args }]);
    const { last } = await this.#runner.walk(block, args, (pending) => this.#runBeside(pending));
    if (last !== null) await (isVoid(block) ? this.#runBeside(last) : this.#runOne(last, true));
    await this.#runner.transaction.checkEnded();
  }

  async run(file: string): Promise<void> {
    const blocks = listBlocksOf(this.#job.program, file);
    const anonymous = blocks.filter(({ kind }) => kind === 'anonymous');
    const tests = blocks.filter(({ kind }) => kind === 'test');
    await checkPlain(anonymous, this.#runner);
    await this.#check(toCalls(anonymous));
    const namedBlocks = blocks.filter(({ kind }) => kind === 'block');
    if (anonymous.length + tests.length === 0) this.#warnOfNoStatement(file, namedBlocks);
    if (anonymous.length === 0 && tests.length > 0) await this.#runTests(tests);
    for (const [at, block] of anonymous.entries()) {
      const { last } = await this.#runner.walk(block, new Map(), (pending) => this.#runOne(pending, false));
      if (last !== null) await this.#runOne(last, at === anonymous.length - 1);
    }
    await this.#runner.transaction.checkEnded();
  }

  #check(blocks: Parameters<typeof checkRun>[0]): Promise<void> {
    const { connection, lexicalRules, signal } = this.#job;
    return checkRun(blocks, { connection, context: createContext(this.#job), lexicalRules, signal });
  }

  /** Warns that a script has nothing to run. */
  #warnOfNoStatement(file: string, [first, ...others]: readonly BlockDefinition[]): void {
    const { warn } = this.#job;
    if (first === undefined) {
      warnOfNothing(warn, file);
      return;
    }
    const names = [first, ...others].map(({ name }) => `\`${name}\``).join(', ');
    const call = `quern exec-block ${path.posix.dirname(file)} ${first.name}`;
    warnOfNothing(warn, file, 'blocks but no statement outside them', `: ${names}. Run one with \`${call}\``);
  }

  async #runOne(pending: PendingStatement, isLast: boolean): Promise<void> {
    // If tests have run, their results are the answer instead of rows.
    const isUnfinished = this.#runner.transaction.isUnfinished(pending.statement.sql);
    const isLive = isLast && this.results === null && !isUnfinished;
    await this.#runner.use(pending, ({ sql }) => runStatement(this.#job, pending.statement, sql, isLive));
    this.#job.count.add(this.#job.connection.inTransaction);
  }

  /** Runs a statement whose rows are not the answer. */
  #runBeside(pending: PendingStatement): Promise<void> {
    return this.#job.recorder === null ? this.#runner.execute(pending) : this.#runOne(pending, false);
  }

  async #do(request: Extract<Request, { kind: 'publish' | 'test' }>): Promise<void> {
    if (this.#testing) throw createTestEffectError(request.site);
    if (request.kind === 'publish') {
      return this.#publish(request);
    }
    const tests = [
      ...request.packages.flatMap(listNamed).filter(({ kind }) => kind === 'test'),
      ...request.tests,
    ];
    const failed = await this.#runTests([...new Map(tests.map((test) => [test.declaration, test])).values()]);
    if (failed > 0 && request.onFailure === 'stop') throw new Stopped();
  }

  async #publish(request: Extract<Request, { kind: 'publish' }>): Promise<void> {
    const { connection, program, publishing, lexicalRules, signal, warn, log, clock } = this.#job;
    const { site } = request;
    if (this.#publishing) {
      throw createScriptError(site.file.file, site, 'a block that is being published cannot publish others');
    }
    this.#publishing = true;
    const openSession = async () => {
      const newConnection = await this.#job.connectMore();
      return newConnection === null
        ? null
        : { connection: newConnection, runner: this.#createRunner(newConnection) };
    };
    const options = {
      connection,
      clock,
      log,
      program,
      lexicalRules,
      context: this.#context,
      runner: this.#runner,
      signal,
      warn,
      openSession,
    };
    try {
      await publish(request, { ...options, ...publishing });
    } finally {
      this.#publishing = false;
    }
  }

  /** Resolves with the number of failed tests. */
  async #runTests(tests: readonly BlockDefinition[]): Promise<number> {
    const results = [];
    this.#testing = true;
    try {
      for (const test of tests) results.push(await runTest(test, this.#runner, this.#job.clock));
    } finally {
      this.#testing = false;
    }
    this.results = [...(this.results ?? []), ...results];
    return results.filter(({ status }) => status === 'FAILED').length;
  }
}

function listBlocksOf({ root }: Program, file: string): readonly BlockDefinition[] {
  const script = root.files.find((linked) => linked.file.rendered.source.name === file);
  if (script === undefined) throw new Error(`the package has no file ${file}`);
  return listBlocks(root, script);
}

/** The plain statements of a file as calls of blocks, in order. */
function toCalls(blocks: readonly BlockDefinition[]): Parameters<typeof checkRun>[0] {
  return blocks.filter(({ kind }) => kind === 'anonymous').map((block) => ({ block, args: new Map() }));
}

function createContext({ program, dialect, clock, environment }: Omit<Job, 'connection'>): RunContext {
  return createRunContext(program, dialect, Number(clock() / 1_000_000n), { environment });
}

/**
 * Checks plain SQL before any of it runs: rejects parameters without a value, and statements that the sandbox does not
 * allow. Rejects with a DiagnosticError or a StatementError.
 */
async function checkPlain(blocks: readonly BlockDefinition[], runner: BlockRunner): Promise<void> {
  const isPlain = ({ declaration }: BlockDefinition) =>
    declaration.body.parts.every(({ kind }) => kind === 'text' || kind === 'comment');
  if (blocks.every(isPlain)) for (const block of blocks) await runner.checkPlain(block);
}
