import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Sink } from '../../src/engine/result/columns/sink.ts';
import type { FormatName } from '../../src/engine/result/formats.ts';
import { createNanoClock } from '../../src/engine/run/outcome/clock.ts';
import type { ExecutionHost } from '../../src/execution/contract/host.ts';
import type { ExecutionOutcome } from '../../src/execution/contract/outcome.ts';
import { Outlet } from '../../src/execution/contract/outlet.ts';
import type { ExecutionRequest } from '../../src/execution/contract/request.ts';
import {
  createProcessHost,
  type ProcessHost,
  type ProcessHostOptions,
} from '../../src/execution/engine-process/process-host.ts';
import { createInThreadHost } from '../../src/execution/in-thread/in-thread.ts';
import { createRegistry, type RegistryLimits } from '../../src/execution/registry/registry.ts';
import { makeFolder } from '../support/quern.ts';
import { waitUntil, waitUntilBusy } from '../support/waiting.ts';

/** The limits of a registry in which everything runs at once. */
export const NO_LIMITS: RegistryLimits = {
  running: Number.POSITIVE_INFINITY,
  queued: Number.POSITIVE_INFINITY,
  perOwner: Number.POSITIVE_INFINITY,
};

export const never = new AbortController().signal;
export const ENDLESS =
  'select count(*) from range(10000000000) a, range(10000000000) b where a.range + b.range = 7';

/** The differences from the default request. */
export interface Changes {
  readonly id?: string;
  readonly owner?: string;
  readonly token?: string;
  readonly name?: string;
  readonly file?: string;
  readonly format?: FormatName;
  readonly work?: ExecutionRequest['work'];
  readonly params?: ExecutionRequest['params'];
  readonly limits?: Partial<ExecutionRequest['limits']>;
}

/** A request for some SQL; files go to `folder`. */
export function toRequest(text: string, folder: string, changes: Changes = {}): ExecutionRequest {
  const {
    id = 'e1',
    owner = 'u1',
    name = 'test.sql',
    file = ':memory:',
    format = 'csv',
    params = {},
    work,
    limits,
    ...rest
  } = changes;
  return {
    id,
    owner,
    name,
    ...rest,
    params,
    work: work ?? { kind: 'sql', source: { name: 'test.sql', text } },
    connection: { name: 'duckdb', kind: 'duckdb', options: { file }, overrides: {} },
    format,
    encoder: {},
    limits: {
      timeoutMs: null,
      maxSessions: null,
      maxRows: null,
      spoolBytes: 1e9,
      spoolDirectory: folder,
      publishDirectory: folder,
      ...limits,
    },
  };
}

/** Runs SQL and keeps the answer. */
export async function runOn(
  host: ExecutionHost,
  request: ExecutionRequest,
  signal = never,
): Promise<{ readonly outcome: ExecutionOutcome; readonly output: Buffer }> {
  const parts: Uint8Array[] = [];
  const sink = { write: (bytes: Uint8Array) => void parts.push(Buffer.from(bytes)) };
  const outcome = await host.run(request, new Outlet(() => sink), signal);
  return { outcome, output: Buffer.concat(parts) };
}

/** A host in the thread of its caller, which ends with the test. */
export function makeThreadHost() {
  const folder = makeFolder();
  const host = createInThreadHost(createNanoClock());
  onTestFinished(() => host.close());
  return { folder, ...withRuns(host, folder) };
}

/** A host with a separate process, which ends with the test. */
export function makeProcessHost(changes: Partial<ProcessHostOptions> = {}) {
  const folder = makeFolder();
  const sockets = path.join(folder, 'run');
  mkdirSync(sockets, { mode: 0o700 });
  const registry = createRegistry(NO_LIMITS);
  const log: string[] = [];
  const host = createProcessHost({
    clock: createNanoClock(),
    registry,
    folder: sockets,
    memoryCeiling: null,
    threads: 16,
    onCrash: () => undefined,
    log: (line) => log.push(line),
    ...changes,
  });
  onTestFinished(() => host.close());
  return { folder, sockets, registry: changes.registry ?? registry, log, ...withRuns(host, folder) };
}

/** Waits until the process of a host works. */
export async function waitUntilHostBusy(host: Pick<ProcessHost, 'pid'>): Promise<void> {
  await waitUntilBusy(await waitUntil(() => host.pid));
}

/** A host, and functions that run SQL on it: `start` with a given sink, `run` for the answer. */
function withRuns<Host extends ExecutionHost>(host: Host, folder: string) {
  const start = (text: string, own: Changes = {}, sink: Sink = { write: () => {} }, signal = never) =>
    host.run(toRequest(text, folder, own), sink instanceof Outlet ? sink : new Outlet(() => sink), signal);
  const run = async (text: string, own: Changes = {}, signal = never) => {
    const { outcome, output } = await runOn(host, toRequest(text, folder, own), signal);
    return { outcome, output: output.toString() };
  };
  return { host, start, run };
}

/** The error of an execution; throws when it has not failed. */
export function errorOf(outcome: ExecutionOutcome) {
  if (outcome.status !== 'failed') throw new Error('it did not fail');
  return outcome.error;
}
