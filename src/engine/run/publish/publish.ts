import path from 'node:path';
import { elementAt, notNull } from '../../../invariants/must.ts';
import {
  type Connection,
  DatabaseError,
  type PublishedName,
  type PublishingMethod,
  type StatementResult,
} from '../../connection/contract/connection.ts';
import { createReader } from '../../result/columns/read-value.ts';
import { checkWords } from '../../script/check/rules/known-words.ts';
import { evaluatePublication, settleDefaults } from '../../script/evaluate/evaluate.ts';
import { describeQuotedParam, findPublicationParams } from '../../script/evaluate/quoted-params.ts';
import type { Statement } from '../../script/evaluate/steps.ts';
import { isPublished } from '../../script/load/list-dependencies.ts';
import {
  type BlockDefinition,
  createScriptDiagnostic,
  createScriptError,
  findPublicationSpan,
  listBlocks,
  type Program,
} from '../../script/program/program.ts';
import { type Publication, PublicationError, printPublishedName } from '../../script/values/publication.ts';
import type { Request } from '../../script/values/request.ts';
import { createScope, type RunContext } from '../../script/values/scope.ts';
import type { Value } from '../../script/values/value.ts';
import type { Warn } from '../../text/diagnostic.ts';
import type { BlockRunner } from '../blocks/block-runner.ts';
import { PublicationRaceError } from '../outcome/errors.ts';
import { locateStatement, StatementError } from '../outcome/statement-error.ts';
import { checkTargets } from './check-targets.ts';
import { describeSchema, type PublicationLog } from './publication-log.ts';
import { orderPublications, type PlannedPublication } from './publication-order.ts';
import { type FilePlaces, openPublishedFile, TakenError } from './publish-file.ts';
import type { PublishLocks } from './publish-locks.ts';

export interface PublishOptions extends FilePlaces {
  readonly connection: Connection;
  readonly program: Program;
  readonly context: RunContext;
  readonly runner: BlockRunner;
  /** Opens another session, which ends with the execution; null if another session is not allowed. */
  readonly openSession: () => Promise<Session | null>;
  readonly signal: AbortSignal;
  readonly log: PublicationLog;
  readonly warn: Warn;
  readonly locks: PublishLocks;
  /** Identifies the database, within which the names of targets are unique. */
  readonly database: string;
}

type PublishRequest = Extract<Request, { kind: 'publish' }>;

/**
 * Publishes the blocks of a request, each after the blocks that it reads (docs/reference/publishing.md#order,
 * docs/reference/library.md). Rejects with a DiagnosticError or a StatementError; earlier publications stay, and the
 * failed target is unchanged.
 */
export async function publish(request: PublishRequest, options: PublishOptions): Promise<void> {
  const { program } = options;
  const wantedBlocks = listWanted(request);
  for (const block of wantedBlocks) checkMayPublish(block, options.connection);
  for (const block of [...listInPackages(request), ...request.blocks]) warnOfMetadata(block, options.warn);
  const plan = orderPublications(program, wantedBlocks, request.site);
  await checkTargets(
    plan.map(({ block }) => block),
    request,
    options,
  );
  for (const { block } of plan) warnOfParams(block, options.warn);
  for (const { block } of plan) options.log.waiting.add(block.name);
  if (request.parallel === 1) {
    for (const { block } of plan) await new BlockPublisher(block, options, request.fullRefresh).publish();
    return;
  }
  const sessions = new SessionPool(options);
  await runPlan(plan, request.parallel, async (block) => {
    const session = await sessions.take();
    try {
      const { connection, runner } = session;
      await new BlockPublisher(block, { ...options, connection, runner }, request.fullRefresh).publish();
    } finally {
      sessions.release(session);
    }
  });
}

