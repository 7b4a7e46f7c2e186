import type { Connection, ConnectionKind, Driver } from '../../engine/connection/contract/connection.ts';
import type { DiskUse } from '../../engine/connection/contract/disk-limit.ts';
import type { Translate } from '../../engine/connection/contract/translate.ts';
import { loadDriver } from '../../engine/connection/drivers.ts';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { FORMATS } from '../../engine/result/formats.ts';
import { type Answer, createAnswer } from '../../engine/run/outcome/answer.ts';
import type { Clock } from '../../engine/run/outcome/clock.ts';
import type { Stopwatch } from '../../engine/run/outcome/stopwatch.ts';
import { printTestBody } from '../../engine/run/outcome/test-report.ts';
import { createWarnings, type Warnings } from '../../engine/run/outcome/warnings.ts';
import {
  createPublicationLog,
  describeUnfinished,
  type PublicationLog,
} from '../../engine/run/publish/publication-log.ts';
import { runStatements } from '../../engine/run/run-statements.ts';
import { substituteInLongText } from '../../engine/script/params/params.ts';
import type { Warn } from '../../engine/text/diagnostic.ts';
import { finishInPieces } from '../../engine/text/interruptible.ts';
import { LEXICAL_RULES } from '../../engine/text/lexical-rules.ts';
import { present } from '../../invariants/must.ts';
import type { Cancellation, Grace } from '../contract/cancellation.ts';
import { toFault } from '../contract/fault.ts';
import type { ExecutionHost } from '../contract/host.ts';
import type { ExecutionOutcome } from '../contract/outcome.ts';
import {
  type ExecutionRequest,
  findTextKind,
  type Inspection,
  isInspection,
  type Work,
} from '../contract/request.ts';
import type { ExecutionRegistry } from '../registry/registry.ts';
import { failed, runInTurn } from '../registry/run-in-turn.ts';
import { createFairScheduler, type FairScheduler, type Turn } from './fair-scheduler.ts';
import { keepIdleConnections } from './idle-connections.ts';
import type { Prepared, PrepareScript } from './prepare-scripts.ts';
import { createSessionLimits, type SessionLimits } from './session-limits.ts';
import { createSessions, type Sessions } from './sessions.ts';

export interface InThreadOptions {
  readonly clock: Clock;
  readonly registry: ExecutionRegistry;
  /** When work that was told to stop counts as stuck, though it goes on; null: never. Two seconds if not given. */
  readonly grace?: Grace | null;
  /** Milliseconds for which files of DuckDB stay open when nobody uses them; none if not given. */
  readonly idleMs?: number;
}

const GRACE: Grace = { cancelled: 2_000, timeout: 2_000 };

/** What `createInThreadHost` makes. */
interface InThreadHost extends ExecutionHost {
  /** What databases use of the disk, as far as that was measured. */
  listDiskUse(): readonly DiskUse[];
}

/** A host that runs everything in this thread; the database's own threads do the work. */
export function createInThreadHost(options: InThreadOptions): InThreadHost {
  const { clock, registry, grace = GRACE, idleMs = 0 } = options;
  const drivers = new Map<string, Promise<Driver>>();
  const sessionLimits = createSessionLimits();
  const scheduler = createFairScheduler();
  let scripts: Promise<PrepareScript> | undefined;
  const loadScripts = () => {
    scripts ??= import('./prepare-scripts.ts').then((loaded) => loaded.createPrepareScript());
    return scripts;
  };
  const load = async (kind: ConnectionKind) => {
    const driver = await loadDriver(kind);
    listDiskUse ??= driver.listDiskUse;
    return kind === 'duckdb' && idleMs > 0 ? keepIdleConnections(driver, idleMs) : driver;
  };
  let listDiskUse: Driver['listDiskUse'];
  const driverOf = (kind: ConnectionKind) => {
    const driver = drivers.get(kind) ?? load(kind);
    drivers.set(kind, driver);
    return driver;
  };
  return {
    run: (request, sink, signal, translate) =>
      runInTurn({ clock, registry, grace }, request, sink, signal, async ({ sink, watch, cancellation }) =>
        Promise.race([
          runRequest(
            request,
            {
              driver: await driverOf(request.connection.kind),
              clock,
              loadScripts,
              sessionLimits,
              scheduler,
              translate,
            },
            sink,
            watch,
            cancellation,
          ),
          cancellation.stuck.then((fault) => failed(watch, fault)),
        ]),
      ),
    listDiskUse: () => listDiskUse?.() ?? [],
    async close() {
      for (const driver of drivers.values()) await (await driver).close();
    },
  };
}

