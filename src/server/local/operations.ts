import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { notNull } from '../../invariants/must.ts';
import type { RunningBody } from '../../workspace/api/execution-body.ts';
import { homeAt } from '../../workspace/home/home.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import type { Executions } from '../../workspace/runs/executions.ts';
import type { LocalCalls } from '../../workspace/services/local-calls.ts';
import { readServerFile } from '../../workspace/services/server-file.ts';
import type { ReadStatus } from '../health/server-status.ts';

/** How an operation is called. */
interface Caller {
  readonly principal: Principal;
  /** Writes bytes of the response; waits for a caller that reads slowly, and rejects when it has disconnected. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** The operations below `/local/`. */
export type LocalOperations = {
  readonly [Name in keyof LocalCalls]: (
    input: LocalCalls[Name]['input'],
    caller: Caller,
  ) => LocalCalls[Name]['answer'] | Promise<LocalCalls[Name]['answer']>;
};

/** The operations on an instance of a home; `findStatus` returns null while the server starts. */
export function createOperations(
  home: string,
  { executions, signInFiles, backups }: Instance,
  findStatus: () => ReadStatus | null,
): LocalOperations {
  const running = notNull(executions);
  return {
    async run(request, { principal, write, signal }) {
      return explainRules(await running.runSent(principal, request, { write }, signal), home);
    },
    'keep-session': (id, { principal, write, signal }) =>
      running.keepSession(principal, id, () => void write(Buffer.from('.')).catch(() => {}), signal),
    list: (_, { principal }) => listUnended(running, principal),
    cancel(id, { principal }) {
      running.cancel(principal, id);
      return true;
    },
    // A caller that has disconnected ends the hold.
    hold: (waitMs, { write, signal }) =>
      running.holdFiles(waitMs, () => void write(Buffer.from('.')).catch(() => {}), signal),
    async status(_, { principal }) {
      const readStatus = findStatus();
      return readStatus === null ? null : await readStatus(principal);
    },
    backups: (_, { principal }) => backups.list(principal),
    'delete-backup': async (name, { principal }) => {
      await backups.delete(principal, name);
      return true as const;
    },
    'sign-in-file'({ script }) {
      const url = findUrl(home);
      const loopback = url === null ? null : toLoopbackUrl(url);
      return { url, path: loopback === null ? null : signInFiles.create({ url: loopback, script }) };
    },
  };
}

/** Lists running and waiting executions. */
function listUnended(executions: Executions, principal: Principal): readonly RunningBody[] {
  return executions
    .list(principal)
    .filter(({ ended_at }) => ended_at === null)
    .map((execution) => {
      const { id, user, connection, name, state, is_queued_by_database, requested_at } = execution;
      const { started_at, bytes, progress } = execution;
      return {
        ...{ id, user, connection, name, state, is_queued_by_database, requested_at },
        ...{ started_at, bytes, progress },
      };
    });
}

/** The address that this process listens on; null while it starts. */
function findUrl(home: string): string | null {
  const file = readServerFile(home);
  return file?.pid === process.pid ? file.url : null;
}

/** The address of a server at the loopback interface; null if it does not listen there. */
function toLoopbackUrl(address: string): string | null {
  const url = new URL(address);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.hostname === '[::1]' || url.hostname.startsWith('127.') ? url.origin : null;
}

/** Adds a hint to errors that the server's rules for SQL cause. */
function explainRules(outcome: ExecutionOutcome, home: string): ExecutionOutcome {
  if (outcome.status === 'done' || outcome.error.code !== 'gate') return outcome;
  const server = [`process ${process.pid}`, findUrl(home) ?? []].flat().join(', ');
  const note = `A server runs on this home (${server}), and its rules for SQL apply to this command, too: stop it, or move the files to read below ${homeAt(home).files}.`;
  return { ...outcome, error: { ...outcome.error, note } };
}
