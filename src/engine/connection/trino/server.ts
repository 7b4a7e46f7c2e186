import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, type DatabaseErrorCode } from '../contract/connection.ts';
import { describeConnectFailure } from '../server/tls.ts';
import type { HttpAnswer, HttpClient } from './http.ts';

const MAX_TEXT = 300;
const UNAUTHORIZED = 401;

/** What a status other than 200 means. */
const MEANINGS: ReadonlyMap<number, readonly [code: DatabaseErrorCode, text: string]> = new Map<
  number,
  readonly [DatabaseErrorCode, string]
>([
  [400, ['sql', 'does not accept the statement']],
  [
    UNAUTHORIZED,
    ['login', 'does not let the user in: check the user and the password, token or certificate'],
  ],
  [403, ['login', 'does not let this user in']],
  [404, ['unreachable', 'does not know the query any longer, or is not a Trino server']],
  [410, ['unreachable', 'has dropped the rows that were to be read next']],
  [413, ['sql', 'does not accept a statement of this length']],
  [431, ['sql', 'does not accept settings and prepared statements of this length']],
  [429, ['unreachable', 'has too many requests']],
]);

/** A Java exception before a message. */
const EXCEPTION = /^[\w.$]+Exception: /;
/** The start of a message about a right that the user does not have. */
const DENIED = 'Access Denied';

/** The error for an answer with another status than 200; `address` is that of the server. */
function describeStatus({ status, body, headers }: HttpAnswer, address: string): DatabaseError {
  const line = toLine(body).replace(EXCEPTION, '');
  if (status !== UNAUTHORIZED && line.startsWith(DENIED)) return new DatabaseError('sql', line);
  const [code, text] = MEANINGS.get(status) ?? ['unreachable', 'cannot answer'];
  const detail = headers.location === undefined ? line : `it redirects to ${headers.location}`;
  const message = `${address} ${text} (status ${status})${detail === '' ? '.' : `: ${detail}`}`;
  return new DatabaseError(code, message);
}

/** The first line of a body that is text. */
function toLine(body: Buffer): string {
  const text = body.toString('utf8', 0, 4 * MAX_TEXT).trim();
  if (text.startsWith('<')) return '';
  const [line = ''] = text.split('\n');
  return line.slice(0, MAX_TEXT);
}

const OK = 200;
const TOO_MANY = 429;
/** Statuses of a server or proxy that cannot answer now. */
const BUSY: ReadonlySet<number> = new Set([502, 503, 504]);
/** Milliseconds before the first repetition of a request, and the longest pause. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 2000;
/** Milliseconds for which a request is repeated while the server cannot answer, and while nothing answers. */
const BUSY_PATIENCE = 60_000;
const LOST_PATIENCE = 10_000;

/** Requests to one Trino server, and to the storage of its results. */
export class TrinoServer {
  readonly #origin: URL;
  readonly #http: HttpClient;
  readonly #storage: HttpClient;
  readonly #patience: number;
  #hasAnswered = false;

  /** `patience` is the time for the first answer, in milliseconds. */
  constructor(origin: URL, http: HttpClient, storage: HttpClient, patience: number) {
    this.#origin = origin;
    this.#patience = patience;
    this.#http = http;
    this.#storage = storage;
  }

