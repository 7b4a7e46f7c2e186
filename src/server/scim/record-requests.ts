import type { FastifyRequest } from 'fastify';
import type { Instance } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';
import type { toScimErrorBody } from './error-body.ts';
import { SCIM_PREFIX } from './prefix.ts';

type ErrorFields = Partial<Pick<ReturnType<typeof toScimErrorBody>, 'scimType' | 'detail'>>;

/** Records every request of a SCIM scope after its response (docs/reference/scim.md#the-log-of-requests), with or without a token. */
export function recordRequests(app: App, { providerLog, accounts: { tokens } }: Instance): void {
  const errors = new WeakMap<FastifyRequest, ErrorFields>();
  app.addHook('preSerialization', (request, reply, payload, done) => {
    if (reply.statusCode >= 400) errors.set(request, payload as ErrorFields);
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { scimType, detail } = errors.get(request) ?? {};
    const { url, body, method, ip: address, id: requestId } = request;
    const tokenId = findTokenId(request);
    providerLog.recordRequest({
      token: tokenId === null ? null : { id: tokenId, name: tokens.findName(tokenId) },
      address,
      method,
      target: url.startsWith(SCIM_PREFIX) ? url.slice(SCIM_PREFIX.length) : url,
      status: reply.statusCode,
      scimType: scimType ?? null,
      detail: detail ?? null,
      durationMs: reply.elapsedTime,
      requestId,
      body,
    });
    done();
  });
}

/** The token of a request; null before it was authenticated. */
function findTokenId(request: FastifyRequest): string | null {
  return (request.principal as FastifyRequest['principal'] | undefined)?.origin?.tokenId ?? null;
}
