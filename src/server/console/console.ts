import helmet from '@fastify/helmet';
import type { Instance } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';
import { printContentPolicy } from './content-policy.ts';
import { isHttps } from './origin.ts';
import { addConsolePages, WEB_FOLDER } from './pages.ts';
import { addConsoleRoutes } from './routes.ts';

/** Dependencies of the console. */
interface ConsoleOptions {
  readonly instance: Instance;
  /** The base URL of the instance; null if it is not set. */
  readonly baseUrl: string | null;
  /** The folder of the built pages; defaults to that of the build. */
  readonly webFolder?: string;
}

/** A year, in seconds. */
const STRICT_TRANSPORT = 'max-age=31536000';

/** Adds the console: its pages and files, and their routes. All its responses have security headers. */
export function addConsole(app: App, { instance, baseUrl, webFolder = WEB_FOLDER }: ConsoleOptions): void {
  app.register(async (scope: App) => {
    await scope.register(helmet, {
      contentSecurityPolicy: false,
      strictTransportSecurity: false,
      referrerPolicy: { policy: 'same-origin' },
      xFrameOptions: { action: 'deny' },
    });
    scope.addHook('onRequest', (request, reply, done) => {
      reply.header('content-security-policy', printContentPolicy());
      if (isHttps(request, baseUrl)) reply.header('strict-transport-security', STRICT_TRANSPORT);
      done();
    });
    addConsoleRoutes(scope, instance, baseUrl);
    addConsolePages(scope, webFolder);
  });
}
