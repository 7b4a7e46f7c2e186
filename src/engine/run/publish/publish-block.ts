import path from 'node:path';
import { elementAt, notNull } from '../../../invariants/must.ts';
import type { ColumnChanges } from '../../connection/contract/column-changes.ts';
import {
  DatabaseError,
  type PublishedName,
  type PublishingMethod,
  type StatementResult,
} from '../../connection/contract/connection.ts';
import { createReader } from '../../result/columns/read-value.ts';
import { evaluatePublication, settleDefaults } from '../../script/evaluate/evaluate.ts';
import type { Statement } from '../../script/evaluate/steps.ts';
import {
  type BlockDefinition,
  createScriptDiagnostic,
  createScriptError,
  findPublicationSpan,
} from '../../script/program/program.ts';
import {
  type Publication,
  PublicationError,
  printPlace,
  printPublishedName,
} from '../../script/values/publication.ts';
import { createScope, type RunContext, type Scope } from '../../script/values/scope.ts';
import type { Value } from '../../script/values/value.ts';
import type { Warn } from '../../text/diagnostic.ts';
import { type NanoClock, type Stopwatch, startStopwatch } from '../outcome/clock.ts';
import { PublicationRaceError } from '../outcome/errors.ts';
import { locateStatement, StatementError } from '../outcome/statement-error.ts';
import type { TargetAction, TargetResult } from '../outcome/target-report.ts';
import type { BuildState } from './build-state.ts';
import type { PublicationLog } from './publication-log.ts';
import { type FilePlaces, openPublishedFile, TakenError } from './publish-file.ts';
import type { PublishLocks } from './publish-locks.ts';
import { addRows, createPublishedTable, describeChanges, findAddition } from './publish-rows.ts';
import type { WorkSession } from './session-pool.ts';

const KEPT_HISTORY =
  'a full refresh leaves this history as it is, because its former states are nowhere else; this run adds to it. Rename the table to begin another one';

/** What publications of a run share, and the session of one of them. */
export interface PublisherOptions extends FilePlaces, WorkSession {
  readonly context: RunContext;
  readonly clock: NanoClock;
  readonly signal: AbortSignal;
  readonly log: PublicationLog;
  readonly warn: Warn;
  readonly locks: PublishLocks;
  /** Notes what is published. */
  readonly state: BuildState;
  /** Whether a build has marked the targets, so that each of them is noted in the transaction of its publication. */
  readonly isBuild: boolean;
  /** Identifies the database, within which the names of targets are unique. */
  readonly database: string;
}

/** Publishes one block. */
export class BlockPublisher {
  readonly #block: BlockDefinition;
  readonly #options: PublisherOptions;
  readonly #fullRefresh: boolean;
  readonly #args: ReadonlyMap<string, Value>;
  readonly #publication: Publication;
  /** The number of rows of the published table, if the database has reported it. */
  #rows: number | null = null;
  #action: TargetAction = 'write';
  #changes: ColumnChanges | null = null;
  readonly #watch: Stopwatch;
  /** The schema that was created with the object. */
  #newSchema: string | null = null;

  constructor(block: BlockDefinition, options: PublisherOptions, fullRefresh: boolean) {
    this.#block = block;
    this.#options = options;
    this.#fullRefresh = fullRefresh;
    this.#watch = startStopwatch(options.clock);
    this.#args = settleDefaults(block, options.context);
    this.#publication = notNull(evaluatePublication(block, createScope(options.context, block, this.#args)));
  }

