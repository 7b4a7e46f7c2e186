import type { onRequestHookHandler } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { Type } from 'typebox';
import type { AnswerNotes } from './answer-notes.ts';
import { requireSuperUser } from './auth/require-super-user.ts';
import { listFailures } from './http/error-schema.ts';
import type { App } from './http/typed-app.ts';

/** Measures every request by its route, so that there are no more series than routes. */
export function createMetrics(answers: AnswerNotes): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'quern_http_request_duration_seconds',
    help: 'How long requests took, from the first byte of their headers to the last of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100],
    registers: [registry],
  });
  answers.each(({ method, route, status, ms }) => {
    durations.observe({ method, route, status: String(status) }, ms / 1000);
  });
  return registry;
}

const MetricsSchema = Type.String({ description: 'One line for each figure' });

/** `GET /metrics`, in the format of Prometheus, for super-users. */
export function addMetricsRoute(
  app: App,
  { registry, answers }: { readonly registry: Registry; readonly answers: AnswerNotes },
  requireToken: onRequestHookHandler,
): void {
  const schema = {
    tags: ['operations'],
    summary: 'Metrics in the format of Prometheus',
    response: { 200: { content: { 'text/plain': { schema: MetricsSchema } } }, ...listFailures(401, 403) },
  };
  app.get('/metrics', { schema, onRequest: [requireToken, requireSuperUser] }, async (_request, reply) => {
    answers.flush();
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
