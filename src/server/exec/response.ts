import type { OutgoingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, openPassage } from './compression.ts';
import { type AnswerFormat, CONTENT_TYPES } from './formats.ts';
import { transferSocket } from './transfer-socket.ts';

/** For how long the first bytes of an answer wait for its end, in milliseconds, unless they are more than this. */
const HOLD_MS = 2;
const HOLD_BYTES = 32 * 1024;

/** The body of one answer on its way to the client. */
export interface ResponseBody {
  /** Whether its status has been sent. */
  readonly hasBegun: boolean;
  /** Takes bytes; waits for a client that reads slowly, and rejects when it has gone. */
  write(bytes: Uint8Array): void | Promise<void>;
  /** Begins it, and lends its connection to another process for the rest; null where that cannot be. */
  transferSocket(): Promise<object | null>;
  /** Ends it well. */
  end(): void;
  /** Forgets what has not been sent; where something has, cuts the connection, so that no part counts as the whole. */
  breakOff(): void;
}

/** What is known of an answer when it begins. */
interface AnswerStart {
  readonly format: AnswerFormat;
  /** When its execution began. */
  readonly startedAt: string;
}

/** Says what an answer is. */
export function setResultHeaders(reply: FastifyReply, { format, startedAt }: AnswerStart): void {
  reply
    .code(200)
    .header('content-type', CONTENT_TYPES[format])
    .header('x-service-execution-started-at', startedAt)
    .header('vary', 'accept, accept-encoding');
}

/**
 * Begins the answer of an execution (interface 2.5, 4.3). One that is done within moments of
 * its first bytes is sent at once, with its length; any other goes out in chunks, compressed for who asks for it.
 */
export function beginAnswer(request: FastifyRequest, reply: FastifyReply, start: AnswerStart): ResponseBody {
  let held: Uint8Array | null = null;
  let timer: NodeJS.Timeout | undefined;
  let body: Body | null = null;
  let transferred: object | null = null;

  function begin(): Body {
    clearTimeout(timer);
    setResultHeaders(reply, start);
    const opened = openBody(request, reply);
    body = opened;
    // Whoever writes next waits for these, too.
    if (held !== null) opened.stream.write(held);
    opened.flush();
    held = null;
    return opened;
  }

  return {
    get hasBegun() {
      return body !== null;
    },
    write(bytes) {
      if (reply.raw.destroyed) throw new Error('the client has left');
      if (body === null && held === null) {
        held = bytes;
        if (bytes.length > HOLD_BYTES) begin();
        else timer = setTimeout(() => reply.raw.destroyed || begin(), HOLD_MS);
        return;
      }
      return pass(body ?? begin(), bytes);
    },
    async transferSocket() {
      const { stream } = body ?? begin();
      transferred = stream === reply.raw ? await transferSocket(reply.raw) : null;
      return transferred;
    },
    end() {
      clearTimeout(timer);
      if (body !== null) {
        body.stream.end();
        return;
      }
      setResultHeaders(reply, start);
      reply.send(Buffer.from(held ?? new Uint8Array()));
    },
    breakOff() {
      clearTimeout(timer);
      if (body !== null) cut(request, transferred !== null);
    },
  };
}

/** Where the bytes of an answer go that has begun. */
interface Body {
  readonly stream: Writable;
  /** Lets go of what has been written. */
  flush(): void;
}

/** Sends the head of an answer, whose body is compressed for who asks for it. */
function openBody(request: FastifyRequest, reply: FastifyReply): Body {
  const encoding = chooseEncoding(request);
  if (encoding === null) {
    // Nothing stands between.
    reply.hijack();
    reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
    return { stream: reply.raw, flush: () => undefined };
  }
  const passage = openPassage(encoding);
  reply.header('content-encoding', encoding).send(passage.stream);
  return passage;
}

function pass({ stream, flush }: Body, bytes: Uint8Array): void | Promise<void> {
  if (stream.destroyed) throw new Error('the client has left');
  const hasRoom = stream.write(bytes);
  flush();
  if (!hasRoom) return untilDrained(stream);
}

function untilDrained(stream: Writable): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const leave = () => reject(new Error('the client has left'));
  stream.once('drain', resolve).once('close', leave);
  return promise.finally(() => stream.off('drain', resolve).off('close', leave));
}

/**
 * Without chunks, as in HTTP/1.0, the end of a connection is that of the body, unless the connection is reset. One that
 * another process has, too, stays open there, unless it is shut down.
 */
function cut({ raw: { httpVersion, socket } }: FastifyRequest, isShared: boolean): void {
  if (isShared) socket.destroySoon();
  else if (httpVersion === '1.0' && !(socket instanceof TLSSocket)) socket.resetAndDestroy();
  else socket.destroy();
}
