import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, type NoteQueued } from '../contract/connection.ts';
import { createCancelled, toLostError } from '../server/errors.ts';
import type { ClientSession } from './client-session.ts';
import type { HttpAnswer } from './http.ts';
import { type Envelope, type ResultPage, type Rows, readPage, type SpooledData } from './page.ts';
import type { TrinoServer } from './server.ts';
import { ENCODINGS, SegmentLoad } from './spooling.ts';

const NEVER = new AbortController().signal;
/** States of a query that waits for its turn on the server. */
const QUEUED: ReadonlySet<string> = new Set(['QUEUED', 'WAITING_FOR_RESOURCES']);
/** Answers with rows that are fetched before the rows of the last one are read. */
const PAGES_AHEAD = 1;
/** Parts of a result in a storage that are fetched before the rows of the last one are read. */
const SEGMENTS_AHEAD = 3;
/** Milliseconds between two signs of life for a query whose rows are not read; servers wait for 5 minutes. */
const HEARTBEAT = 5000;

/** Milliseconds in which a server says how a query can be cancelled; it does so at once. */
const ANSWER_PATIENCE = 1000;

/** How the requests of a session are sent. */
export interface QueryContext {
  readonly server: TrinoServer;
  readonly state: ClientSession;
  /** Headers that prove who the user is. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Whether the server may send rows through a storage. */
  readonly spooling: boolean;
  /** Receives whether the server has the statement of the session in a queue. */
  readonly noteQueued: NoteQueued;
}

/** Some rows of a result, with what the server says about the query. */
export interface Portion extends Rows {
  readonly envelope: Envelope;
  /** Whether nothing follows. */
  readonly isLast: boolean;
}

/** An arrival: rows, or the error instead of them. */
type Arrival = { readonly portion: Portion } | { readonly failure: DatabaseError };

/** A part of a result that is not read yet, with what its last portion says. */
interface PendingSegment {
  readonly load: SegmentLoad;
  readonly about: Pick<Portion, 'envelope' | 'isLast'>;
}

/** The place of some rows in their order; `arrival` is null until they arrive, `segment` when nothing follows them here. */
interface Slot {
  arrival: Arrival | null;
  segment: PendingSegment | null;
  isLoading: boolean;
}

/**
 * One query of a server: a statement is sent once, and its answers are fetched one by one, some of them before they are
 * read.
 */
export class TrinoQuery {
  readonly #context: QueryContext;
  readonly #stop = new AbortController();
  /** Resolves when it is known how to cancel the query. */
  readonly #cancelReadiness = Promise.withResolvers<void>();
  /** Whether the server has refused the statement for now. */
  #isRefused = false;
  #isQueued = false;
  readonly #queue: Slot[] = [];
  #limit = PAGES_AHEAD;
  #onArrival: (() => void) | null = null;
  #onRoom: (() => void) | null = null;
  /** The path of the next answer; null before the first and after the last one. */
  #next: string | null = null;

  constructor(context: QueryContext) {
    this.#context = context;
  }

  start(statement: string): void {
    void this.#fetchAll(statement);
  }

  /** The next rows, if they have arrived; else null. */
  take(): Arrival | null {
    const [slot] = this.#queue;
    if (slot === undefined || slot.arrival === null) return null;
    const { arrival } = slot;
    slot.arrival = null;
    if (slot.segment === null) this.#queue.shift();
    this.#loadNext();
    this.#onRoom?.();
    return arrival;
  }

  /** Whether the next thing that has arrived is an error. */
  get failsNext(): boolean {
    const arrival = this.#queue[0]?.arrival ?? null;
    if (arrival === null) return false;
    return 'failure' in arrival || arrival.portion.envelope.error !== undefined;
  }

