import type { FastifyInstance, FastifyRequest } from 'fastify';
import { serverErrors } from '../errors.ts';
import { type BodyBudget, createBodyBudget } from './body-budget.ts';
import { createBodyPieces } from './body-pieces.ts';
import { type BodyReader, createBodyReader } from './body-reader.ts';
import type { JsonOptions } from './json-reading.ts';
import { receiveBody, receiveSmallBody } from './receive-body.ts';
import { createJsonScan, MAX_VALUES } from './scan-json.ts';

/** Bodies up to this many bytes are parsed without further checks, because that is always fast. */
const SMALL_BODY = 64 * 1024;

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Parses the body of a request as JSON; undefined for an empty one. Rejects with a ServiceError: 400, 413, 429,
     * 503.
     */
    readonly parseJson: (request: FastifyRequest, options?: JsonOptions) => Promise<unknown>;
    /** The JSON of a long response. Rejects with a ThreadError. */
    readonly printJson: (request: FastifyRequest, value: object) => Promise<Buffer>;
  }
  interface FastifyRequest {
    /** Aborts when a request with a large body ends, with or without a response; null for other requests. */
    over: AbortSignal | null;
  }
  interface FastifyContextConfig {
    /** The fields that a route reads from its body, all strings; other fields are not transferred. */
    readonly texts?: readonly string[];
    /** The fields that it accepts as UTF-8 bytes if they are long and well-formed. */
    readonly byteTexts?: readonly string[];
  }
}

/**
 * Accepts only JSON bodies (docs/reference/http-api.md#formats): other media types are refused with 415 before the body
 * is read. Large bodies are scanned while they arrive, and refused if parsing would delay other requests. The total
 * size of large bodies is bounded, and slow ones are parsed in another thread.
 */
export function parseBodies(app: FastifyInstance): void {
  const budget = createBodyBudget();
  const reader = createBodyReader();
  // At this point every request has ended.
  app.server.once('close', () => void reader.close());
  app.decorateRequest('over', null);
  app.decorate('parseJson', (request: FastifyRequest, options: JsonOptions = {}) =>
    parseJson(request, options, budget, reader),
  );
  app.decorate('printJson', (request: FastifyRequest, value: object) =>
    reader.print(value, findCaller(request)),
  );
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request: FastifyRequest) => app.parseJson(request));
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { headers } = request;
    const encoding = headers['content-encoding'] ?? 'identity';
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
    if (hasBody && encoding.toLowerCase() !== 'identity') throw serverErrors.encoded(encoding);
    if (hasBody && !isSmall(request)) {
      const over = new AbortController();
      request.over = over.signal;
      reply.raw.once('close', () => over.abort());
    }
    done(null, payload);
  });
}

async function parseJson(
  request: FastifyRequest,
  options: JsonOptions,
  budget: BodyBudget,
  reader: BodyReader,
): Promise<unknown> {
  const caller = findCaller(request);
  const signal = request.over ?? new AbortController().signal;
  const { texts, byteTexts } = request.routeOptions.config;
  const pieces = createBodyPieces();
  const arrived = { pieces, options, texts, byteTexts, caller, signal };
  if (isSmall(request)) {
    pieces.add(await receiveSmallBody(request));
    return reader.read({ ...arrived, values: 0 });
  }
  const json = createJsonScan();
  const claim = budget.claim(caller);
  signal.addEventListener('abort', () => claim.release(), { once: true });
  try {
    await receiveBody(request, (piece) => {
      const excess = json.scan(piece);
      if (excess === 'depth') return serverErrors.malformedJson('it is nested too deeply');
      if (excess === 'values') return serverErrors.tooManyValues(MAX_VALUES);
      if (!claim.add(piece.length)) return serverErrors.tooManyLargeBodies();
      pieces.add(piece);
      return null;
    });
    return await reader.read({ ...arrived, values: json.values });
  } finally {
    pieces.drop();
  }
}

function isSmall({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length'] ?? Number.NaN) <= SMALL_BODY;
}

/** The sender of a body: the user, or the address before sign-in. */
function findCaller(request: FastifyRequest): string {
  return (request.principal as FastifyRequest['principal'] | undefined)?.userId ?? request.ip;
}
