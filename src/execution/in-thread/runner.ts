import type { Connection, ConnectionKind, Driver } from '../../engine/connection/contract/connection.ts';
import type { DiskUse } from '../../engine/connection/contract/disk-limit.ts';
import type { Translate } from '../../engine/connection/contract/translate.ts';
import { loadDriver } from '../../engine/connection/drivers.ts';
import { MEMORY } from '../../engine/connection/duckdb/instance/options.ts';
import { FORMATS } from '../../engine/result/formats.ts';
import { createAnswer } from '../../engine/run/outcome/answer.ts';
import { type NanoClock, type Stopwatch, startStopwatch } from '../../engine/run/outcome/clock.ts';
import { createStatementCount, type StatementCount } from '../../engine/run/outcome/statement-count.ts';
import { printTestBody } from '../../engine/run/outcome/test-report.ts';
import { createWarnings, type Warnings } from '../../engine/run/outcome/warnings.ts';
import { askNoOwner } from '../../engine/run/publish/ask-owner.ts';
import {
  createPublicationLog,
  describeUnfinished,
  type PublicationLog,
} from '../../engine/run/publish/publication-log.ts';
import { createResultRecorder } from '../../engine/run/record/result-recorder.ts';
import { runStatements } from '../../engine/run/run-statements.ts';
import { checkTexts, substituteInLongText } from '../../engine/script/params/params.ts';
import { finishInPieces } from '../../engine/text/finish-in-pieces.ts';
import { LEXICAL_RULES } from '../../engine/text/lexical-rules.ts';
import { entryOf } from '../../invariants/must.ts';
import type { Stop } from '../contract/cancellation.ts';
import { failed, toExecutionError } from '../contract/execution-error.ts';
import type { CatalogAccess } from '../contract/host.ts';
import { printLeft } from '../contract/lasting.ts';
import type { ExecutionOutcome } from '../contract/outcome.ts';
import type { ExecutionSink } from '../contract/outlet.ts';
import {
  type ExecutionRequest,
  findTextKind,
  type Inspection,
  isInspection,
  type Work,
} from '../contract/request.ts';
import { createFairScheduler } from './fair-scheduler.ts';
import { KeptSessions, type SessionTurn } from './kept-sessions.ts';
import type { Session } from './open-run.ts';
import type { RunScripts } from './run-scripts.ts';
import { createSessionLimits, createSessions, type Sessions } from './sessions.ts';

/** How long something that is not used stays, in milliseconds. */
interface RunnerLimits {
  /** Open DuckDB files. */
  readonly idleMs: number;
  /** Open transactions of interactive sessions; null: no limit. */
  readonly transactionMs: number | null;
}

/** Executes requests in this thread; statements run in the database's own threads. It has no queue and no deadlines. */
export class Runner {
  readonly #clock: NanoClock;
  readonly #idleMs: number;
  readonly #drivers = new Map<ConnectionKind, Promise<Driver>>();
  readonly #sessionLimits = createSessionLimits();
  readonly #scheduler = createFairScheduler();
  /** The database sessions of interactive sessions. */
  readonly kept: KeptSessions;
  #listDiskUse: Driver['listDiskUse'];
  #scripts: Promise<RunScripts> | undefined;

  constructor(clock: NanoClock, { idleMs, transactionMs }: RunnerLimits) {
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.kept = new KeptSessions(transactionMs);
  }

  /**
   * Executes one request; writes the bytes of the answer to `sink`, which fails with SinkErrors only. Resolves with a
   * failed outcome for every error of a script, a database, a limit or the sink; rejects only for an internal error.
   */
  async run(
    request: ExecutionRequest,
    sink: ExecutionSink,
    stop: Stop,
    access: CatalogAccess,
  ): Promise<ExecutionOutcome> {
    const { lasting } = request;
    if (lasting === undefined) return this.#run(request, sink, stop, access);
    const place = this.kept.enter(lasting, request);
    let isReported = false;
    try {
      const outcome = await this.#run(request, sink, stop, access, place);
      const { lost, ...left } = await place.leave();
      isReported = true;
      return noteLoss({ ...outcome, lasting: left }, lost);
    } finally {
      if (!isReported) await place.leave();
    }
  }

