import type { OutgoingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, openPassage } from './compression.ts';
import { type AnswerFormat, CONTENT_TYPES } from './formats.ts';
import { transferSocket } from './transfer-socket.ts';

/** How many milliseconds the first bytes wait for the end of the response, unless they are more than this. */
const HOLD_MS = 2;
const HOLD_BYTES = 32 * 1024;

/** A response body that is being sent. */
export interface ResponseBody {
  /** Whether the status line was sent. */
  readonly hasBegun: boolean;
  /** Writes bytes; waits for a client that reads slowly, and rejects when it has disconnected. */
  write(bytes: Uint8Array): void | Promise<void>;
  /** Starts the response and shares its socket with another process for the rest; null if that is not possible. */
  transferSocket(): Promise<object | null>;
  /** Ends the response. */
  end(): void;
  /** Drops unsent bytes. If some were sent, closes the connection, so that no client accepts an incomplete result. */
  breakOff(): void;
}

/** The properties of a response that are known when it starts. */
interface AnswerStart {
  readonly format: AnswerFormat;
  /** Start time of the execution. */
  readonly startedAt: string;
}

/** Sets the headers of a result. */
export function setResultHeaders(reply: FastifyReply, { format, startedAt }: AnswerStart): void {
  reply
    .code(200)
    .header('content-type', CONTENT_TYPES[format])
    .header('x-service-execution-started-at', startedAt)
    .header('vary', 'accept, accept-encoding');
}

/**
 * Starts the response of an execution (docs/reference/exec.md#responses). A response that ends shortly after its first
 * bytes is sent with a `Content-Length`; any other is sent in chunks, compressed if the client accepts that.
 */
export function beginAnswer(request: FastifyRequest, reply: FastifyReply, start: AnswerStart): ResponseBody {
  let held: Buffer | null = null;
  let timer: NodeJS.Timeout | undefined;
  let body: Body | null = null;
  let transferred: object | null = null;

  function begin(): Body {
    clearTimeout(timer);
    setResultHeaders(reply, start);
    const opened = openBody(request, reply);
    body = opened;
    if (held !== null) {
      // The next write waits for these bytes, too.
      opened.stream.write(held);
      opened.flush();
    }
    held = null;
    return opened;
  }

  return {
    get hasBegun() {
      return body !== null;
    },
    write(bytes) {
      if (reply.raw.destroyed) throw new Error('the client has disconnected');
      if (body === null && held === null && bytes.length <= HOLD_BYTES) {
        held = Buffer.from(bytes);
        timer = setTimeout(() => reply.raw.destroyed || begin(), HOLD_MS);
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
      reply.send(held ?? Buffer.alloc(0));
    },
    breakOff() {
      clearTimeout(timer);
      if (body !== null) cut(request, transferred !== null);
    },
  };
}

/** The destination of a response that has started. */
interface Body {
  readonly stream: Writable;
  /** Flushes all bytes written so far. */
  flush(): void;
}

/** Sends status and headers; compresses the body if the client accepts that. */
function openBody(request: FastifyRequest, reply: FastifyReply): Body {
  const encoding = chooseEncoding(request);
  if (encoding === null) {
    // Without compression there is no stream to flush.
    reply.hijack();
    reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
    return { stream: reply.raw, flush: () => undefined };
  }
  const passage = openPassage(encoding);
  reply.header('content-encoding', encoding).send(passage.stream);
  return passage;
}

/** Writes bytes, and waits until the stream is done with them. */
function pass({ stream, flush }: Body, bytes: Uint8Array): Promise<void> {
  if (stream.destroyed) throw new Error('the client has disconnected');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const leave = () => reject(new Error('the client has disconnected'));
  stream.once('close', leave);
  stream.write(bytes, (error) => (error ? leave() : resolve()));
  flush();
  return promise.finally(() => stream.off('close', leave));
}

/**
 * Without chunks, as in HTTP/1.0, the end of the connection ends the body, unless the connection is reset. A socket
 * that another process shares stays open there, unless it is shut down.
 */
function cut({ raw: { httpVersion, socket } }: FastifyRequest, isShared: boolean): void {
  if (isShared) socket.destroySoon();
  else if (httpVersion === '1.0' && !(socket instanceof TLSSocket)) socket.resetAndDestroy();
  else socket.destroy();
}
