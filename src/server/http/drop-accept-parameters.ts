import type { FastifyInstance } from 'fastify';

/** A parameter of a media range, except its quality. */
const PARAMETER = /;(?!\s*q\s*=)[^;,"]*(?:"(?:[^"\\]|\\.)*"?)?[^;,"]*/gi;

/** Ignores the parameters of media types in `Accept`, as in `text/csv; charset=utf-8`: answers have one form for each type. */
export function dropAcceptParameters(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (headers.accept?.includes(';')) headers.accept = headers.accept.replace(PARAMETER, '');
    done();
  });
}
