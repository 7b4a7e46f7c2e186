import { createClock } from '../../src/engine/run/clock.ts';
import { createInThreadHost } from '../../src/execution/in-thread.ts';
import type { ExecutionOutcome } from '../../src/execution/outcome.ts';
import { createRegistry } from '../../src/execution/registry.ts';
import type { ExecutionRequest } from '../../src/execution/request.ts';

/** Runs a text through the whole of our path in this thread; bytes of the answer go to `write`. */
export type Run = (
  text: string,
  format: string,
  write: (bytes: Uint8Array) => void | Promise<void>,
  signal?: AbortSignal,
) => Promise<ExecutionOutcome>;

/** A host over DuckDB with these options of the driver. */
export function runInThread(options: Readonly<Record<string, string>>): {
  readonly run: Run;
  readonly close: () => Promise<void>;
} {
  const host = createInThreadHost({ clock: createClock(), registry: createRegistry() });
  const limits = {
    timeoutMs: null,
    maxRows: null,
    spoolBytes: 0,
    spoolDirectory: '/nowhere',
    publishDirectory: '/nowhere',
  };
  const connection = { name: 'duckdb', kind: 'duckdb', options, overrides: {} } as const;
  const rest = { id: '1', owner: '1', params: {}, connection, encoder: {}, limits };
  return {
    run: (text, format, write, signal = new AbortController().signal) => {
      const request = {
        ...rest,
        work: { kind: 'sql', source: { name: 'bench', text } },
        format,
      } as ExecutionRequest;
      return host.run(request, { write }, signal);
    },
    close: () => host.close(),
  };
}
