import { expect } from 'vitest';
import { type Client, createClient } from '../../support/http.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { createToken, runQuern, type Shared } from '../../support/server.ts';
import { waitUntil } from '../../support/waiting.ts';

/** The kinds of callers (docs/reference/permissions.md#roles), by their credentials. */
export const ROLES = [
  'no token',
  'bad token',
  'expired token',
  'deleted token',
  'disabled user',
  'outsider',
  'viewer',
  'VIEWER with an edit grant',
  'read-only token of the editor',
  'editor',
  'manager',
  'read-only token of the administrator',
  'administrator',
] as const;

export type Role = (typeof ROLES)[number];

/** The restricted folder in which the roles have the levels of their names. */
export const TEAM = '@Shared/team';

/** Creates all callers on a server; each has a client. */
export async function createCast({ server, admin, token }: Shared): Promise<Readonly<Record<Role, Client>>> {
  const { cwd, url } = server;
  const run = (line: string) => runQuern(cwd, line);
  await admin.make('folders', TEAM);
  await run(`grant restrict ${TEAM}`);
  for (const name of ['outsider', 'viewer', 'editor', 'manager', 'disabled'])
    await run(`user create ${name}`);
  await run('user create reader --role VIEWER');
  for (const [user, level] of [
    ['viewer', 'view'],
    ['editor', 'edit'],
    ['reader', 'edit'],
    ['disabled', 'edit'],
    ['manager', 'manage'],
  ]) {
    await run(`grant add user:${user} ${level} ${TEAM}`);
  }
  const clientOf = async (user: string, ...options: string[]) =>
    createClient(url, await createToken(cwd, user, ...options));
  const cast = {
    'no token': createClient(url),
    'bad token': createClient(url, `qrn_${token.slice(4).split('').reverse().join('')}`),
    'expired token': await createExpired(url, admin),
    'deleted token': createClient(url, (await run('token create --name doomed --user editor')).trim()),
    'disabled user': await clientOf('disabled'),
    outsider: await clientOf('outsider'),
    viewer: await clientOf('viewer'),
    'VIEWER with an edit grant': await clientOf('reader'),
    'read-only token of the editor': await clientOf('editor', '--read-only'),
    editor: await clientOf('editor'),
    manager: await clientOf('manager'),
    'read-only token of the administrator': await clientOf('admin', '--read-only'),
    administrator: admin,
  };
  await run('token rm doomed --user editor --yes');
  await run('user set disabled --disabled');
  return cast;
}

/** The client of a token that was valid a moment ago. */
async function createExpired(url: string, admin: Client): Promise<Client> {
  // On a busy machine, a token can expire before its first use.
  for (let lifetime = 2_000; lifetime < PATIENCE_MS; lifetime *= 2) {
    const expires_at = new Date(Date.now() + lifetime).toISOString();
    const body = { name: `brief ${lifetime}`, owner: 'editor', expires_at };
    const made = await admin.send('POST', '/manage/tokens', { body });
    const client = createClient(url, (made.body as { token: string }).token);
    const { status } = await client.list('');
    if (status === 200) {
      await waitUntil(async () => (await client.list('')).status === 401);
      return client;
    }
    expect(status).toBe(401);
  }
  throw new Error('every token has expired before its first use');
}
