import type { KeptExecution, KeptExecutions } from '../execution/kept-executions.ts';
import type { ExecutionFault } from '../execution/outcome.ts';
import type { Execution, ExecutionRegistry } from '../execution/registry.ts';
import type { Principal } from '../identity/principal.ts';
import { runErrors } from './errors.ts';
import type { Services } from './services.ts';

/** An execution as its owner may see it; times are in ISO 8601, UTC, with nanoseconds. */
export interface ExecutionBody {
  readonly id: string;
  /** User name. */
  readonly user: string;
  /** Null for one that needs none. */
  readonly connection: string | null;
  /** The script's path, the package and its block, or `sql`. */
  readonly name: string;
  readonly state: KeptExecution['state'];
  readonly requested_at: string;
  /** When its turn came; null while it waits. */
  readonly started_at: string | null;
  /** Null while it has not ended; only one that is kept is there afterwards. */
  readonly ended_at: string | null;
  /** When an ended one is forgotten. */
  readonly kept_until: string | null;
  /** Of the result of one that is done, if it has one. */
  readonly rows: number | null;
  /** Of its answer, so far. */
  readonly bytes: number;
  /** Whether its result can be had later. */
  readonly is_kept: boolean;
  /** Why it failed; null as well of one that failed by a bug. */
  readonly fault: ExecutionFault | null;
}

/** One that runs or waits, as commands show it. */
export type RunningBody = Pick<
  ExecutionBody,
  'id' | 'user' | 'connection' | 'name' | 'state' | 'requested_at' | 'started_at' | 'bytes'
>;

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
  kept: KeptExecutions,
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

function toKeptBody(execution: KeptExecution): OwnedBody {
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
