import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../support/http.ts';
import { ENTERPRISE, expectScimRefusal, PATCH, type Resource, SCIM, USER } from '../../support/scim.ts';
import { runQuern, shareServer } from '../../support/server.ts';
import { createScimClient } from './scim-conversation.ts';

// What an identity provider with a token of the scope `scim` may do with an administrator who leaves
// (docs/reference/scim.md#limits-of-a-token), in the requests that each provider sends.

const shared = shareServer();
let client: Client;

beforeAll(async () => {
  client = await createScimClient(shared);
});

/** An administrator who is not the last one. */
async function addAdministrator(): Promise<Resource> {
  const userName = `leaver-${randomUUID().slice(0, 8)}`;
  const options = ['--role', 'ADMIN', '--email', `${userName}@quern.example`];
  await runQuern(shared.server.cwd, ['user', 'create', userName, ...options]);
  const filter = encodeURIComponent(`userName eq "${userName}"`);
  const { Resources } = (await client.send('GET', `${SCIM}/Users?filter=${filter}`)).body as {
    Resources: Resource[];
  };
  expect(Resources.length).toBe(1);
  return Resources[0]!;
}

interface Change {
  readonly method: 'PATCH' | 'PUT' | 'DELETE';
  readonly body?: object;
}

const patch = (...operations: readonly object[]): Change => ({
  method: 'PATCH',
  body: { schemas: [PATCH], Operations: operations },
});
const put = (user: Resource, fields: object): Change => ({ method: 'PUT', body: { ...user, ...fields } });

const send = ({ id }: Resource, { method, body }: Change) =>
  client.send(method, `${SCIM}/Users/${id}`, {
    headers: { 'content-type': 'application/scim+json' },
    body,
  });
const read = async ({ id }: Resource) => (await client.send('GET', `${SCIM}/Users/${id}`)).body as Resource;

describe('an administrator who leaves', () => {
  it.each<[name: string, leave: (user: Resource) => Change]>([
    ['Okta, by PATCH', () => patch({ op: 'replace', value: { active: false } })],
    ['Okta, by PUT', (user) => put(user, { active: false })],
    ['Entra', () => patch({ op: 'Replace', path: 'active', value: 'False' })],
    ['JumpCloud', (user) => put(user, { schemas: [USER], active: false })],
    ['Google', () => patch({ op: 'replace', path: 'active', value: false })],
  ])('is disabled by %s, and not enabled again', async (_, leave) => {
    const user = await addAdministrator();
    const left = await send(user, leave(user));
    expect(left.status, left.text).toBe(200);
    expect(await read(user)).toMatchObject({ active: false, userName: user.userName });
    expectScimRefusal(await send(user, patch({ op: 'replace', value: { active: true } })), 403, null);
    const enabling = patch({ op: 'Replace', path: 'active', value: 'True' });
    expectScimRefusal(await send(user, enabling), 403, null);
    expect(await read(user)).toMatchObject({ active: false });
  });

  it.each<[name: string, attribute: string, change: (user: Resource) => Change]>([
    ['Okta renames', 'userName', (user) => put(user, { userName: 'eve' })],
    [
      'Okta sets a password',
      'password',
      () => patch({ op: 'replace', value: { password: 'x7 and longer' } }),
    ],
    [
      'Entra changes the address',
      'emails',
      () => patch({ op: 'Replace', path: 'emails[type eq "work"].value', value: 'eve@quern.example' }),
    ],
    [
      'Entra changes the role',
      'roles',
      () => patch({ op: 'Replace', path: 'roles[primary eq "True"].value', value: 'VIEWER' }),
    ],
    ['Okta demotes', 'superUser', (user) => put(user, { [ENTERPRISE]: { superUser: false } })],
    ['any provider deletes', '', () => ({ method: 'DELETE' })],
  ])('stays as they were when %s', async (_, attribute, change) => {
    const user = await addAdministrator();
    expectScimRefusal(await send(user, change(user)), 403, null, expect.stringContaining(attribute));
    expect(await read(user)).toEqual(user);
  });

  it('takes names and further attributes, and all in a PUT that keeps the rest', async () => {
    const user = await addAdministrator();
    const name = { givenName: 'Lea', familyName: 'Ver' };
    const changed = await send(user, put(user, { name, title: 'Director' }));
    expect(changed.status, changed.text).toBe(200);
    expect(await read(user)).toMatchObject({ name, title: 'Director', userName: user.userName });
  });
});
