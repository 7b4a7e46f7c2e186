import type { Execution, ExecutionRegistry } from '../../execution/registry/registry.ts';
import type { AsyncExecution, AsyncExecutions } from '../../execution/results/async-executions.ts';
import { checkScope } from '../../identity/context/account-context.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { runErrors } from '../api/errors.ts';
import type { ExecutionBody } from '../api/execution-body.ts';
import type { Services } from '../services/services.ts';
import { isUnderWay } from './await-end.ts';

/** The executions that a principal may see. */
export interface ExecutionList {
  /** The principal's running, waiting and kept executions, oldest first; for an administrator, those of all users. */
  list(principal: Principal): readonly ExecutionBody[];
  /** An execution that `list` shows. Throws 404 for any other. */
  get(principal: Principal, id: string): ExecutionBody;
  /**
   * Cancels an execution that `list` shows, or deletes an ended one. Throws 404 for any other, and 403 for a token whose
   * scope does not include `write` unless it has started the execution.
   */
  cancel(principal: Principal, id: string): void;
}

/** Combines running, waiting and kept executions. */
export function createExecutionList(
  registry: ExecutionRegistry,
  asyncExecutions: AsyncExecutions,
  { users }: Pick<Services, 'users'>,
): ExecutionList {
  const printUser = (id: string) => users.findById(id)?.userName ?? id;

  function listOwned({ superUser, userId }: Principal): readonly OwnedBody[] {
    const known = asyncExecutions.list();
    const ids = new Set(known.map(({ id }) => id));
    const others = registry.list().filter(({ id }) => !ids.has(id));
    return [...known.map(toKeptBody), ...others.map(toRunningBody)]
      .filter(({ owner }) => superUser || owner === userId)
      .sort((one, other) => (one.requested_at < other.requested_at ? -1 : 1));
  }

  function list(principal: Principal): readonly ExecutionBody[] {
    return listOwned(principal).map(({ owner, token: _, ...body }) => ({ ...body, user: printUser(owner) }));
  }

  function find<Body extends { readonly id: string }>(bodies: readonly Body[], id: string): Body {
    const body = bodies.find((candidate) => candidate.id === id);
    if (body === undefined) throw runErrors.executionNotFound(id);
    return body;
  }

  return {
    list,
    get: (principal, id) => find(list(principal), id),
    cancel(principal, id) {
      const body = find(listOwned(principal), id);
      const { token } = body;
      const isOwn = token !== null && token === principal.origin?.tokenId;
      if (!isOwn) checkScope(principal, 'write');
      if (isUnderWay(body)) registry.cancel(id);
      else asyncExecutions.forget(id);
    },
  };
}

type OwnedBody = Omit<ExecutionBody, 'user'> & Pick<Execution, 'owner' | 'token'>;

function toKeptBody(execution: AsyncExecution): OwnedBody {
  const { id, owner, token, connection, name, state, rows, bytes, tests, progress, error } = execution;
  const { isQueuedByDatabase, isRecorded, targets } = execution;
  const times = {
    requested_at: execution.requestedAt,
    started_at: execution.startedAt,
    ended_at: execution.endedAt,
    kept_until: execution.keptUntil,
  };
  return {
    id,
    owner,
    token,
    connection,
    name,
    state,
    is_queued_by_database: isQueuedByDatabase,
    ...times,
    rows,
    bytes,
    tests,
    progress,
    is_kept: true,
    is_recorded: isRecorded,
    error,
    targets,
  };
}

/** An execution that is not kept after its end. */
function toRunningBody(execution: Execution): OwnedBody {
  const unknown = { endedAt: null, keptUntil: null, rows: null, tests: null, error: null, isRecorded: false };
  const body = toKeptBody({ ...execution, ...unknown });
  return { ...body, is_kept: false };
}
