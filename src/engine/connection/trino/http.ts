import http from 'node:http';
import https from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { join } from './blocks.ts';

/** Maximum bytes of an answer: the server sends pages of 16 MB, or one row that is longer. */
const MAX_BYTES = 512 * 1024 * 1024;
/** Maximum bytes of the headers of an answer, which carry prepared statements. */
const MAX_HEADER_BYTES = 256 * 1024;
/** Milliseconds after which an unused connection is closed, before the server closes it in mid-request. */
const IDLE = 4000;
/** Milliseconds without a byte after which a request fails. */
const SILENCE = 120_000;

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'HEAD' | 'DELETE';
  readonly url: URL;
  readonly headers: http.OutgoingHttpHeaders;
  readonly body?: Buffer;
  /** Milliseconds without a byte after which the request fails; default: `SILENCE`. */
  readonly silence?: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Connections to servers, which are kept open between requests. */
export class HttpClient {
  readonly #patience: number;
  readonly #plain: http.Agent;
  readonly #encrypted: https.Agent;

  /** `tls` are the settings of encrypted connections; `patience` is the time for each to open, in milliseconds. */
  constructor(tls: ConnectionOptions, patience: number) {
    const settings = { keepAlive: true, timeout: IDLE, scheduling: 'lifo' } as const;
    this.#patience = patience;
    this.#plain = new http.Agent(settings);
    this.#encrypted = new https.Agent({ ...settings, ...tls });
  }

  /** Sends a request and reads the whole answer. Rejects with the error of the connection. */
  send(
    { method, url, headers, body, silence = SILENCE }: HttpRequest,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const isEncrypted = url.protocol === 'https:';
    const request = (isEncrypted ? https : http).request(url, {
      agent: isEncrypted ? this.#encrypted : this.#plain,
      method,
      headers: body === undefined ? headers : { ...headers, 'content-length': String(body.length) },
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
      timeout: silence,
    });
    this.#limitOpening(request, isEncrypted ? 'secureConnect' : 'connect');
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    request.on('timeout', () => request.destroy(createTimeout()));
    request.on('error', reject);
    request.on('response', (response) => readBody(response).then(resolve, reject));
    request.end(body);
    return promise;
  }

  #limitOpening(request: http.ClientRequest, opened: 'connect' | 'secureConnect'): void {
    request.on('socket', (socket) => {
      if (!socket.connecting) return;
      const timer = setTimeout(() => request.destroy(createTimeout()), this.#patience);
      for (const event of [opened, 'close']) socket.once(event, () => clearTimeout(timer));
    });
  }

  /** Closes all connections. */
  close(): void {
    this.#plain.destroy();
    this.#encrypted.destroy();
  }
}

function createTimeout(): Error {
  return Object.assign(new Error('the server does not answer'), { code: 'ETIMEDOUT' });
}

async function readBody(response: http.IncomingMessage): Promise<HttpAnswer> {
  const { statusCode = 0, headers } = response;
  const length = Number(headers['content-length'] ?? 0);
  if (length > MAX_BYTES) throw new Error(`an answer is longer than ${MAX_BYTES} bytes`);
  // A body of a known length is copied as it arrives, so that it does not exist twice at its end.
  let block: Buffer | null = null;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    if (length > 0) block ??= Buffer.allocUnsafeSlow(length);
    if (block === null) parts.push(part);
    else part.copy(block, size);
    size += part.length;
    if (size > MAX_BYTES) throw new Error(`an answer is longer than ${MAX_BYTES} bytes`);
  }
  return { status: statusCode, headers, body: block ?? join(parts) };
}
