import type { Instance } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';
import { printContentPolicy } from './content-policy.ts';
import { setPageHeaders } from './page-headers.ts';
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

/** Adds the console: its pages and files, and their routes. All its responses have security headers. */
export function addConsole(app: App, { instance, baseUrl, webFolder = WEB_FOLDER }: ConsoleOptions): void {
  app.register(async (scope: App) => {
    await setPageHeaders(scope, baseUrl, printContentPolicy());
    addConsoleRoutes(scope, instance, baseUrl);
    addConsolePages(scope, webFolder);
  });
}