  /**
   * Publishes the block, and resolves with its result. The result of a table or view is reported when its transaction is committed. Rejects with a
   * DiagnosticError or a StatementError; the target is unchanged then.
   */
  async publish(): Promise<TargetResult> {
    const { log, runner } = this.#options;
    log.waiting.delete(this.#block.name);
    try {
      await this.#publishInTurn();
      if (!this.#options.isBuild) await this.#options.state.noteKnown(this.#block, this.#options.connection);
      const { type, path: file } = this.#publication;
      const rows = type === 'table' ? (this.#rows ?? (await this.#countRows())) : null;
      const result = this.describe({ status: 'PUBLISHED', action: this.#action, rows });
      const report = () => {
        const changes = this.#changes && describeChanges(result.name, this.#changes);
        if (changes !== null) this.#warn(changes, 'on_schema_change');
        if (this.#newSchema !== null) log.schemas.push(this.#newSchema);
        log.addTarget(result);
      };
      // A file is not a part of the transaction.
      if (file === null) runner.transaction.afterCommit(report);
      else report();
      return result;
    } catch (error) {
      throw isConflict(error) ? this.#createRace() : error;
    }
  }

  /** The target's result, which ends now. */
  describe(end: Pick<TargetResult, 'status'> & Partial<TargetResult>): TargetResult {
    const name = printPlace(this.#publication, this.#options.context.dialect);
    return describeTarget(this.#block, name, this.#watch, end);
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
        await this.#withQuery({}, ({ sql }) => file.write(connection, sql, signal));
        await file.keep(signal);
      });
      if (this.#options.isBuild) this.#options.state.noteFile(this.#block, notNull(this.#publication.path));
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
    await this.#note(target, async () => {
      await this.#noteAction(target);
      await locateStatement(query, () => connection.publishing.replaceView(target, query.sql, signal));
    });
  }

  async #publishTable(target: PublishedName): Promise<void> {
    const { connection, context, signal } = this.#options;
    const { publishing } = connection;
    const isHistory = this.#publication.incremental === 'history';
    const isLater =
      this.#publication.incremental !== null &&
      (isHistory || !this.#fullRefresh) &&
      (await publishing.find(target, signal)) === 'table';
    if (isLater && this.#fullRefresh) this.#warn(KEPT_HISTORY, 'incremental');
    const addition = findAddition(this.#publication);
    await this.#warnOfGap(target, isLater ? addition : 'table');
    // A history needs all current rows each time.
    const scope = { target: this.#printTarget(), incremental: isLater && !isHistory };
    await this.#withQuery({ scope, isTyped: !isLater }, ({ sql }) =>
      this.#note(target, async () => {
        const rows = { target, query: sql, publication: this.#publication, now: context.now };
        if (isLater) {
          this.#action = addition;
          this.#changes = await addRows(publishing, rows, signal);
          return;
        }
        // DuckDB lists all its tables to find one: here, it replaces the table without a second list.
        await this.#noteAction(target);
        this.#rows = await createPublishedTable(publishing, rows, signal);
      }),
    );
  }

  /** Publishes, and notes it in the same transaction where the database has one. */
  async #note(target: PublishedName, work: () => Promise<void>): Promise<void> {
    const { connection, state, isBuild, signal } = this.#options;
    const note = isBuild ? await state.printNote(this.#block, target, connection) : null;
    if (note === null) return work();
    const { physicalConnection = connection } = connection;
    await connection.publishing.transact(signal, async () => {
      await work();
      await physicalConnection.run(note, signal);
    });
  }

  async #noteAction(target: PublishedName): Promise<void> {
    const { connection, signal } = this.#options;
    this.#action = (await connection.publishing.find(target, signal)) === null ? 'create' : 'replace';
  }

  /** Warns of what others can see of the target while it is published. */
  async #warnOfGap(target: PublishedName, how: PublishingMethod): Promise<void> {
    const { connection, signal } = this.#options;
    const gap = (await connection.publishing.check?.(target, how, signal)) ?? null;
    if (gap !== null) this.#warn(gap, 'name');
  }

  /** Warns of something that the value of a key of the publication means. */
  #warn(message: string, key: string): void {
    const span = findPublicationSpan(this.#block, key);
    this.#options.warn(
      createScriptDiagnostic(this.#block.file.file, span, message, 'publication', 'warning'),
    );
  }

  /** Runs the block up to its query, and passes the query to `use`. */
  async #withQuery(
    { scope = null, isTyped = false }: { readonly scope?: Scope['publication']; readonly isTyped?: boolean },
    use: (query: Statement) => Promise<void>,
  ): Promise<void> {
    const { runner } = this.#options;
    await runner.isolate(async () => {
      const { last } = await runner.walk(
        this.#block,
        this.#args,
        (pending) => runner.execute(pending),
        scope,
      );
      if (last === null) {
        throw this.#createError(
          `the block \`${this.#block.name}\` has no statement, so it cannot be published`,
        );
      }
      try {
        await runner.use(isTyped ? await runner.type(last) : last, use);
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

/** The result of a target, which ends now. */
export function describeTarget(
  block: BlockDefinition,
  name: string,
  watch: Stopwatch,
  end: Pick<TargetResult, 'status'> & Partial<TargetResult>,
): TargetResult {
  const { declaration, file } = block;
  const place = createScriptDiagnostic(file.file, declaration.name ?? declaration, '');
  return {
    name,
    block: block.name,
    package_name: block.package.name,
    action: null,
    rows: null,
    message: null,
    because: null,
    file: place.file,
    line: place.line,
    column: place.column,
    diagnostics: [],
    ...end,
    ...watch.read(),
  };
}
