import type { FastifyInstance, FastifyRequest } from 'fastify';
import { serverErrors } from './errors.ts';

/** Whether a request's `Accept` allows one of the media types. */
export function acceptsAny(request: FastifyRequest, types: readonly string[]): boolean {
  return request.headers.accept === undefined || request.accepts().type([...types]) !== false;
}

/**
 * Refuses requests whose `Accept` excludes JSON, in scopes that return JSON (docs/reference/http-api.md#formats).
 * Throws 406.
 */
export function requireJson(scope: FastifyInstance): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    // The response to DELETE has no body.
    if (request.method !== 'DELETE' && !acceptsAny(request, ['application/json']))
      throw serverErrors.notAcceptable('application/json');
    done();
  });
}

/** A parameter of a media range, except its quality. */
const PARAMETER = /;(?!\s*q\s*=)[^;,"]*(?:"(?:[^"\\]|\\.)*"?)?[^;,"]*/gi;

/** Ignores the parameters of media types in `Accept`, such as `charset`: each type has a single form. */
export function dropAcceptParameters(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (headers.accept?.includes(';')) headers.accept = headers.accept.replace(PARAMETER, '');
    done();
  });
}
