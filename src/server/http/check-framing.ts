import type { FastifyInstance, FastifyRequest } from 'fastify';
import { elementAt } from '../../invariants/must.ts';
import { serverErrors } from './errors.ts';

/**
 * Refuses requests with ambiguous or unsupported headers: no `Host` or several (400), an `Expect` other than
 * 100-continue (417), a transfer coding other than chunked (501).
 */
export function checkFraming(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, raw } = request;
    if (headers.host === undefined && raw.httpVersion === '1.1') throw serverErrors.noHost();
    if (countHosts(raw.rawHeaders) > 1) throw serverErrors.severalHosts();
    const coding = headers['transfer-encoding'];
    if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
      throw serverErrors.transferCoding(coding);
    }
    if (headers.expect !== undefined && !expectsContinue(request) && raw.httpVersion === '1.1') {
      throw serverErrors.expectation(headers.expect);
    }
    done();
  });
}

/** In `rawHeaders`, names and values alternate. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (elementAt(rawHeaders, index).toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Whether the client sends its body only after a 100 response (RFC 9110, 10.1.1). */
export function expectsContinue({ headers, raw }: FastifyRequest): boolean {
  return raw.httpVersion === '1.1' && headers.expect?.trim().toLowerCase() === '100-continue';
}
