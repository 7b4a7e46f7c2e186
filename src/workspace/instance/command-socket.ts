import { listenForCalls } from '../../execution/command-socket/call-server.ts';
import type { ExecutionErrorCode, ExecutionOutcome } from '../../execution/contract/outcome.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { toPrincipal } from '../../identity/records/users.ts';
import type { Home } from '../home/home.ts';
import type { Executions } from '../runs/executions.ts';
import type { ServerAnswers, ServerCall } from '../services/server-calls.ts';
import type { Services } from '../services/services.ts';
import type { SignInFiles } from './sign-in-files.ts';

/** The socket where a server accepts commands on its home. */
export interface CommandSocket {
  /** Ends the executions by `stop`, reports that to waiting commands, and then closes the socket. */
  close(stop: () => Promise<void>): Promise<void>;
}

/**
 * Accepts commands of the home's owner. The mode of the socket file keeps other users out
 * (docs/guides/server.md#the-command-line-on-a-running-server), so the acting user that a command names is trusted.
 */
export function openCommandSocket(
  { socket }: Home,
  { users }: Pick<Services, 'users'>,
  { executions, signInFiles }: { readonly executions: Executions; readonly signInFiles: SignInFiles },
  log: (line: string) => void,
): CommandSocket {
  let isStopping = false;
  const findPrincipal = (id: string): Principal | null => {
    const user = users.findById(id);
    return user?.active === true ? toPrincipal(user) : null;
  };
  const server = listenForCalls(
    socket,
    async (given, sink, signal) => {
      const call = given as ServerCall;
      switch (call.kind) {
        case 'run': {
          const outcome = await executions.runSent(call.request, sink, signal);
          return isStopping ? toStopped(outcome) : outcome;
        }
        case 'list': {
          const principal = findPrincipal(call.user);
          return listUnended(executions, principal);
        }
        case 'cancel':
          return cancel(executions, findPrincipal(call.user), call.id) satisfies ServerAnswers['cancel'];
        case 'hold':
          return executions.holdFiles(call.waitMs, () => void sink.write(Buffer.from('.')), signal);
        case 'sign-in-file':
          return signInFiles.create(call) satisfies ServerAnswers['sign-in-file'];
      }
    },
    (error) => log(`commands cannot reach this server: ${error.message}`),
  );
  return {
    async close(stop) {
      isStopping = true;
      await stop();
      await server.close();
    },
  };
}

function cancel(executions: Executions, principal: Principal | null, id: string): boolean {
  if (principal === null || !executions.list(principal).some((execution) => execution.id === id))
    return false;
  executions.cancel(principal, id);
  return true;
}

const ENDED: readonly ExecutionErrorCode[] = ['cancelled', 'lost'];

/** A stopped server is reported neither as a cancellation nor as an internal error. */
function toStopped(outcome: ExecutionOutcome): ExecutionOutcome {
  if (outcome.status === 'done' || !ENDED.includes(outcome.error.code)) return outcome;
  const message = 'the server on this home was stopped; run it again';
  return { ...outcome, error: { ...outcome.error, code: 'lost', message } };
}

/** Lists running and waiting executions. */
function listUnended(executions: Executions, principal: Principal | null): ServerAnswers['list'] {
  if (principal === null) return [];
  return executions
    .list(principal)
    .filter(({ ended_at }) => ended_at === null)
    .map(({ id, user, connection, name, state, is_queued_by_database, requested_at, started_at, bytes }) => {
      return { id, user, connection, name, state, is_queued_by_database, requested_at, started_at, bytes };
    });
}
