import { type NanoClock, startStopwatch } from '../../engine/run/outcome/clock.ts';
import { type Grace, startCancellation } from '../contract/cancellation.ts';
import { failed } from '../contract/execution-error.ts';
import type { ExecutionHost } from '../contract/host.ts';
import { Runner } from './runner.ts';

/** How long work may continue after a stop before it counts as stuck. */
const GRACE: Grace = { cancelled: 2_000, timeout: 2_000 };

/** A host in the thread of its caller. */
export interface InThreadHost extends ExecutionHost {
  /** Whether something is left in the database session of an interactive session. */
  hasSession(id: string): boolean;
}

/** A host for the executions of one caller: all run at once, in the caller's thread, and end with it. */
export function createInThreadHost(clock: NanoClock): InThreadHost {
  const runner = new Runner(clock, { idleMs: 0, transactionMs: null });
  return {
    async run(request, outlet, signal, access = {}) {
      const cancellation = startCancellation(signal, request.limits, GRACE);
      const watch = startStopwatch(clock);
      outlet.start(watch.startedAt);
      try {
        return await Promise.race([
          runner.run({ ...request, started: watch.started }, outlet, cancellation, access),
          cancellation.stuck.then((error) => failed(watch, error, outlet.targets)),
        ]);
      } finally {
        cancellation.end();
      }
    },
    hasSession: (id) => runner.kept.has(id),
    endSession: (id) => runner.kept.end(id),
    close: () => runner.close(),
  };
}
