import type { Instance } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';
import { printContentPolicy } from './content-policy.ts';
import { setPageHeaders } from './page-headers.ts';
import { addConsolePages, WEB_FOLDER } from './pages.ts';
import { addConsoleRoutes } from './routes.ts';

/** Adds the console: its pages and files, and their routes. All its responses have security headers. */
export function addConsole(app: App, instance: Instance, webFolder = WEB_FOLDER): void {
  app.register(async (scope: App) => {
    await setPageHeaders(scope, printContentPolicy());
    addConsoleRoutes(scope, instance);
    addConsolePages(scope, webFolder);
  });
}
