import type { onRequestHookHandler } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { Type } from 'typebox';
import type { Executions } from '../workspace/runs/executions.ts';
import { requireAdministrator } from './auth/require-administrator.ts';
import { requireScope } from './auth/require-scope.ts';
import { listFailures } from './http/error-schema.ts';
import type { App } from './http/typed-app.ts';
import type { AnswerNotes } from './log/answer-notes.ts';

/** Measures every request by its route, so that the number of series is bounded, and all executions. */
export function createMetrics(answers: AnswerNotes, executions: Executions | null): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'quern_http_request_duration_seconds',
    help: 'Duration of requests, from the first byte of their headers to the last byte of the response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100],
    registers: [registry],
  });
  answers.each(({ method, route, status, ms }) => {
    durations.observe({ method, route, status: String(status) }, ms / 1000);
  });
  if (executions !== null) countExecutions(registry, executions);
  return registry;
}

/** Counters of the executor are read when metrics are requested. */
function countExecutions(registry: Registry, executions: Executions): void {
  const registers = [registry];
  new Counter({
    name: 'quern_executions_total',
    help: 'Executions that have ended, by outcome',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(executions.readFigures().ended)) {
        this.inc({ outcome }, count);
      }
    },
  });
  new Counter({
    name: 'quern_execution_bytes_total',
    help: 'Bytes of the responses of executions, before compression',
    registers,
    collect() {
      this.reset();
      this.inc(executions.readFigures().bytes);
    },
  });
  for (const state of ['running', 'queued'] as const) {
    new Gauge({
      name: `quern_executions_${state}`,
      help: `Executions that are currently ${state}`,
      registers,
      collect() {
        this.set(executions.readFigures()[state]);
      },
    });
  }
}

const MetricsSchema = Type.String({ description: 'Metrics, one line each' });

/** `GET /metrics`, in the format of Prometheus, for administrators. */
export function addMetricsRoute(
  app: App,
  { registry, answers }: { readonly registry: Registry; readonly answers: AnswerNotes },
  requireToken: onRequestHookHandler,
): void {
  const schema = {
    tags: ['operations'],
    summary: 'Retrieve metrics in Prometheus format',
    operationId: 'getMetrics',
    scope: 'read',
    description: 'Returns metrics of the process, its requests and its executions. For administrators.',
    response: { 200: { content: { 'text/plain': { schema: MetricsSchema } } }, ...listFailures(401, 403) },
  };
  app.get(
    '/metrics',
    { schema, onRequest: [requireToken, requireScope, requireAdministrator] },
    async (_request, reply) => {
      answers.flush();
      return reply.type(registry.contentType).send(await registry.metrics());
    },
  );
}