  /** Resolves when something has arrived. */
  async wait(): Promise<void> {
    if ((this.#queue[0]?.arrival ?? null) !== null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onArrival = resolve;
    await promise;
  }

  /** Cancels the query; resolves when the server knows, or cannot be reached. Never rejects. */
  async cancel(): Promise<void> {
    if (this.#isRefused) this.abort();
    await Promise.race([this.#cancelReadiness.promise, sleep(ANSWER_PATIENCE, null, { ref: false })]);
    const path = this.#next;
    const isKnown =
      // A query starts when its first answer is fetched, so that one without an answer to its statement never starts.
      path === null ||
      // A request that fails is repeated.
      (await this.#context.server.cancel(path, this.#identify(), NEVER).catch(() => false));
    if (isKnown) this.abort();
  }

  /** Ends all requests. */
  abort(): void {
    this.#stop.abort();
    this.#cancelReadiness.resolve();
    this.#onRoom?.();
  }

  async #fetchAll(statement: string): Promise<void> {
    const { server } = this.#context;
    const { signal } = this.#stop;
    try {
      let page = this.#read(await this.#post(statement));
      while (this.#next !== null) {
        this.#enqueue(page);
        await this.#waitForRoom();
        page = this.#read(await server.get(this.#next, this.#identify(), signal));
      }
      this.#enqueue(page);
    } catch (error) {
      this.#noteQueued(false);
      this.#next = null;
      this.#cancelReadiness.resolve();
      this.#put(this.#add(), { failure: this.#toFailure(error) });
    }
  }

  #post(statement: string): Promise<HttpAnswer> {
    const { server, state, spooling } = this.#context;
    const headers = {
      ...this.#identify(),
      ...state.print(),
      ...(spooling ? { 'x-trino-query-data-encoding': ENCODINGS } : {}),
      'content-type': 'text/plain; charset=utf-8',
    };
    return server.post(Buffer.from(statement), headers, this.#stop.signal, (isWaiting) => {
      this.#isRefused = isWaiting;
      this.#noteQueued(isWaiting);
    });
  }

  /** Reads an answer, and what it says about the session and the next answer. Throws a DatabaseError. */
  #read({ headers, body }: HttpAnswer): ResultPage {
    const { server, state } = this.#context;
    state.notice(headers);
    const page = readPage(body);
    const { nextUri, stats } = page.envelope;
    this.#noteQueued(QUEUED.has(stats?.state ?? ''));
    this.#next = nextUri === undefined ? null : server.findPath(nextUri);
    this.#cancelReadiness.resolve();
    return page;
  }

  #noteQueued(isQueued: boolean): void {
    if (isQueued === this.#isQueued) return;
    this.#isQueued = isQueued;
    this.#context.noteQueued(isQueued);
  }

  #enqueue({ envelope, bytes, start, end }: ResultPage): void {
    const isLast = this.#next === null;
    const { data } = envelope;
    if (data === undefined || data.segments.length === 0) {
      this.#put(this.#add(), { portion: { envelope, bytes, start, end, isLast } });
      return;
    }
    this.#limit = SEGMENTS_AHEAD;
    this.#enqueueSegments(data, envelope, isLast);
  }

  #enqueueSegments({ encoding, segments }: SpooledData, envelope: Envelope, isLast: boolean): void {
    const about = { envelope, isLast };
    segments.forEach((segment, i) => {
      const isEnd = i === segments.length - 1;
      const load = new SegmentLoad(this.#context.server, encoding, segment, this.#stop.signal);
      this.#add({ load, about: isEnd ? about : toEarlier(about) });
    });
    this.#loadNext();
  }

  /** Fetches the parts that are read next, and the next rows of the first one; an answer can name any number of them. */
  #loadNext(): void {
    for (const { segment } of this.#queue.slice(0, SEGMENTS_AHEAD)) segment?.load.fetch();
    const [slot] = this.#queue;
    if (slot === undefined || slot.segment === null || slot.arrival !== null || slot.isLoading) return;
    slot.isLoading = true;
    void this.#load(slot, slot.segment);
  }

  async #load(slot: Slot, { load, about }: PendingSegment): Promise<void> {
    const arrival = await load.next().then(
      (rows): Arrival => ({ portion: { ...(rows.isPartial ? toEarlier(about) : about), ...rows } }),
      (error: unknown): Arrival => ({ failure: this.#toFailure(error) }),
    );
    slot.isLoading = false;
    if ('failure' in arrival || !arrival.portion.isPartial) slot.segment = null;
    this.#put(slot, arrival);
  }

  #add(segment: PendingSegment | null = null): Slot {
    const slot = { arrival: null, segment, isLoading: false };
    this.#queue.push(slot);
    return slot;
  }

  #put(slot: Slot, arrival: Arrival): void {
    slot.arrival = arrival;
    this.#onArrival?.();
    this.#onArrival = null;
  }

  /** Waits until some rows are read, with signs of life for the server. Rejects when aborted. */
  async #waitForRoom(): Promise<void> {
    const heart = setInterval(() => void this.#beat(), HEARTBEAT).unref();
    try {
      while (this.#queue.length >= this.#limit && !this.#stop.signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#onRoom = resolve;
        await promise;
      }
    } finally {
      clearInterval(heart);
    }
    this.#stop.signal.throwIfAborted();
  }

  async #beat(): Promise<void> {
    const path = this.#next;
    if (path === null) return;
    await this.#context.server.beat(path, this.#identify(), this.#stop.signal).catch(() => {});
  }

  #toFailure(error: unknown): DatabaseError {
    if (this.#stop.signal.aborted) return createCancelled();
    return error instanceof DatabaseError ? error : toLostError(error as Error);
  }

  #identify(): OutgoingHttpHeaders {
    const { credentials, state } = this.#context;
    return {
      ...credentials,
      'x-trino-user': state.userHeader,
      'user-agent': 'quern',
      'accept-encoding': 'identity',
    };
  }
}

/** What rows say behind which others of their answer follow: an error belongs behind all rows. */
function toEarlier({ envelope }: PendingSegment['about']): PendingSegment['about'] {
  const { error: _, ...fine } = envelope;
  return { envelope: fine, isLast: false };
}
