import type { Connection, Driver } from '../engine/connection/connection.ts';
import { loadDriver } from '../engine/connection/drivers.ts';
import { FORMATS } from '../engine/result/formats.ts';
import type { Sink } from '../engine/result/sink.ts';
import { type Answer, createAnswer } from '../engine/run/answer.ts';
import type { Clock } from '../engine/run/clock.ts';
import { runStatements } from '../engine/run/run-statements.ts';
import { type Stopwatch, startStopwatch } from '../engine/run/stopwatch.ts';
import { substituteParams } from '../engine/script/params.ts';
import { SQL_LEXIS } from '../engine/text/sql-lexis.ts';

import { toFault } from './fault.ts';
import type { ExecutionHost } from './host.ts';
import type { ExecutionFault, ExecutionOutcome } from './outcome.ts';
import type { ExecutionRegistry } from './registry.ts';
import type { ExecutionRequest } from './request.ts';
import { guardSink } from './sink-error.ts';
import { type Stop, startStop } from './stop.ts';

export interface InThreadOptions {
  readonly clock: Clock;
  readonly registry: ExecutionRegistry;
}

/** A host that runs everything in this thread; the database's own threads do the work. */
export function createInThreadHost({ clock, registry }: InThreadOptions): ExecutionHost {
  const drivers = new Map<string, Promise<Driver>>();
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
          runRequest(request, await driverOf(request.connection.kind), guardSink(sink), watch, stop),
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

function entryOf(request: ExecutionRequest, watch: Stopwatch) {
  const { id, owner, connection, source } = request;
  return { id, owner, connection: connection.name, name: source.name, startedAt: watch.startedAt };
}

async function runRequest(
  request: ExecutionRequest,
  driver: Driver,
  sink: Sink,
  watch: Stopwatch,
  stop: Stop,
): Promise<ExecutionOutcome> {
  let connection: Connection | null = null;
  let answer: Answer | null = null;
  try {
    const rendered = substituteParams(request.source, request.params);
    connection = await driver.connect(request.connection, stop.signal);
    const { limits, encoder, format } = request;
    answer = createAnswer(sink, {
      createEncoder: FORMATS[format].create,
      encoder,
      maxRows: limits.maxRows ?? Number.POSITIVE_INFINITY,
      spoolBytes: limits.spoolBytes,
      spoolDirectory: limits.spoolDirectory,
    });
    const lexis = SQL_LEXIS[request.connection.kind];
    await runStatements({ connection, rendered, lexis, answer, signal: stop.signal });
    const stats = watch.read();
    await answer.finish(stats);
    return { status: 'done', stats, rows: answer.rows };
  } catch (error) {
    return failed(watch, toFault(error, stop));
  } finally {
    await answer?.close();
    await connection?.close();
  }
}

function failed(watch: Stopwatch, fault: ExecutionFault): ExecutionOutcome {
  return { status: 'failed', stats: watch.read(), fault };
}
