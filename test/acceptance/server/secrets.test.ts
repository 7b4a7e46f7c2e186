import { expect, it, onTestFinished } from 'vitest';
import { openRaw } from '../../server/raw.ts';
import { createClient, send } from '../../support/http.ts';
import { makeAdminHome, serve } from '../../support/server.ts';
import { eventually } from '../../support/waiting.ts';

it('the log contains no secret at any log level', async () => {
  const { cwd, token } = await makeAdminHome();
  const server = await serve(cwd, ['--log-level', 'trace']);
  onTestFinished(() => server.kill());
  const admin = createClient(server.url, token);
  const unknown = `qrn_${'0'.repeat(36)}`;
  const secrets = {
    token,
    unknown,
    password: 'a-password-nobody-guesses',
    database: 'the-password-of-a-database',
    body: 'text-of-a-broken-body',
    query: 'word-of-a-query',
    cookie: 'value-of-a-cookie',
    header: 'value-of-a-header',
    raw: 'text-that-is-no-request',
    content: 'text-of-a-script',
  };

  await admin.send('GET', `/catalog/list?token=${secrets.query}`, {
    headers: {
      cookie: `__Host-session=${secrets.cookie}; session=${secrets.cookie}`,
      'x-any': secrets.header,
    },
  });
  await createClient(server.url, unknown).list('');
  await send(server.url, 'GET', '/api/v1/catalog/list', {
    headers: { authorization: `Basic ${secrets.body}` },
  });
  await admin.send('POST', '/manage/users', { body: { user_name: 'ada', password: secrets.password } });
  await admin.send('PUT', '/manage/users/ada', {
    body: { password: secrets.password, role: secrets.body.length },
  });
  const sent = { user_name: 'admin', password: secrets.password };
  await send(server.url, 'POST', '/console/api/sign-in', { body: sent });
  await send(server.url, 'POST', '/console/api/session', { body: sent });
  const made = await admin.send('POST', '/manage/tokens', { body: { name: 'x' } });
  const other = (made.body as { token: string }).token;
  await createClient(server.url, other).list('');
  const connection = {
    name: 'pg',
    kind: 'postgresql',
    options: { host: 'x', user: 'u' },
    secrets: { password: secrets.database },
  };
  await admin.send('POST', '/manage/connections', { body: connection });
  await admin.send('POST', '/manage/connections', { body: connection });
  await admin.send('POST', '/manage/connections', {
    body: { ...connection, name: 'q', secrets: { passwort: secrets.database } },
  });
  await admin.send('POST', '/catalog/folders', { body: `{"name": ${secrets.body}}` });
  await admin.send('POST', '/catalog/folders', {
    body: `{"name": "${secrets.body}`,
    headers: { 'content-type': 'text/x' },
  });
  await admin.make('assets', '@Shared/script', { content: secrets.content });
  await admin.send('POST', '/catalog/assets', {
    body: { parent_path: '@Shared/no', name: 'x', content: secrets.content },
  });
  const raw = await openRaw(Number(new URL(server.url).port));
  raw.send(`${secrets.raw}\r\n\r\n`);
  await raw.rest();
  const half = await openRaw(Number(new URL(server.url).port));
  half.send(
    `POST /api/v1/catalog/folders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: 900\r\nExpect: 100-continue\r\n\r\n`,
  );
  await half.answers(1);
  half.socket.end(secrets.body);
  await eventually(() => expect(server.log()).toContain('the client disconnected'));

  expect(await server.stop()).toBe(0);
  const log = server.log();
  expect(log.split('\n').filter((line) => line.includes('"answered"')).length).toBeGreaterThan(12);
  const seen = Object.entries({ ...secrets, other }).filter(([, secret]) => log.includes(secret));
  expect(seen).toEqual([]);
  expect(log).not.toMatch(/[Bb]earer |[Aa]uthorization|password":/);
});
