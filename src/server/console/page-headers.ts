import helmet from '@fastify/helmet';
import type { App } from '../http/typed-app.ts';
import { isHttps } from './origin.ts';

/** A year, in seconds. */
const STRICT_TRANSPORT = 'max-age=31536000';

/** Adds the security headers of pages to all responses of a scope, with this `Content-Security-Policy`. */
export async function setPageHeaders(scope: App, policy: string): Promise<void> {
  await scope.register(helmet, {
    contentSecurityPolicy: false,
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
  scope.addHook('onRequest', (request, reply, done) => {
    reply.header('content-security-policy', policy);
    if (isHttps(request)) reply.header('strict-transport-security', STRICT_TRANSPORT);
    done();
  });
}