  async #run(
    request: ExecutionRequest,
    sink: ExecutionSink,
    stop: Stop,
    { translate, askOwner = askNoOwner }: CatalogAccess,
    place: SessionTurn | null = null,
  ): Promise<ExecutionOutcome> {
    const watch = startStopwatch(this.#clock, request.started);
    const { work, testPatience } = request;
    const signal =
      testPatience === undefined
        ? stop.signal
        : AbortSignal.any([stop.signal, AbortSignal.timeout(testPatience)]);
    const warnings = createWarnings(request.warnings);
    const { warn } = warnings;
    const log = createPublicationLog((target) => sink.noteTarget?.(target));
    const count = createStatementCount();
    const driver = await this.#driverOf(request.connection.kind);
    const noteQueued = (isQueued: boolean) => sink.noteQueued?.(isQueued);
    const tools = { driver, sessionLimits: this.#sessionLimits, place, translate, warn, signal, noteQueued };
    const sessions = createSessions(request, tools);
    const endProgress = followProgress(sessions, sink);
    const turn = this.#scheduler.enter();
    const { yieldTurn } = turn;
    const { recording, limits, encoder, format, sendsAll = false } = request;
    const answer = createAnswer(sink, {
      createEncoder: FORMATS[format].create,
      encoder,
      maxRows: limits.maxRows ?? Number.POSITIVE_INFINITY,
      sendsAll,
      readStats: watch.read,
      spoolBytes: limits.spoolBytes,
      spoolDirectory: limits.spoolDirectory,
      yieldTurn,
    });
    const recorder =
      recording === undefined
        ? null
        : createResultRecorder(sink, { ...recording, clock: this.#clock, yieldTurn });
    const reporting = { warn, log, count, warnings, watch, sink };
    const session = { ...sessions, ...reporting, answer, recorder, clock: this.#clock, signal, askOwner };
    try {
      const end = await (testPatience !== undefined
        ? testConnection(request, session, stop.signal)
        : isInspection(work)
          ? inspect(request, work, { ...session, translate, openParser: driver.openParser })
          : this.#runWork(request, work, session));
      return { status: 'done', ...end, ...toFindings(warnings, log) };
    } catch (error) {
      const failure = toExecutionError(error, stop);
      await recorder?.finish().catch(() => undefined);
      const notes = [failure.note, describeUnfinished(log)].filter((note) => note !== undefined);
      const noted = notes.length === 0 ? failure : { ...failure, note: notes.join('\n') };
      return { ...failed(watch, noted), ...toTally(count), ...toFindings(warnings, log) };
    } finally {
      endProgress();
      turn.leave();
      await answer.close();
      await sessions.close();
    }
  }

  /** The disk use of databases, as far as it was measured. */
  listDiskUse(): readonly DiskUse[] {
    return this.#listDiskUse?.() ?? [];
  }

  async close(): Promise<void> {
    await this.kept.close();
    for (const driver of this.#drivers.values()) await (await driver).close();
  }

  /** Does the work and ends its answer. */
  async #runWork(
    request: ExecutionRequest,
    work: Exclude<Work, Inspection>,
    { watch, ...session }: RunSession,
  ): Promise<End> {
    const { answer, recorder, sink } = session;
    let tests: End['tests'] = null;
    if (work.kind === 'sql') {
      const { source, isGenerated, copied, bind } = work;
      if (bind !== undefined) {
        const { checkBinds } = await import('../../engine/run/blocks/bind-statement.ts');
        checkBinds(request.connection.kind, request.semantic !== undefined);
      }
      const rendered = await finishInPieces(substituteInLongText(source, request.params), session.signal);
      checkTexts(rendered);
      const lexicalRules = LEXICAL_RULES[findTextKind(request)];
      const warn = isGenerated === true ? () => undefined : session.warn;
      const isLasting = request.lasting?.id != null;
      const connection = await session.connect();
      await runStatements({ ...session, warn, connection, rendered, lexicalRules, isLasting, copied, bind });
    } else tests = await (await this.#loadScripts())(request, work, session);
    const stats = watch.read();
    const findings = toFindings(session.warnings, session.log);
    if (recorder !== null) await recorder.finish();
    else if (work.kind === 'build') await answer.close();
    else if (tests === null) await answer.finish(stats, findings);
    else if (request.format === 'json') {
      await sink.write(Buffer.from(printTestBody(tests, stats, findings)));
    }
    return {
      stats,
      rows: (recorder ?? answer).rows,
      tests,
      ...(answer.others > 0 && { others: answer.others }),
    };
  }

  #driverOf(kind: ConnectionKind): Promise<Driver> {
    const driver = this.#drivers.get(kind) ?? this.#load(kind);
    this.#drivers.set(kind, driver);
    return driver;
  }

  async #load(kind: ConnectionKind): Promise<Driver> {
    const driver = await loadDriver(kind);
    this.#listDiskUse ??= driver.listDiskUse;
    return kind === 'duckdb' && this.#idleMs > 0 ? keepIdleConnections(driver, this.#idleMs) : driver;
  }

  /** Loads the code for scripts on first use; plain SQL does not need it. */
  #loadScripts(): Promise<RunScripts> {
    this.#scripts ??= import('./run-scripts.ts').then((loaded) => loaded.createRunScripts());
    return this.#scripts;
  }
}

/** Adds to the error of a lost connection what was lost with it. */
function noteLoss(outcome: ExecutionOutcome, lost: readonly string[] | null): ExecutionOutcome {
  if (outcome.status === 'done' || lost === null) return outcome;
  const left = lost.length === 0 ? '' : `The session has ended, with ${printLeft(lost)}. `;
  const note = `${left}The next statement opens a new session`;
  return { ...outcome, error: { ...outcome.error, note: outcome.error.note ?? note } };
}

/** How often the progress of an execution is read, in milliseconds. */
const PROGRESS_MS = 500;

/** Tells a sink the progress of the current statement, rounded down to hundredths, until the returned function is called. */
function followProgress({ readProgress }: Pick<Sessions, 'readProgress'>, sink: ExecutionSink): () => void {
  if (sink.noteProgress === undefined) return () => undefined;
  let last: number | null = null;
  const timer = setInterval(() => {
    const progress = readProgress();
    const now = progress === null ? null : Math.floor(progress * 100) / 100;
    if (now !== last) sink.noteProgress?.(now);
    last = now;
  }, PROGRESS_MS).unref();
  return () => clearInterval(timer);
}

/** The end of a successful execution. */
type End = Pick<
  Extract<ExecutionOutcome, { readonly status: 'done' }>,
  'stats' | 'rows' | 'tests' | 'others'
>;

/** The tools of one execution. */
type RunSession = Session & {
  readonly warnings: Warnings;
  readonly watch: Stopwatch;
  readonly sink: ExecutionSink;
};

/** Analyses scripts without running them. */
async function inspect(
  request: ExecutionRequest,
  work: Inspection,
  {
    sink,
    signal,
    watch,
    ...tools
  }: RunSession & Pick<Driver, 'openParser'> & { readonly translate: Translate | undefined },
): Promise<End> {
  const { printInspection } = await import('./print-inspection.ts');
  await sink.write(Buffer.from(await printInspection(request, work, { signal, ...tools })));
  return { stats: watch.read(), rows: null, tests: null };
}

/** Answers with the steps of a test; rejects when `stopped` is aborted. */
async function testConnection(
  request: ExecutionRequest,
  { connect, signal, sink, watch }: RunSession,
  stopped: AbortSignal,
): Promise<End> {
  const { testConnection: test } = await import('./test-connection.ts');
  const body = await test(request, connect, signal);
  stopped.throwIfAborted();
  await sink.write(Buffer.from(JSON.stringify(body)));
  return { stats: watch.read(), rows: null, tests: null };
}

/** Returns the warnings, targets and new schemas of an outcome, if any. */
function toFindings(
  warnings: Warnings,
  { targets, schemas }: PublicationLog,
): Pick<ExecutionOutcome, 'warnings' | 'targets' | 'schemas'> {
  const listing = warnings.list();
  return {
    ...(listing.length > 0 && { warnings: listing }),
    ...(targets.length > 0 && { targets }),
    ...(schemas.length > 0 && { schemas }),
  };
}

/** Returns the numbers of the statements before an error, if there were any. */
function toTally({
  read,
}: StatementCount): Pick<Extract<ExecutionOutcome, { status: 'failed' }>, 'statements'> {
  const statements = read();
  return statements.done + statements.rolledBack > 0 ? { statements } : {};
}

interface IdleSession {
  readonly session: Promise<Connection | null>;
  readonly timer: NodeJS.Timeout;
}

/**
 * Wraps a DuckDB driver: an idle session keeps each file open for `idleMs` after the last connect, because opening a
 * file takes longer than most queries. After that, other processes can open the file.
 */
function keepIdleConnections(driver: Driver, idleMs: number): Driver {
  const idleSessions = new Map<string, IdleSession>();

  async function drop(key: string): Promise<void> {
    const { session, timer } = entryOf(idleSessions, key);
    idleSessions.delete(key);
    clearTimeout(timer);
    await (await session)?.close();
  }

  return {
    readRules: driver.readRules,
    openParser: driver.openParser,
    async connect(spec, signal) {
      const opened = await driver.connect(spec, signal);
      if (spec.options.file === MEMORY) return opened;
      const key = JSON.stringify([spec.name, spec.options]);
      const known = idleSessions.get(key);
      known?.timer.refresh();
      if (known !== undefined) return opened;
      const session = driver
        .connect({ ...spec, overrides: {} }, new AbortController().signal)
        // The error surfaces in the next connect.
        .catch(() => null);
      idleSessions.set(key, { session, timer: setTimeout(() => drop(key), idleMs) });
      return opened;
    },
    async close() {
      await Promise.all([...idleSessions.keys()].map(drop));
      await driver.close();
    },
  };
}
