import type { FastifyReply, FastifyRequest } from 'fastify';
import { printPath } from '../http/request-target.ts';

/** How long notes wait for others, in milliseconds, and how many there may be. */
const TOGETHER_MS = 20;
const MAX_COUNT = 1_000;

/** What is kept of a request: never headers, bodies or query strings, which may hold secrets. */
interface RequestNote {
  readonly request_id: string;
  readonly method: string;
  readonly path: string;
  readonly address: string;
  /** User name and token's id; undefined without them. */
  readonly user: string | undefined;
  readonly token: string | null | undefined;
}

/** What is kept of an answer. */
interface AnswerNote extends RequestNote {
  /** When it ended, in milliseconds since 1970. */
  readonly endedAt: number;
  /** Of the route; `unknown` without one. */
  readonly route: string;
  readonly status: number;
  /** From the first byte of the request's headers to the last of the answer. */
  readonly ms: number;
}

/** The answers of the last moments; they are used together, which costs far less than to do so one by one. */
export interface AnswerNotes {
  note(request: FastifyRequest, reply: FastifyReply): void;
  /** Has every note be used, in the order in which they came. */
  each(use: (note: AnswerNote) => void): void;
  /** Uses what there is now. */
  flush(): void;
}

/** No notes yet. */
export function createAnswerNotes(): AnswerNotes {
  const uses: ((note: AnswerNote) => void)[] = [];
  let notes: AnswerNote[] = [];
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const noted = notes;
    notes = [];
    for (const note of noted) for (const use of uses) use(note);
  }

  return {
    note(request, reply) {
      notes.push(toAnswerNote(request, reply));
      if (notes.length >= MAX_COUNT) flush();
      else timer ??= setTimeout(flush, TOGETHER_MS);
    },
    each: (use) => {
      uses.push(use);
    },
    flush,
  };
}

function toAnswerNote(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): AnswerNote {
  return {
    ...toRequestNote(request),
    endedAt: Date.now(),
    route: request.routeOptions.url ?? 'unknown',
    status: statusCode,
    ms: elapsedTime,
  };
}

/** What is kept of a request that has no answer, or none yet. */
export function toRequestNote(request: FastifyRequest): RequestNote {
  const { id, method, ip, principal } = request;
  return {
    request_id: id,
    method,
    path: printPath(request),
    address: ip,
    user: principal?.userName,
    token: principal?.origin?.tokenId,
  };
}
