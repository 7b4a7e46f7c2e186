import { Type } from 'typebox';
import type { Instance } from '../../workspace/instance/instance.ts';
import { listFailures } from '../http/error-schema.ts';
import { serverErrors } from '../http/errors.ts';
import type { App } from '../http/typed-app.ts';
import type { LogState } from '../log/log.ts';
import { readHealth } from './read-health.ts';

const HealthSchema = Type.Object({ status: Type.Literal('ok') });
const ReadySchema = Type.Object({
  status: Type.Literal('ok'),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Problems that an administrator should look at; the server still accepts requests',
    }),
  ),
});

/** `GET /health/live`: the process runs. `GET /health/ready`: the server accepts requests. Both without a token. */
export function addHealthRoutes(app: App, instance: Instance, logState: LogState | undefined): void {
  let isStopping = false;
  app.addHook('preClose', (done) => {
    isStopping = true;
    done();
  });
  app.get(
    '/health/live',
    {
      schema: {
        tags: ['operations'],
        summary: 'Check liveness',
        operationId: 'checkLiveness',
        description: 'Returns 200 while the process is running. No token is required.',
        security: [],
        response: { 200: HealthSchema },
      },
    },
    () => ({ status: 'ok' as const }),
  );
  const schema = {
    tags: ['operations'],
    summary: 'Check readiness',
    operationId: 'checkReadiness',
    description:
      'Returns 200 when the server accepts requests; `warnings` reports that the engine process is restarting, or that disk space is low. Returns 503 when the catalog cannot be read, the engine process does not start, or the server is stopping. No token is required.',
    security: [],
    response: { 200: ReadySchema, ...listFailures(503) },
  };
  app.get('/health/ready', { schema }, () => {
    if (isStopping) throw serverErrors.stopping();
    instance.checkReady();
    const parts = readHealth(instance, logState);
    if (parts.some(({ part, state }) => part === 'engine' && state === 'failed')) {
      throw serverErrors.engineFailed();
    }
    const warnings = parts.flatMap(({ reasons }) => reasons);
    return { status: 'ok' as const, ...(warnings.length === 0 ? {} : { warnings }) };
  });
}
