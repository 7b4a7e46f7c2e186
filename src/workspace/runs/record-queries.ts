import { createHash } from 'node:crypto';
import type { Snapshot } from '../../engine/project/snapshot.ts';
import { formatNanos, type NanoClock } from '../../engine/run/outcome/clock.ts';
import type { ExecutionHost } from '../../execution/contract/host.ts';
import type { ExecutionErrorCode, ExecutionOutcome } from '../../execution/contract/outcome.ts';
import type { Outlet } from '../../execution/contract/outlet.ts';
import {
  type ExecutionRequest,
  findRequestedConnection,
  type SqlWork,
  type Work,
} from '../../execution/contract/request.ts';
import { createTable } from '../../invariants/narrow.ts';
import { type LoggedStatement, OUTCOMES, type Query, type QueryOutcome } from '../../query-log/query.ts';
import { openQueryLog } from '../../query-log/query-log.ts';
import { takeTurn } from '../../turns/take-turn.ts';
import type { Home } from '../home/home.ts';
import type { Services } from '../services/services.ts';

/** Settings of the query log. */
export interface QueryLogSettings {
  /** Whether sources are stored in addition to their hashes. */
  readonly keepsTexts: boolean;
  /** The retention of entries, in days. */
  readonly days: number;
  /** Receives a warning when the log cannot be written. */
  readonly warn: (line: string) => void;
}

/** The sources and target of a recorder. */
interface RecorderOptions {
  readonly clock: NanoClock;
  readonly services: Pick<Services, 'users'>;
  readonly home: Pick<Home, 'queries'>;
  /** Undefined: no log is written; executions are counted anyway. */
  readonly settings: QueryLogSettings | undefined;
}

/** Counts of executions since the start of the server. */
export interface Tally {
  readonly ended: Readonly<Record<QueryOutcome, number>>;
  /** Bytes of results. */
  readonly bytes: number;
}

/** The request as it is listed and logged. */
type LoggedRequest = Pick<ExecutionRequest, 'id' | 'owner' | 'token' | 'session' | 'origin' | 'name'>;

/** Counts executions and records each one at its end. */
export interface Recorder {
  /** Runs and records one execution; its signal is aborted when the caller disconnects. Settles like `host.run`. */
  follow(host: ExecutionHost, ...call: Parameters<ExecutionHost['run']>): Promise<ExecutionOutcome>;
  /** Records a request that failed before it was queued; `connection` is the requested one, if any. */
  recordUnread(logged: LoggedRequest, connection: string | undefined, outcome: ExecutionOutcome): void;
  readTally(): Tally;
  /** Closes the log when all executions in progress are recorded. */
  close(): Promise<void>;
}

/** Creates a recorder with zero counts, and opens its log. */
export function createRecorder({ clock, services, home, settings }: RecorderOptions): Recorder {
  const { users } = services;
  const log = settings && openQueryLog({ ...settings, file: home.queries, clock: () => new Date() });
  const ended = createTable(OUTCOMES, () => 0);
  const underWay = new Set<Outlet>();
  /** The pending `close` call. */
  let settled: PromiseWithResolvers<void> | null = null;
  let bytes = 0;
  const findName = (id: string) => users.findById(id)?.userName ?? id;

  function note({ id, owner, token, origin, name }: LoggedRequest, facts: QueryFacts): void {
    const { address, requestId } = origin ?? { address: null, requestId: null };
    ended[facts.outcome] += 1;
    log?.record({ id, userId: owner, tokenId: token ?? null, name, address, requestId, ...facts });
  }

  async function conclude(
    request: ExecutionRequest,
    { bytes: sent }: Outlet,
    start: QueryStart,
    end: End,
  ): Promise<void> {
    const statement = settings === undefined ? null : await readStatement(request.work, settings.keepsTexts);
    note(request, {
      ...start,
      connection: findRequestedConnection(request),
      statement,
      bytes: sent,
      ...end,
    });
  }

  return {
    async follow(host, ...call) {
      const [request, outlet, signal] = call;
      underWay.add(outlet);
      const start = { requestedAt: formatNanos(clock()), user: findName(request.owner) };
      try {
        const outcome = await host.run(...call);
        await conclude(request, outlet, start, toEnd(outcome, signal.aborted));
        return outcome;
      } catch (error) {
        await conclude(request, outlet, start, { ...BUG, endedAt: formatNanos(clock()) });
        throw error;
      } finally {
        underWay.delete(outlet);
        bytes += outlet.bytes;
        if (underWay.size === 0) settled?.resolve();
      }
    },
    recordUnread(logged, connection, outcome) {
      const { stats } = outcome;
      note(logged, {
        user: findName(logged.owner),
        connection: connection ?? null,
        statement: null,
        requestedAt: stats.started_at,
        bytes: 0,
        ...toEnd(outcome, false),
        ...UNSTARTED,
      });
    },
    readTally() {
      const ofOthers = [...underWay].reduce((sum, outlet) => sum + outlet.bytes, 0);
      return { ended: { ...ended }, bytes: bytes + ofOthers };
    },
    async close() {
      settled = Promise.withResolvers<void>();
      if (underWay.size > 0) await settled.promise;
      log?.close();
    },
  };
}

