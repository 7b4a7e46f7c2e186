import { Type } from 'typebox';
import type { Instance } from '../../workspace/instance.ts';
import { serverErrors } from '../errors.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';

const HealthSchema = Type.Object({ status: Type.Literal('ok') });

/** `GET /health/live`: the process answers. `GET /health/ready`: requests are served now. Neither needs a token. */
export function addHealthRoutes(app: App, instance: Instance): void {
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
        summary: 'Whether the process answers',
        security: [],
        response: { 200: HealthSchema },
      },
    },
    () => ({ status: 'ok' as const }),
  );
  const schema = {
    tags: ['operations'],
    summary: 'Whether requests are served now',
    security: [],
    response: { 200: HealthSchema, ...listFailures(503) },
  };
  app.get('/health/ready', { schema }, () => {
    if (isStopping) throw serverErrors.stopping();
    instance.checkReady();
    return { status: 'ok' as const };
  });
}
