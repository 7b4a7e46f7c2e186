import type { Execution, ExecutionRegistry } from '../../execution/registry/registry.ts';
import type { AsyncExecution, AsyncExecutions } from '../../execution/results/async-executions.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { runErrors } from '../api/errors.ts';
import type { ExecutionBody } from '../api/execution-body.ts';
import type { Services } from '../services/services.ts';

/** What may be known of executions, by whom. */
export interface ExecutionList {
  /** One's own that run, wait or are kept, oldest first; those of everybody for an administrator. */
  list(principal: Principal): readonly ExecutionBody[];
  /** One that `list` shows. Throws 404 for any other. */
  get(principal: Principal, id: string): ExecutionBody;
}

/** The list over those that run and those that are kept. */
export function createExecutionList(
  registry: ExecutionRegistry,
  kept: AsyncExecutions,
  { users }: Pick<Services, 'users'>,
): ExecutionList {
  const printUser = (id: string) => users.findById(id)?.userName ?? id;

  function list({ superUser, userId }: Principal): readonly ExecutionBody[] {
    const known = kept.list();
    const ids = new Set(known.map(({ id }) => id));
    const others = registry.list().filter(({ id }) => !ids.has(id));
    return [...known.map(toKeptBody), ...others.map(toRunningBody)]
      .filter(({ owner }) => superUser || owner === userId)
      .map(({ owner, ...body }) => ({ ...body, user: printUser(owner) }))
      .sort((one, other) => (one.requested_at < other.requested_at ? -1 : 1));
  }

  return {
    list,
    get(principal, id) {
      const found = list(principal).find((execution) => execution.id === id);
      if (found === undefined) throw runErrors.executionNotFound(id);
      return found;
    },
  };
}

type OwnedBody = Omit<ExecutionBody, 'user'> & { readonly owner: string };

function toKeptBody(execution: AsyncExecution): OwnedBody {
  const { id, owner, connection, name, state, rows, bytes, fault } = execution;
  const times = {
    requested_at: execution.requestedAt,
    started_at: execution.startedAt,
    ended_at: execution.endedAt,
    kept_until: execution.keptUntil,
  };
  return { id, owner, connection, name, state, ...times, rows, bytes, is_kept: true, fault };
}

/** One that is gone when it has ended. */
function toRunningBody(execution: Execution): OwnedBody {
  const body = toKeptBody({ ...execution, endedAt: null, keptUntil: null, rows: null, fault: null });
  return { ...body, is_kept: false };
}
