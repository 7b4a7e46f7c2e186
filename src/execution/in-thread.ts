import type { Driver } from '../engine/connection/connection.ts';
import { loadDriver } from '../engine/connection/drivers.ts';
import { FORMATS } from '../engine/result/formats.ts';
import type { Sink } from '../engine/result/sink.ts';
import { type Answer, createAnswer } from '../engine/run/answer.ts';
import type { Clock } from '../engine/run/clock.ts';
import { runStatements } from '../engine/run/run-statements.ts';
import { type Stopwatch, startStopwatch } from '../engine/run/stopwatch.ts';
import { printTestBody } from '../engine/run/test-report.ts';
import { substituteParams } from '../engine/script/params.ts';
import { SQL_LEXIS } from '../engine/text/sql-lexis.ts';

import { toFault } from './fault.ts';
import type { ExecutionHost } from './host.ts';
import type { ExecutionFault, ExecutionOutcome } from './outcome.ts';
import type { Prepared, PrepareScript } from './prepare-scripts.ts';
import type { ExecutionRegistry } from './registry.ts';
import type { ExecutionRequest, Work } from './request.ts';
import { createSessionLimits, type SessionLimits } from './session-limits.ts';
import { createSessions } from './sessions.ts';
import { guardSink } from './sink-error.ts';
import { type Stop, startStop } from './stop.ts';

export interface InThreadOptions {
  readonly clock: Clock;
  readonly registry: ExecutionRegistry;
}

/** A host that runs everything in this thread; the database's own threads do the work. */
export function createInThreadHost({ clock, registry }: InThreadOptions): ExecutionHost {
  const drivers = new Map<string, Promise<Driver>>();
  const sessionLimits = createSessionLimits();
  let scripts: Promise<PrepareScript> | undefined;
  const loadScripts = () => {
    scripts ??= import('./prepare-scripts.ts').then((loaded) => loaded.createPrepareScript());
    return scripts;
  };
  const driverOf = (kind: ExecutionRequest['connection']['kind']) => {
    const driver = drivers.get(kind) ?? loadDriver(kind);
    drivers.set(kind, driver);
    return driver;
  };
  return {
    async run(request, sink, signal) {
      const watch = startStopwatch(clock);
      const stop = startStop(signal, request.limits.timeoutMs);
      const leave = registry.add(entryOf(request, watch), stop.cancel);
      try {
        return await Promise.race([
          runRequest(
            request,
            { driver: await driverOf(request.connection.kind), clock, loadScripts, sessionLimits },
            guardSink(sink),
            watch,
            stop,
          ),
          stop.stuck.then((fault) => failed(watch, fault)),
        ]);
      } finally {
        stop.end();
        leave();
      }
    },
    async close() {
      for (const driver of drivers.values()) await (await driver).close();
    },
  };
}

const NAMES: { readonly [K in Work['kind']]: (work: Extract<Work, { readonly kind: K }>) => string } = {
  sql: ({ source }) => source.name,
  script: ({ file }) => file,
  block: ({ block }) => block,
  tests: () => 'tests',
};

function entryOf(request: ExecutionRequest, watch: Stopwatch) {
  const { id, owner, connection, work } = request;
  const name = NAMES[work.kind](work as never);
  return { id, owner, connection: connection.name, name, startedAt: watch.startedAt };
}

interface Host {
  readonly driver: Driver;
  readonly clock: Clock;
  readonly sessionLimits: SessionLimits;
  /** The code for scripts, which SQL alone does not wait for. */
  readonly loadScripts: () => Promise<PrepareScript>;
}

async function runRequest(
  request: ExecutionRequest,
  host: Host,
  sink: Sink,
  watch: Stopwatch,
  stop: Stop,
): Promise<ExecutionOutcome> {
  const sessions = createSessions(request, host, stop.signal);
  let answer: Answer | null = null;
  try {
    const prepared = await prepare(request, host);
    answer = createAnswerFor(request, sink);
    const { connect, connectMore } = sessions;
    const tests = await prepared({ connect, connectMore, answer, clock: host.clock, signal: stop.signal });
    const stats = watch.read();
    if (tests === null) await answer.finish(stats);
    else if (request.format === 'json') await sink.write(Buffer.from(printTestBody(tests, stats)));
    return { status: 'done', stats, rows: answer.rows, tests };
  } catch (error) {
    return failed(watch, toFault(error, stop));
  } finally {
    await answer?.close();
    await sessions.close();
  }
}

function createAnswerFor({ limits, encoder, format }: ExecutionRequest, sink: Sink): Answer {
  return createAnswer(sink, {
    createEncoder: FORMATS[format].create,
    encoder,
    maxRows: limits.maxRows ?? Number.POSITIVE_INFINITY,
    spoolBytes: limits.spoolBytes,
    spoolDirectory: limits.spoolDirectory,
  });
}

/** Everything that needs no database; what it resolves with does the rest. */
async function prepare(request: ExecutionRequest, { loadScripts }: Host): Promise<Prepared> {
  const { work, params, connection } = request;
  if (work.kind !== 'sql') return (await loadScripts())(request, work);
  const rendered = substituteParams(work.source, params);
  const lexis = SQL_LEXIS[connection.kind];
  return async (session) => {
    await runStatements({ ...session, connection: await session.connect(), rendered, lexis });
    return null;
  };
}

function failed(watch: Stopwatch, fault: ExecutionFault): ExecutionOutcome {
  return { status: 'failed', stats: watch.read(), fault };
}
