import type { ConnectionKind } from '../../src/engine/connection/contract/connection.ts';
import { createNanoClock } from '../../src/engine/run/outcome/clock.ts';
import type { ExecutionOutcome } from '../../src/execution/contract/outcome.ts';
import { Outlet } from '../../src/execution/contract/outlet.ts';
import type { ExecutionRequest, Work } from '../../src/execution/contract/request.ts';
import { createInThreadHost } from '../../src/execution/in-thread/in-thread.ts';

type Write = (bytes: Uint8Array) => void | Promise<void>;

/** Runs some work through all layers of Quern in this thread; `write` receives the bytes of the result. */
export type RunWork = (
  work: Work,
  format: string,
  write: Write,
  signal?: AbortSignal,
) => Promise<ExecutionOutcome>;

/** The same for SQL. */
type Run = (text: string, format: string, write: Write, signal?: AbortSignal) => Promise<ExecutionOutcome>;

/** A host over a database with these options of its driver. */
export function runInThread(
  options: Readonly<Record<string, string>>,
  kind: ConnectionKind = 'duckdb',
): {
  readonly run: Run;
  readonly runWork: RunWork;
  readonly close: () => Promise<void>;
} {
  const host = createInThreadHost(createNanoClock());
  const nowhere = '/nowhere';
  const limits = {
    timeoutMs: null,
    maxSessions: null,
    maxRows: null,
    spoolBytes: 0,
    spoolDirectory: nowhere,
    publishDirectory: nowhere,
  };
  const connection = { name: kind, kind, options, overrides: {} };
  const rest = { id: '1', owner: '1', name: 'bench', params: {}, connection, encoder: {}, limits };
  const runWork: RunWork = (work, format, write, signal = new AbortController().signal) =>
    host.run({ ...rest, work, format } as ExecutionRequest, new Outlet(() => ({ write })), signal);
  return {
    run: (text, format, write, signal) =>
      runWork({ kind: 'sql', source: { name: 'bench', text } }, format, write, signal),
    runWork,
    close: () => host.close(),
  };
}
