import { type Clock, formatNanos } from '../../engine/run/outcome/clock.ts';
import type { ExecutionOutcome, FaultCode } from '../../execution/contract/outcome.ts';
import type { Outlet } from '../../execution/contract/outlet.ts';
import { type ExecutionRequest, isInspection } from '../../execution/contract/request.ts';
import type { UserService } from '../../identity/records/users.ts';
import { createTable } from '../../invariants/narrow.ts';
import { OUTCOMES, type Query, type QueryOutcome } from '../../query-log/query.ts';
import { readStatement } from './read-statement.ts';

/** What a recorder is made of. */
export interface RecorderOptions {
  readonly clock: Clock;
  readonly users: Pick<UserService, 'findById'>;
  /** Null where no log is kept; what is counted is counted all the same. */
  readonly record: ((query: Query) => void) | null;
  /** Whether texts are kept, and not their hashes alone. */
  readonly keepsTexts: boolean;
}

/** What was run since the server began. */
export interface Tally {
  readonly ended: Readonly<Record<QueryOutcome, number>>;
  /** Of answers. */
  readonly bytes: number;
}

/** Who asks for what, as it is listed and logged. */
export type LoggedRequest = Pick<ExecutionRequest, 'id' | 'owner' | 'token' | 'session' | 'origin' | 'name'>;

/** An execution that is followed; its signal is aborted when whoever asked has left. */
interface Followed {
  readonly request: ExecutionRequest;
  readonly outlet: Pick<Outlet, 'bytes'>;
  readonly signal: AbortSignal;
}

/** Counts executions, and has each recorded when it has ended. */
export interface Recorder {
  /** Follows one execution from now to its end, by what runs it, and records it. Settles as that does. */
  follow(execution: Followed, run: () => Promise<ExecutionOutcome>): Promise<ExecutionOutcome>;
  /** Records what failed before it could be queued; `connection` is the one that was asked for, if any was. */
  recordUnread(asked: LoggedRequest, connection: string | undefined, outcome: ExecutionOutcome): void;
  readTally(): Tally;
  /** Resolves when all that is under way has been recorded. */
  settle(): Promise<void>;
}

/** A recorder that has counted nothing yet. */
export function createRecorder({ clock, users, record, keepsTexts }: RecorderOptions): Recorder {
  const ended = createTable(OUTCOMES, () => 0);
  const underWay = new Set<Followed>();
  /** Who waits until nothing is under way. */
  let settled: PromiseWithResolvers<void> | null = null;
  let bytes = 0;
  const findName = (id: string) => users.findById(id)?.userName ?? id;

  function note(query: Query): void {
    ended[query.outcome] += 1;
    record?.(query);
  }

  async function conclude({ request: asked, outlet }: Followed, begun: Begun, end: End): Promise<void> {
    const { work, connection, semantic, ...request } = asked;
    const statement = record === null ? null : await readStatement(work, keepsTexts);
    note({
      ...toFacts(request, begun.user),
      connection: isInspection(work) ? null : (semantic ?? connection.name),
      statement,
      requestedAt: begun.requestedAt,
      bytes: outlet.bytes,
      ...end,
    });
  }

  return {
    async follow(followed, run) {
      underWay.add(followed);
      const begun = { requestedAt: formatNanos(clock()), user: findName(followed.request.owner) };
      try {
        const outcome = await run();
        await conclude(followed, begun, toEnd(outcome, followed.signal.aborted));
        return outcome;
      } catch (error) {
        await conclude(followed, begun, { ...BUG, endedAt: formatNanos(clock()) });
        throw error;
      } finally {
        underWay.delete(followed);
        bytes += followed.outlet.bytes;
        if (underWay.size === 0) settled?.resolve();
      }
    },
    recordUnread(asked, connection, outcome) {
      const { stats } = outcome;
      note({
        ...toFacts(asked, findName(asked.owner)),
        connection: connection ?? null,
        statement: null,
        requestedAt: stats.started_at,
        bytes: 0,
        ...toEnd(outcome, false),
        ...UNSTARTED,
      });
    },
    readTally() {
      const ofOthers = [...underWay].reduce((sum, { outlet }) => sum + outlet.bytes, 0);
      return { ended: { ...ended }, bytes: bytes + ofOthers };
    },
    async settle() {
      settled = Promise.withResolvers<void>();
      if (underWay.size > 0) await settled.promise;
    },
  };
}

/** What is known of an execution when it comes. */
interface Begun {
  readonly requestedAt: string;
  readonly user: string;
}

type End = Pick<Query, 'startedAt' | 'endedAt' | 'durationMs' | 'rows' | 'outcome' | 'fault'>;

const UNSTARTED = { startedAt: null, durationMs: 0 } as const;
const BUG = { ...UNSTARTED, rows: null, outcome: 'failed', fault: 'internal' } as const;

function toFacts({ id, owner, token, origin, name }: LoggedRequest, user: string) {
  const { address, requestId } = origin ?? { address: null, requestId: null };
  return { id, user, userId: owner, tokenId: token ?? null, name, address, requestId };
}

/** `hasLeft`: whether who asked was there no more when it ended. */
function toEnd(outcome: ExecutionOutcome, hasLeft: boolean): End {
  const { started_at: startedAt, finished_at: endedAt, duration_ms: durationMs } = outcome.stats;
  const span = { startedAt, endedAt, durationMs };
  if (outcome.status === 'done') return { ...span, rows: outcome.rows, outcome: 'done', fault: null };
  const { code } = outcome.fault;
  const name = toOutcome(code, hasLeft);
  const end: End = { ...span, rows: null, outcome: name, fault: name === 'failed' ? code : null };
  return outcome.neverBegan ? { ...end, ...UNSTARTED } : end;
}

function toOutcome(code: FaultCode, hasLeft: boolean): QueryOutcome {
  if (hasLeft && (code === 'cancelled' || code === 'output')) return 'left';
  return code === 'cancelled' || code === 'timeout' || code === 'lost' ? code : 'failed';
}
