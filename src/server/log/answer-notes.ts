import type { FastifyReply, FastifyRequest } from 'fastify';
import { printRequestPath } from '../http/request-target.ts';

/** How many milliseconds notes are collected for one batch, and the maximum of notes in it. */
const TOGETHER_MS = 20;
const MAX_COUNT = 1_000;

/** The logged part of a request: no headers, bodies or query strings, which can contain secrets. */
interface RequestNote {
  readonly request_id: string;
  readonly method: string;
  readonly path: string;
  readonly address: string;
  /** User name and token id; undefined without them. */
  readonly user: string | undefined;
  readonly token: string | null | undefined;
}

/** The logged part of a response. */
interface AnswerNote extends RequestNote {
  /** End time, in milliseconds since 1970. */
  readonly endedAt: number;
  /** URL pattern of the route; `unknown` without one. */
  readonly route: string;
  readonly status: number;
  /** From the first byte of the request's headers to the last byte of the response. */
  readonly ms: number;
}

/** Notes of recent responses, processed in batches because that costs far less than one by one. */
export interface AnswerNotes {
  note(request: FastifyRequest, reply: FastifyReply): void;
  /** Adds a consumer, which receives every note in order. */
  each(use: (note: AnswerNote) => void): void;
  /** Processes all collected notes. */
  flush(): void;
}

/** Creates an empty collection. */
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

/** The logged part of a request without a response. */
export function toRequestNote(request: FastifyRequest): RequestNote {
  const { id, method, ip, principal } = request;
  return {
    request_id: id,
    method,
    path: printRequestPath(request),
    address: ip,
    user: principal?.userName,
    token: principal?.origin?.tokenId,
  };
}