interface Host {
  readonly driver: Driver;
  readonly clock: Clock;
  readonly sessionLimits: SessionLimits;
  readonly scheduler: FairScheduler;
  /** Of a request on a semantic connection. */
  readonly translate: Translate | undefined;
  /** The code for scripts, which SQL alone does not wait for. */
  readonly loadScripts: () => Promise<PrepareScript>;
}

async function runRequest(
  request: ExecutionRequest,
  host: Host,
  sink: Sink,
  watch: Stopwatch,
  cancellation: Cancellation,
): Promise<ExecutionOutcome> {
  const sessions = createSessions(request, host, cancellation.signal);
  const turn = host.scheduler.enter();
  const warnings = createWarnings(request.warnings);
  const log = createPublicationLog();
  let answer: Answer | null = null;
  try {
    const { work } = request;
    if (isInspection(work)) {
      const { printInspection } = await import('./print-inspection.ts');
      await sink.write(Buffer.from(await printInspection(request, work, cancellation.signal)));
      return { status: 'done', stats: watch.read(), rows: null, tests: null, ...toFound(warnings) };
    }
    const prepared = await prepare(request, work, host, cancellation.signal);
    answer = createAnswerFor(request, sink, turn);
    const { clock } = host;
    const { warn } = warnings;
    const tests = await prepared({
      ...(await openSessions(request, host, sessions, warn)),
      answer,
      clock,
      warn,
      log,
      signal: cancellation.signal,
    });
    const stats = watch.read();
    if (tests === null) await answer.finish(stats, warnings.list());
    else if (request.format === 'json') {
      await sink.write(Buffer.from(printTestBody(tests, stats, warnings.list())));
    }
    return { status: 'done', stats, rows: answer.rows, tests, ...toFound(warnings), ...toPublished(log) };
  } catch (error) {
    const fault = toFault(error, cancellation);
    const notes = [fault.note, describeUnfinished(log)].filter((note) => note !== undefined);
    const noted = notes.length === 0 ? fault : { ...fault, note: notes.join('\n') };
    return { ...failed(watch, noted), ...toFound(warnings), ...toPublished(log) };
  } finally {
    turn.leave();
    await answer?.close();
    await sessions.close();
  }
}

/** The sessions of a request, which take Semantic SQL on a semantic connection. */
async function openSessions(
  { semantic }: ExecutionRequest,
  { translate }: Host,
  { connect, connectMore }: Sessions,
  warn: Warn,
): Promise<Pick<Sessions, 'connect' | 'connectMore'>> {
  if (semantic === undefined) return { connect, connectMore };
  const { createTranslatingConnection } = await import(
    '../../engine/connection/semantic/translating-connection.ts'
  );
  const wrap = (own: Connection) => createTranslatingConnection(own, present(translate), warn);
  return {
    connect: async () => wrap(await connect()),
    async connectMore() {
      const more = await connectMore();
      return more && wrap(more);
    },
  };
}

function toPublished({ published }: PublicationLog): Pick<ExecutionOutcome, 'published'> {
  return published.length === 0 ? {} : { published };
}

/** The warnings of an outcome, which has none in most cases. */
function toFound(warnings: Warnings): Pick<ExecutionOutcome, 'warnings'> {
  const found = warnings.list();
  return found.length === 0 ? {} : { warnings: found };
}

function createAnswerFor({ limits, encoder, format }: ExecutionRequest, sink: Sink, turn: Turn): Answer {
  return createAnswer(sink, {
    createEncoder: FORMATS[format].create,
    encoder,
    maxRows: limits.maxRows ?? Number.POSITIVE_INFINITY,
    spoolBytes: limits.spoolBytes,
    spoolDirectory: limits.spoolDirectory,
    yieldTurn: turn.yieldTurn,
  });
}

/** Everything that needs no database; what it resolves with does the rest. */
async function prepare(
  request: ExecutionRequest,
  work: Exclude<Work, Inspection>,
  { loadScripts }: Host,
  signal: AbortSignal,
): Promise<Prepared> {
  const { params } = request;
  if (work.kind !== 'sql') return (await loadScripts())(request, work, signal);
  const rendered = await finishInPieces(substituteInLongText(work.source, params), signal);
  const lexicalRules = LEXICAL_RULES[findTextKind(request)];
  return async (session) => {
    const warn = work.isGenerated === true ? () => undefined : session.warn;
    await runStatements({ ...session, warn, connection: await session.connect(), rendered, lexicalRules });
    return null;
  };
}
