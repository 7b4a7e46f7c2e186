import type { FastifyInstance, FastifyRequest } from 'fastify';
import { serverErrors } from '../errors.ts';
import { type BodyBudget, createBodyBudget } from './body-budget.ts';
import { type BodyReader, createBodyReader } from './body-reader.ts';
import type { JsonOptions } from './json-reading.ts';
import { receiveBody } from './receive-body.ts';
import { createJsonScan, MAX_VALUES } from './scan-json.ts';

/** Bodies up to so many bytes are read as they are: nothing in them takes long. */
const SMALL_BODY = 64 * 1024;

declare module 'fastify' {
  interface FastifyInstance {
    /** Parses the body of a request as JSON; undefined for an empty one. Rejects with a ServiceError: 400, 413, 429, 503. */
    readonly parseJson: (request: FastifyRequest, options?: JsonOptions) => Promise<unknown>;
    /** The JSON of a long answer to a request. Rejects with a ThreadError. */
    readonly printJson: (request: FastifyRequest, value: object) => Promise<Buffer>;
  }
  interface FastifyRequest {
    /** Ends when the request does, whether it was answered or not. */
    over: AbortSignal | null;
  }
  interface FastifyContextConfig {
    /** The only fields that a route reads of its body, all of them texts: others need not be brought to it. */
    readonly texts?: readonly string[];
    /** Those of them that it takes as their UTF-8, where they are long and well-formed. */
    readonly byteTexts?: readonly string[];
  }
}

/**
 * Has bodies be JSON as it is (interface 1): anything else is 415, before it is read. Large ones are looked at while they
 * arrive, so that none is parsed that would keep others waiting; there is a bound to how many bytes of them there are at
 * once; and what takes long is parsed in another thread.
 */
export function parseBodies(app: FastifyInstance): void {
  const budget = createBodyBudget();
  const reader = createBodyReader();
  // By then every request has ended.
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
    if (hasBody) {
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
  const arrived = { options, texts, byteTexts, caller, signal };
  if (Number(request.headers['content-length'] ?? Number.NaN) <= SMALL_BODY) {
    return reader.read({ ...arrived, pieces: await receiveBody(request, () => null), values: 0 });
  }
  const json = createJsonScan();
  const claim = budget.claim(caller);
  signal.addEventListener('abort', () => claim.release(), { once: true });
  const pieces = await receiveBody(request, (piece) => {
    const excess = json.scan(piece);
    if (excess === 'depth') return serverErrors.malformedJson('it is nested too deeply');
    if (excess === 'values') return serverErrors.tooManyValues(MAX_VALUES);
    return claim.add(piece.length) ? null : serverErrors.tooManyLargeBodies();
  });
  return reader.read({ ...arrived, pieces, values: json.values });
}

/** Who sends a body: the user, or the address where nobody has signed in yet. */
function findCaller(request: FastifyRequest): string {
  return (request.principal as FastifyRequest['principal'] | undefined)?.userId ?? request.ip;
}