/** Throws a StatementError at the publication of a block if the session may publish nothing. */
export function checkMayPublish(block: BlockDefinition, { publishing: { refusal } }: Connection): void {
  if (refusal === undefined) return;
  const span = findPublicationSpan(block, 'name');
  const { message } = refusal;
  throw new StatementError(
    refusal,
    createScriptDiagnostic(block.file.file, span, message, 'publication'),
    '',
  );
}

/** The blocks that a request publishes, unordered. Throws a DiagnosticError for a block without a publication. */
export function listWanted(request: PublishRequest): readonly BlockDefinition[] {
  const named = request.blocks.map((block) => {
    if (isPublished(block)) return block;
    throw createScriptError(
      request.site.file.file,
      request.site,
      `the block \`${block.name}\` has no \`:publication\``,
    );
  });
  const all = listInPackages(request);
  return [...all.filter((block) => block.kind === 'block' && isPublished(block)), ...named];
}

function listInPackages({ packages }: PublishRequest): readonly BlockDefinition[] {
  return packages.flatMap((owner) => owner.files.flatMap((file) => listBlocks(owner, file)));
}

interface Session {
  readonly connection: Connection;
  readonly runner: BlockRunner;
}

/**
 * Sessions for parallel publications; each publication has its own session (docs/reference/calls.md#sessions). If no
 * other session is allowed, the pool uses the session of the execution.
 */
class SessionPool {
  readonly #options: PublishOptions;
  readonly #free: Session[] = [];
  readonly #waiting: ((session: Session) => void)[] = [];
  /** The number of sessions, free or in use. */
  #count = 0;

  constructor(options: PublishOptions) {
    this.#options = options;
  }

  async take(): Promise<Session> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const session = (await this.#options.openSession()) ?? (this.#count === 0 ? this.#options : null);
    if (session !== null) {
      this.#count += 1;
      return session;
    }
    const { promise, resolve } = Promise.withResolvers<Session>();
    this.#waiting.push(resolve);
    return promise;
  }

  release(session: Session): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(session);
    else next(session);
  }
}

/**
 * Runs work for each block of a plan after the blocks that it reads, up to `most` in parallel. After the first failure,
 * waits for the running work, then rejects.
 */
async function runPlan(
  plan: readonly PlannedPublication[],
  max: number,
  work: (block: BlockDefinition) => Promise<void>,
): Promise<void> {
  const waiting = [...plan];
  const done = new Set<BlockDefinition['declaration']>();
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const start = ({ block }: PlannedPublication) => {
    const task: Promise<void> = work(block)
      .then(() => void done.add(block.declaration))
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(task));
    running.add(task);
  };
  const isReady = ({ reads }: PlannedPublication) => reads.every(({ declaration }) => done.has(declaration));
  while (running.size > 0 || (waiting.length > 0 && failures.length === 0)) {
    while (running.size < max && failures.length === 0) {
      const next = waiting.findIndex(isReady);
      if (next === -1) break;
      start(elementAt(waiting.splice(next, 1), 0));
    }
    await Promise.race(running);
  }
  if (failures.length > 0) throw failures[0];
}

class BlockPublisher {
  readonly #block: BlockDefinition;
  readonly #options: PublishOptions;
  readonly #fullRefresh: boolean;
  readonly #args: ReadonlyMap<string, Value>;
  readonly #publication: Publication;
  /** The number of rows of the published table, if the database has reported it. */
  #rows: number | null = null;
  /** The schema that was created with the object. */
  #newSchema: string | null = null;

  constructor(block: BlockDefinition, options: PublishOptions, fullRefresh: boolean) {
    this.#block = block;
    this.#options = options;
    this.#fullRefresh = fullRefresh;
    this.#args = settleDefaults(block, options.context);
    this.#publication = notNull(evaluatePublication(block, createScope(options.context, block, this.#args)));
  }

