import type { ConnectionKind, Driver } from '../../engine/connection/contract/connection.ts';
import type { DiskUse } from '../../engine/connection/contract/disk-limit.ts';
import type { Translate } from '../../engine/connection/contract/translate.ts';
import { loadDriver } from '../../engine/connection/drivers.ts';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { FORMATS } from '../../engine/result/formats.ts';
import { createAnswer } from '../../engine/run/outcome/answer.ts';
import type { Clock } from '../../engine/run/outcome/clock.ts';
import { type Stopwatch, startStopwatch } from '../../engine/run/outcome/stopwatch.ts';
import { printTestBody } from '../../engine/run/outcome/test-report.ts';
import { createWarnings, type Warnings } from '../../engine/run/outcome/warnings.ts';
import {
  createPublicationLog,
  describeUnfinished,
  type PublicationLog,
} from '../../engine/run/publish/publication-log.ts';
import { runStatements } from '../../engine/run/run-statements.ts';
import { substituteInLongText } from '../../engine/script/params/params.ts';
import { finishInPieces } from '../../engine/text/interruptible.ts';
import { LEXICAL_RULES } from '../../engine/text/lexical-rules.ts';
import type { Stop } from '../contract/cancellation.ts';
import { failed, toFault } from '../contract/fault.ts';
import type { ExecutionOutcome } from '../contract/outcome.ts';
import {
  type ExecutionRequest,
  findTextKind,
  type Inspection,
  isInspection,
  type SqlWork,
  type Work,
} from '../contract/request.ts';
import { createFairScheduler } from './fair-scheduler.ts';
import { keepIdleConnections } from './idle-connections.ts';
import type { RunScripts, Session } from './run-scripts.ts';
import { createSessionLimits } from './session-limits.ts';
import { createSessions } from './sessions.ts';

/** Executes requests in this thread; the database's own threads do the work. It has no queue and knows no deadline. */
export class Runner {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #drivers = new Map<ConnectionKind, Promise<Driver>>();
  readonly #sessionLimits = createSessionLimits();
  readonly #scheduler = createFairScheduler();
  #listDiskUse: Driver['listDiskUse'];
  #scripts: Promise<RunScripts> | undefined;

  /** One that keeps files of DuckDB open for `idleMs` milliseconds when nobody uses them. */
  constructor(clock: Clock, idleMs: number) {
    this.#clock = clock;
    this.#idleMs = idleMs;
  }

  /**
   * Executes one request; bytes of the answer go to `sink`, which fails with SinkErrors only. Resolves with a failed outcome
   * for whatever a script, a database, a limit or the sink can do; rejects only for a bug.
   */
  async run(
    request: ExecutionRequest,
    sink: Sink,
    stop: Stop,
    translate: Translate | undefined,
  ): Promise<ExecutionOutcome> {
    const watch = startStopwatch(this.#clock, request.started);
    const { work } = request;
    const { signal } = stop;
    const warnings = createWarnings(request.warnings);
    const { warn } = warnings;
    const log = createPublicationLog();
    const driver = await this.#driverOf(request.connection.kind);
    const tools = { driver, sessionLimits: this.#sessionLimits, translate, warn, signal };
    const sessions = createSessions(request, tools);
    const turn = this.#scheduler.enter();
    const answer = createAnswer(sink, { ...toAnswerOptions(request), yieldTurn: turn.yieldTurn });
    const session = { ...sessions, answer, clock: this.#clock, warn, log, signal, warnings, watch, sink };
    try {
      const end = await (isInspection(work)
        ? inspect(request, work, session)
        : this.#runWork(request, work, session));
      return { status: 'done', ...end, ...toFound(warnings, log) };
    } catch (error) {
      const fault = toFault(error, stop);
      const notes = [fault.note, describeUnfinished(log)].filter((note) => note !== undefined);
      const noted = notes.length === 0 ? fault : { ...fault, note: notes.join('\n') };
      return { ...failed(watch, noted), ...toFound(warnings, log) };
    } finally {
      turn.leave();
      await answer.close();
      await sessions.close();
    }
  }

  /** What databases use of the disk, as far as that was measured. */
  listDiskUse(): readonly DiskUse[] {
    return this.#listDiskUse?.() ?? [];
  }

  async close(): Promise<void> {
    for (const driver of this.#drivers.values()) await (await driver).close();
  }

  /** Does the work, and ends its answer. */
  async #runWork(
    request: ExecutionRequest,
    work: Exclude<Work, Inspection>,
    { warnings, watch, sink, ...session }: RunSession,
  ): Promise<End> {
    const { answer } = session;
    const tests =
      work.kind === 'sql'
        ? await runSql(request, work, session)
        : await (await this.#loadScripts())(request, work, session);
    const stats = watch.read();
    if (tests === null) await answer.finish(stats, warnings.list());
    else if (request.format === 'json') {
      await sink.write(Buffer.from(printTestBody(tests, stats, warnings.list())));
    }
    return { stats, rows: answer.rows, tests };
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

  /** The code for scripts, which SQL alone does not wait for. */
  #loadScripts(): Promise<RunScripts> {
    this.#scripts ??= import('./run-scripts.ts').then((loaded) => loaded.createRunScripts());
    return this.#scripts;
  }
}

/** How an execution ended that is done. */
type End = Pick<Extract<ExecutionOutcome, { readonly status: 'done' }>, 'stats' | 'rows' | 'tests'>;

/** What one execution is given. */
type RunSession = Session & {
  readonly warnings: Warnings;
  readonly watch: Stopwatch;
  readonly sink: Sink;
};

/** Examines scripts, and runs nothing. */
async function inspect(
  request: ExecutionRequest,
  work: Inspection,
  { sink, signal, watch }: RunSession,
): Promise<End> {
  const { printInspection } = await import('./print-inspection.ts');
  await sink.write(Buffer.from(await printInspection(request, work, signal)));
  return { stats: watch.read(), rows: null, tests: null };
}

async function runSql(
  request: ExecutionRequest,
  { source, isGenerated }: SqlWork,
  session: Session,
): Promise<null> {
  const rendered = await finishInPieces(substituteInLongText(source, request.params), session.signal);
  const lexicalRules = LEXICAL_RULES[findTextKind(request)];
  const warn = isGenerated === true ? () => undefined : session.warn;
  await runStatements({ ...session, warn, connection: await session.connect(), rendered, lexicalRules });
  return null;
}

function toAnswerOptions({ limits, encoder, format }: ExecutionRequest) {
  return {
    createEncoder: FORMATS[format].create,
    encoder,
    maxRows: limits.maxRows ?? Number.POSITIVE_INFINITY,
    spoolBytes: limits.spoolBytes,
    spoolDirectory: limits.spoolDirectory,
  };
}

/** What an outcome tells beside how it ended, which is nothing in most cases. */
function toFound(
  warnings: Warnings,
  { published }: PublicationLog,
): Pick<ExecutionOutcome, 'warnings' | 'published'> {
  const found = warnings.list();
  return { ...(found.length > 0 && { warnings: found }), ...(published.length > 0 && { published }) };
}
