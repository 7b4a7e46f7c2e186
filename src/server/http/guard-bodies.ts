import { Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServiceError } from '../../errors/service-error.ts';
import { serverErrors } from '../errors.ts';
import { scimErrors } from '../scim/errors.ts';
import { isProvisioning } from '../scim/prefix.ts';
import { createBodyBudget } from './body-budget.ts';
import { createJsonScan, MAX_VALUES } from './scan-json.ts';

/** Bodies up to so many bytes are read as they are: nothing in them takes long. */
const SMALL_BODY = 64 * 1024;

/**
 * Has large bodies looked at while they arrive, so that none is parsed that would keep others waiting, and bounds how
 * many bytes of them there are at once. Throws 400 and 429.
 */
export function guardBodies(app: FastifyInstance): void {
  const budget = createBodyBudget();
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (Number(request.headers['content-length'] ?? Number.NaN) <= SMALL_BODY) return done(null, payload);
    const claim = budget.claim(findCaller(request));
    reply.raw.once('close', () => claim.release());
    const json = createJsonScan();
    const guard = new Transform({
      transform(chunk: Buffer, _encoding, pass) {
        const excess = json.scan(chunk);
        if (excess !== null) return pass(toRefusal(excess, request));
        if (!claim.add(chunk.length)) return pass(serverErrors.tooManyLargeBodies());
        pass(null, chunk);
      },
    });
    // What is not wanted any more is read and thrown away, and a client that leaves ends what waits for its body.
    const drop = () => void request.raw.unpipe(guard).resume();
    guard.once('error', drop);
    reply.raw.once('finish', drop);
    request.raw.once('close', () => request.raw.complete || guard.destroy());
    done(null, payload.pipe(guard));
  });
}

function toRefusal(excess: 'depth' | 'values', request: FastifyRequest): ServiceError {
  const refusal =
    excess === 'depth'
      ? serverErrors.malformedJson('it is nested too deeply')
      : serverErrors.tooManyValues(MAX_VALUES);
  return isProvisioning(request) ? scimErrors.malformed(refusal) : refusal;
}

/** Who sends a body: the user, or the address where nobody has signed in yet. */
function findCaller(request: FastifyRequest): string {
  return (request.principal as FastifyRequest['principal'] | undefined)?.userId ?? request.ip;
}