/** An entry of the log without what the request contains. */
type QueryFacts = Omit<Query, 'id' | 'userId' | 'tokenId' | 'name' | 'address' | 'requestId'>;

/** The data of an execution at its start. */
type QueryStart = Pick<QueryFacts, 'requestedAt' | 'user'>;

type End = Pick<Query, 'startedAt' | 'endedAt' | 'durationMs' | 'rows' | 'outcome' | 'fault'>;

const UNSTARTED = { startedAt: null, durationMs: 0 } as const;
const BUG = { ...UNSTARTED, rows: null, outcome: 'failed', fault: 'internal' } as const;

/** `hasLeft`: whether the caller had disconnected when it ended. */
function toEnd(outcome: ExecutionOutcome, hasLeft: boolean): End {
  const { started_at: startedAt, finished_at: endedAt, duration_ms: durationMs } = outcome.stats;
  const span = { startedAt, endedAt, durationMs };
  if (outcome.status === 'done') return { ...span, rows: outcome.rows, outcome: 'done', fault: null };
  const { code } = outcome.error;
  const name = toOutcome(code, hasLeft);
  const end: End = { ...span, rows: null, outcome: name, fault: name === 'failed' ? code : null };
  return outcome.neverBegan ? { ...end, ...UNSTARTED } : end;
}

function toOutcome(code: ExecutionErrorCode, hasLeft: boolean): QueryOutcome {
  if (hasLeft && (code === 'cancelled' || code === 'output')) return 'left';
  return code === 'cancelled' || code === 'timeout' || code === 'lost' ? code : 'failed';
}

/** The maximum of stored characters of a source. */
const MAX_TEXT_LENGTH = 16_384;

/** The number of characters that are hashed before the event loop continues. */
const PIECE = 256 * 1024;

/**
 * The statement for the query log, before parameters are substituted. For packages, blocks and tests it is only the
 * hash of their scripts.
 */
async function readStatement(work: Work, keepsText: boolean): Promise<LoggedStatement> {
  const text = work.kind === 'sql' ? work.source.text : findText(work);
  if (text === null) return { hash: await hashTexts(listTexts(work)), text: null };
  return {
    hash: await hashTexts([text]),
    text: keepsText ? text.slice(0, MAX_TEXT_LENGTH).toWellFormed() : null,
  };
}

function findText(work: Exclude<Work, SqlWork>): string | null {
  if (work.kind !== 'script') return null;
  return listFiles(work.snapshot).find(({ name }) => name === work.file)?.text ?? null;
}

/** Names and contents of files; the length before each content separates them. */
function listTexts(work: Work): readonly string[] {
  if (work.kind === 'sql') return [];
  return listFiles(work.snapshot).flatMap(({ name, text }) => [JSON.stringify([name, text.length]), text]);
}

async function hashTexts(texts: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  let characters = 0;
  for (const text of texts) {
    for (let at = 0; at < text.length; ) {
      const end = at + PIECE;
      const splitsPair = /[\ud800-\udbff]/.test(text.charAt(end - 1));
      const piece = text.slice(at, splitsPair ? end + 1 : end);
      hash.update(piece);
      at += piece.length;
      characters += piece.length;
      if (characters < PIECE) continue;
      await takeTurn();
      characters = 0;
    }
  }
  return hash.digest('hex');
}

function listFiles({ needs: [root], packages }: Snapshot) {
  return packages.find(({ id }) => id === root.id)?.files ?? [];
}