  async publish(): Promise<void> {
    const { log, runner } = this.#options;
    const started = performance.now();
    log.waiting.delete(this.#block.name);
    try {
      await this.#publishInTurn();
      const { type, path: file } = this.#publication;
      const rows = type === 'table' ? (this.#rows ?? (await this.#countRows())) : null;
      const name = file ?? this.#printTarget();
      const seconds = (performance.now() - started) / 1000;
      const report = () => {
        if (this.#newSchema !== null) log.published.push(describeSchema(this.#newSchema, started));
        log.published.push({ name, kind: type, rows, seconds });
      };
      // A file is not a part of the transaction.
      if (file === null) runner.transaction.afterCommit(report);
      else report();
    } catch (error) {
      throw isConflict(error) ? this.#createRace() : error;
    }
  }

  #printTarget(): string {
    return printPublishedName(this.#publication, this.#options.context.dialect);
  }

  /** Null if the table cannot be counted: the publication is valid anyway. */
  async #countRows(): Promise<number | null> {
    const { connection, signal } = this.#options;
    const { physicalConnection = connection } = connection;
    try {
      const counted = await physicalConnection.run(
        `SELECT COUNT(*) AS n FROM ${this.#printTarget()}`,
        signal,
      );
      return await readNumber(counted);
    } catch (error) {
      if (error instanceof DatabaseError && error.code !== 'cancelled') return null;
      throw error;
    }
  }

  async #publishInTurn(): Promise<void> {
    const { connection, locks, database, signal, directory } = this.#options;
    const { path: file, type, schema, name } = this.#publication;
    if (file !== null) {
      return locks.hold(path.resolve(directory, file), signal, () => this.#publishFile());
    }
    const target = await connection.publishing.resolve(schema, notNull(name), signal);
    const publishObject =
      type === 'view' ? () => this.#publishView(target) : () => this.#publishTable(target);
    const schemaLock = [database, target.database, target.schema].join('\0').toLowerCase();
    const publishOwn = () => locks.hold(`${schemaLock}\0${target.name.toLowerCase()}`, signal, publishObject);
    const hasSchema = () => connection.publishing.hasSchema(target, signal);
    // The current schema exists. Two publications that create the same schema at the same time would conflict.
    if (schema === null || (await hasSchema())) return publishOwn();
    await locks.hold(schemaLock, signal, async () => {
      const isMissing = !(await hasSchema());
      await publishOwn();
      if (isMissing) this.#newSchema = target.schema;
    });
  }

  async #publishFile(): Promise<void> {
    const { connection, signal } = this.#options;
    const script = this.#block.file.file.rendered.source.name;
    const file = await this.#locate(() =>
      openPublishedFile(this.#publication, script, this.#options, signal),
    );
    try {
      await this.#locate(async () => {
        await this.#withQuery(null, ({ sql }) => file.write(connection, sql, signal));
        await file.keep(signal);
      });
    } finally {
      file.discard();
    }
  }

  async #publishView(target: PublishedName): Promise<void> {
    const { connection, runner, signal } = this.#options;
    const { start, end } = this.#block.declaration;
    const site = { file: this.#block.file, start, end };
    const query = await runner.inline({ block: this.#block, args: this.#args, site });
    const temporary = await runner.findTemporary(query);
    if (temporary !== null) {
      throw this.#createError(`a published view cannot read the temporary object \`${temporary}\``);
    }
    await this.#warnOfGap(target, 'view');
    await locateStatement(query, () => connection.publishing.replaceView(target, query.sql, signal));
  }

  async #publishTable(target: PublishedName): Promise<void> {
    const { connection, signal } = this.#options;
    const { incremental, primaryKey, uniqueKey, updateOnChangesIn } = this.#publication;
    const isLater =
      incremental !== null &&
      !this.#fullRefresh &&
      (await connection.publishing.find(target, signal)) === 'table';
    const scope = { target: this.#printTarget(), incremental: isLater };
    await this.#warnOfGap(target, !isLater ? 'table' : incremental === 'append' ? 'append' : 'merge');
    await this.#withQuery(scope, async ({ sql }) => {
      const { publishing } = connection;
      if (!isLater) {
        const keys = { primary: primaryKey, unique: uniqueKey };
        this.#rows = await publishing.replaceTable(target, sql, keys, signal);
        return;
      }
      if (incremental === 'append') return publishing.append(target, sql, primaryKey, signal);
      const changes = updateOnChangesIn.length > 0 ? updateOnChangesIn : null;
      return publishing.merge(target, sql, { key: uniqueKey, primary: primaryKey, changes }, signal);
    });
  }

  /** Warns of what others can see of the target while it is published. */
  async #warnOfGap(target: PublishedName, how: PublishingMethod): Promise<void> {
    const { connection, signal, warn } = this.#options;
    const gap = await connection.publishing.check?.(target, how, signal);
    if (gap === null || gap === undefined) return;
    const { file } = this.#block.file;
    const span = findPublicationSpan(this.#block, 'name');
    warn(createScriptDiagnostic(file, span, gap, 'publication', 'warning'));
  }

  /** Runs the block up to its query, and passes the query to `use`. */
  async #withQuery(
    publication: { readonly target: string; readonly incremental: boolean } | null,
    use: (query: Statement) => Promise<void>,
  ): Promise<void> {
    const { runner } = this.#options;
    await runner.isolate(async () => {
      const { last } = await runner.walk(
        this.#block,
        this.#args,
        (pending) => runner.execute(pending),
        publication,
      );
      if (last === null) {
        throw this.#createError(
          `the block \`${this.#block.name}\` has no statement, so it cannot be published`,
        );
      }
      try {
        await runner.use(publication?.incremental === false ? await runner.type(last) : last, use);
      } catch (error) {
        const isRefused = error instanceof StatementError && error.cause.code === 'sql';
        const message = `the block \`${this.#block.name}\` does not end with a query, so it cannot be published`;
        throw isRefused && !runner.isQuery(last) ? this.#createError(message) : error;
      }
    });
  }

  /** Adds the position to an error in the metadata. */
  async #locate<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof PublicationError ? this.#createError(error.message, error.key) : error;
    }
  }

  #createRace(): PublicationRaceError {
    const { path: file, schema, name } = this.#publication;
    const target = file ?? [schema, name].filter((part) => part !== null).join('.');
    const message = `the publication of \`${target}\` failed because something else changed it at the same time: run it again`;
    const span = findPublicationSpan(this.#block, file === null ? 'name' : 'path');
    return new PublicationRaceError([createScriptDiagnostic(this.#block.file.file, span, message)]);
  }

  #createError(message: string, key: string | null = null): Error {
    return createScriptError(this.#block.file.file, findPublicationSpan(this.#block, key), message);
  }
}

/** The single value of a result. */
async function readNumber(result: StatementResult): Promise<number | null> {
  if (result.kind === 'done') return null;
  let value: number | null = null;
  for await (const chunk of result.chunks) {
    if (chunk.rows > 0) value = Number(createReader(elementAt(result.columns, 0).type, chunk.vector(0))(0));
  }
  return value;
}

/** Whether the error is a conflict with another transaction or process. */
function isConflict(error: unknown): boolean {
  const cause = error instanceof StatementError ? error.cause : error;
  return cause instanceof TakenError || (cause instanceof DatabaseError && cause.code === 'conflict');
}

/** Warns of unknown metadata, such as a mistyped key, which the publication ignores. */
function warnOfMetadata({ declaration, file }: BlockDefinition, warn: Warn): void {
  checkWords(file, declaration, (script, span, message, severity) => {
    if (severity === 'warning')
      warn(createScriptDiagnostic(script.file, span, message, 'unknown-word', severity));
  });
}

/** Warns of possible parameters without a value in the name of a published object. */
function warnOfParams(block: BlockDefinition, warn: Warn): void {
  for (const param of findPublicationParams(block)) {
    warn(createScriptDiagnostic(block.file.file, param, describeQuotedParam(param), 'parameter', 'warning'));
  }
}