  /** The path and query of an address that the server has sent. Throws a DatabaseError for any other server. */
  findPath(address: string): string {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (url?.origin === this.#origin.origin) return url.pathname + url.search;
    const message = `The server sends the rest of the answer from another address (${address.slice(0, 200)}) than ${this.#origin.origin}: connect to that one, or let the proxy keep host, port and scheme.`;
    throw new DatabaseError('unreachable', message);
  }

  /**
   * Sends a statement, once: after an error, it is not known whether the server has it. Only a server that has refused
   * it for now gets it again; `onRefused` is called before and after the wait. Rejects with a DatabaseError.
   */
  async post(
    body: Buffer,
    headers: OutgoingHttpHeaders,
    signal: AbortSignal,
    onRefused: (isWaiting: boolean) => void,
  ): Promise<HttpAnswer> {
    const request = {
      method: 'POST',
      url: this.#resolve('/v1/statement'),
      headers,
      body,
      ...(this.#hasAnswered ? {} : { silence: this.#patience }),
    } as const;
    for (const pauses = new Pauses(); ; ) {
      const answer = await this.#http.send(request, signal).catch((cause: unknown) => {
        throw signal.aborted ? cause : describeConnectFailure(cause, this.#address);
      });
      this.#hasAnswered = true;
      if (answer.status !== TOO_MANY || !pauses.mayRepeat(BUSY_PATIENCE)) return this.#check(answer);
      onRefused(true);
      await pauses.wait(readPause(answer), signal);
      onRefused(false);
    }
  }

  /** Fetches an answer, again if the server or the connection fails: it is kept until the one after it is fetched. */
  async get(path: string, headers: OutgoingHttpHeaders, signal: AbortSignal): Promise<HttpAnswer> {
    return this.#check(await getPatiently(this.#http, this.#resolve(path), headers, signal));
  }

  /** Tells the server that the rows are still wanted. Rejects when it does not answer. */
  async beat(path: string, headers: OutgoingHttpHeaders, signal: AbortSignal): Promise<void> {
    await this.#http.send({ method: 'HEAD', url: this.#resolve(path), headers }, signal);
  }

  /** Cancels a query; returns whether the server knows. Rejects when it does not answer. */
  async cancel(path: string, headers: OutgoingHttpHeaders, signal: AbortSignal): Promise<boolean> {
    const { status } = await this.#http.send({ method: 'DELETE', url: this.#resolve(path), headers }, signal);
    return !isBusy(status);
  }

  /**
   * Fetches a part of a result from its storage, which has another address and gets no credentials but those of this
   * part. Rejects with a DatabaseError, or the error of the connection.
   */
  async download(address: string, headers: OutgoingHttpHeaders, signal: AbortSignal): Promise<Buffer> {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
      throw new DatabaseError(
        'unreachable',
        `The server names a storage that is not one of HTTP: ${address}.`,
      );
    }
    // Servers can also be the storage, or its front.
    const http = url.origin === this.#origin.origin ? this.#http : this.#storage;
    const answer = await getPatiently(http, url, headers, signal);
    if (answer.status === OK) return answer.body;
    throw describeStatus({ ...answer, body: Buffer.alloc(0) }, `The storage of results at ${url.host}`);
  }

  /** Closes all connections. */
  close(): void {
    this.#http.close();
    this.#storage.close();
  }

  get #address(): string {
    const { hostname, port, protocol } = this.#origin;
    return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
  }

  #resolve(path: string): URL {
    return new URL(path, this.#origin);
  }

  #check(answer: HttpAnswer): HttpAnswer {
    if (answer.status !== OK) throw describeStatus(answer, this.#address);
    return answer;
  }
}

async function getPatiently(
  http: HttpClient,
  url: URL,
  headers: OutgoingHttpHeaders,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  for (const pauses = new Pauses(); ; ) {
    const answer = await http.send({ method: 'GET', url, headers }, signal).catch((error: Error) => error);
    if (answer instanceof Error) {
      if (signal.aborted || !pauses.mayRepeat(LOST_PATIENCE)) throw answer;
      await pauses.wait(null, signal);
    } else {
      if (!isBusy(answer.status) || !pauses.mayRepeat(BUSY_PATIENCE)) return answer;
      await pauses.wait(readPause(answer), signal);
    }
  }
}

function isBusy(status: number): boolean {
  return status === TOO_MANY || BUSY.has(status);
}

/** The pauses between repetitions of one request. */
class Pauses {
  readonly #begin = performance.now();
  #next = FIRST_PAUSE;

  /** Whether the request has been repeated for less than this time, in milliseconds. */
  mayRepeat(patience: number): boolean {
    return performance.now() - this.#begin < patience;
  }

  /** Waits as long as the server has asked for, or else longer each time. Rejects when aborted. */
  async wait(asked: number | null, signal: AbortSignal): Promise<void> {
    await sleep(asked ?? this.#next, null, { signal });
    this.#next = Math.min(this.#next * 2, LONGEST_PAUSE);
  }
}

/** The milliseconds that the server asks to wait, within our patience; null if it does not say. */
function readPause({ headers }: HttpAnswer): number | null {
  const seconds = headers['retry-after'];
  if (seconds === undefined || !/^\d{1,9}$/.test(seconds)) return null;
  return Math.min(Number(seconds) * 1000, BUSY_PATIENCE);
}
