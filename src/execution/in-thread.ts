import type { Connection, ConnectionSpec, Driver } from '../engine/connection/connection.ts';
import { loadDriver } from '../engine/connection/drivers.ts';
import { FORMATS } from '../engine/result/formats.ts';
import type { Sink } from '../engine/result/sink.ts';
import { type Answer, createAnswer } from '../engine/run/answer.ts';
import type { Clock } from '../engine/run/clock.ts';
import { createPublishLocks, type PublishLocks } from '../engine/run/publish-locks.ts';
import { runBlock, runScript, type ScriptJob } from '../engine/run/run-script.ts';
import { runStatements } from '../engine/run/run-statements.ts';
import { runTests, type TestsJob } from '../engine/run/run-tests.ts';
import { selectTests } from '../engine/run/select-tests.ts';
import { type Stopwatch, startStopwatch } from '../engine/run/stopwatch.ts';
import { printTestBody, type TestResult } from '../engine/run/test-report.ts';
import { loadProgram } from '../engine/script/load-program.ts';
import { substituteParams } from '../engine/script/params.ts';
import { createParseCache, type ParseCache } from '../engine/script/parse-cache.ts';
import { createRunContext } from '../engine/script/render.ts';
import { SQL_DIALECT } from '../engine/text/sql-dialect.ts';
import { SQL_LEXIS } from '../engine/text/sql-lexis.ts';

import { toFault } from './fault.ts';
import type { ExecutionHost } from './host.ts';
import type { ExecutionFault, ExecutionOutcome } from './outcome.ts';
import type { ExecutionRegistry } from './registry.ts';
import type { ExecutionRequest, Work } from './request.ts';
import { guardSink } from './sink-error.ts';
import { type Stop, startStop } from './stop.ts';

export interface InThreadOptions {
  readonly clock: Clock;
  readonly registry: ExecutionRegistry;
}

/** A host that runs everything in this thread; the database's own threads do the work. */
export function createInThreadHost({ clock, registry }: InThreadOptions): ExecutionHost {
  const drivers = new Map<string, Promise<Driver>>();
  const cache = createParseCache();
  const locks = createPublishLocks();
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
            { driver: await driverOf(request.connection.kind), clock, cache, locks },
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
  readonly cache: ParseCache;
  readonly locks: PublishLocks;
}

async function runRequest(
  request: ExecutionRequest,
  host: Host,
  sink: Sink,
  watch: Stopwatch,
  stop: Stop,
): Promise<ExecutionOutcome> {
  const connections: Connection[] = [];
  let answer: Answer | null = null;
  const connect = async () => {
    const opened = await host.driver.connect(request.connection, stop.signal);
    connections.push(opened);
    return opened;
  };
  try {
    const prepared = prepare(request, host);
    answer = createAnswerFor(request, sink);
    const tests = await prepared({ connect, answer, clock: host.clock, signal: stop.signal });
    const stats = watch.read();
    if (tests === null) await answer.finish(stats);
    else if (request.format === 'json') await sink.write(Buffer.from(printTestBody(tests, stats)));
    return { status: 'done', stats, rows: answer.rows, tests };
  } catch (error) {
    return failed(watch, toFault(error, stop));
  } finally {
    await answer?.close();
    for (const connection of connections) await connection.close();
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

type Session = Pick<ScriptJob, 'answer' | 'clock' | 'signal'> & Pick<TestsJob, 'connect'>;

/** Everything that needs no database; what it returns does the rest. */
function prepare(
  { work, params, connection, limits }: ExecutionRequest,
  { cache, locks }: Host,
): (session: Session) => Promise<readonly TestResult[] | null> {
  const lexis = SQL_LEXIS[connection.kind];
  if (work.kind === 'sql') {
    const rendered = substituteParams(work.source, params);
    return async (session) => {
      await runStatements({ ...session, connection: await session.connect(), rendered, lexis });
      return null;
    };
  }
  const program = loadProgram(work.snapshot, params, cache);
  const dialect = SQL_DIALECT[connection.kind];
  if (work.kind === 'tests') {
    const { selection, parallel, failFast } = work;
    const tests = selectTests(program, selection);
    return ({ connect, clock, signal }) => {
      const context = createRunContext(program, dialect, Number(clock() / 1_000_000n));
      return runTests({ tests, connect, context, lexis, clock, signal, parallel, failFast });
    };
  }
  const publishing = { directory: limits.publishDirectory, locks, database: printDatabase(connection) };
  return async (session) => {
    const job = { ...session, connection: await session.connect(), program, dialect, lexis, publishing };
    return work.kind === 'block' ? runBlock({ ...job, ...work }) : runScript({ ...job, file: work.file });
  };
}

/** What tells a connection's database from others, in which published objects have names. */
function printDatabase({ kind, options, overrides }: ConnectionSpec): string {
  return JSON.stringify([kind, options, overrides]);
}

function failed(watch: Stopwatch, fault: ExecutionFault): ExecutionOutcome {
  return { status: 'failed', stats: watch.read(), fault };
}
