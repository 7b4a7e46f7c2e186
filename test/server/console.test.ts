import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../src/server/app.ts';
import { createHome } from '../../src/workspace/create-home.ts';
import { openInstance } from '../../src/workspace/instance.ts';
import { makeFolder } from '../support/quern.ts';

it('says that the console is not built, and serves everything else', async () => {
  const home = makeFolder();
  await createHome(home, { userName: 'admin', email: 'admin@localhost', password: null });
  const instance = openInstance({ home });
  onTestFinished(() => instance.close());
  const app = await createApp({
    instance,
    log: pino({ level: 'silent' }),
    settings: {
      trustProxy: [],
      rateLimit: null,
      limitLoopback: false,
      requestTimeoutMs: 60_000,
      baseUrl: null,
    },
    version: '1.2.3',
    tls: null,
    webFolder: makeFolder(),
  });
  onTestFinished(() => app.close());
  const page = await app.inject({ url: '/login', headers: { accept: 'text/html' } });
  expect(page.statusCode).toBe(404);
  expect(page.json()).toEqual({
    message: 'Resource does not exist',
    detail: 'The console is not built: run `npm run build`',
  });
  const file = await app.inject('/assets/index.js');
  expect(file.json()).toMatchObject({ detail: 'Route not found: GET /assets/index.js' });
  expect((await app.inject('/console/api/session')).statusCode).toBe(401);
  expect((await app.inject('/health/live')).statusCode).toBe(200);
});
