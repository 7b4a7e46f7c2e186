import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../../src/server/app.ts';
import { openInstance } from '../../../src/workspace/instance/instance.ts';
import { createHome } from '../../../src/workspace/setup/create-home.ts';
import { expectRefusal, send } from '../../support/http.ts';
import { makeFolder } from '../../support/quern.ts';
import { SETTINGS } from '../world.ts';

it('reports that the console is not built, and serves everything else', async () => {
  const home = makeFolder();
  await createHome(home, { userName: 'admin', email: 'admin@localhost', password: null });
  const instance = openInstance({ home });
  onTestFinished(() => instance.close());
  const app = await createApp({
    instance,
    log: pino({ level: 'silent' }),
    settings: SETTINGS,
    version: '1.2.3',
    tls: null,
    webFolder: makeFolder(),
  });
  onTestFinished(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const page = await send(url, 'GET', '/login', { headers: { accept: 'text/html' } });
  expectRefusal(page, 404, 'The console is not built: run `npm run build`');
  const file = await send(url, 'GET', '/assets/index.js');
  expect(file.body).toMatchObject({ detail: 'Route not found: GET /assets/index.js' });
  expect((await send(url, 'GET', '/console/api/session')).status).toBe(401);
  expect((await send(url, 'GET', '/health/live')).status).toBe(200);
});
