import type { Client } from '../../support/http.ts';
import { createProvider, ENTERPRISE, type Kind, USER } from '../../support/scim.ts';
import type { Line } from './matrix-lines.ts';

/** The objects that were created for a request, by the ids of requests. */
const made = new Map<string, string>();

const scim = (client: Client, method: string, target: string, body?: unknown) =>
  createProvider(client).send(method, target, { body });

async function makeUser(admin: Client, id: string): Promise<void> {
  made.set(id, (await createProvider(admin).addUser(id)).id);
}

async function makeGroup(admin: Client, id: string): Promise<void> {
  made.set(id, (await createProvider(admin).addGroup(id)).id);
}

/** The differences between the lines of users and of groups. */
const KINDS = [
  { kind: 'Users', prepare: makeUser, name: 'userName', deleted: 200 },
  { kind: 'Groups', prepare: makeGroup, name: 'displayName', deleted: 204 },
] as const;

const PATCH = { Operations: [{ op: 'add', path: 'externalId', value: 'x' }] };

type Statuses = (done: number) => Line['statuses'];

/** The lines of provisioning: `changes` are for administrators, `looks` also for their read-only tokens. */
export function listScimLines(changes: Statuses, looks: Statuses): readonly Line[] {
  const route = (method: string, target: string) => `${method} /scim/v2${target}`;
  const look = (method: string, target: string, asked = target, body?: object): Line => ({
    route: route(method, target),
    ask: (client) => scim(client, method, asked, body),
    statuses: looks(200),
  });
  const one = (kind: Kind, id: string) => `/${kind}/${made.get(id)}`;
  return [
    ...KINDS.flatMap(({ kind, prepare, name, deleted }): Line[] => [
      look('GET', `/${kind}`),
      look('POST', `/${kind}/.search`, `/${kind}/.search`, {}),
      {
        route: route('POST', `/${kind}`),
        ask: (client, id) => scim(client, 'POST', `/${kind}`, { [name]: id }),
        statuses: changes(201),
      },
      {
        route: route('GET', `/${kind}/{id}`),
        prepare,
        ask: (client, id) => scim(client, 'GET', one(kind, id)),
        statuses: looks(200),
      },
      {
        route: route('PUT', `/${kind}/{id}`),
        prepare,
        ask: (client, id) => scim(client, 'PUT', one(kind, id), { [name]: id, [ENTERPRISE]: {} }),
        statuses: changes(200),
      },
      {
        route: route('PATCH', `/${kind}/{id}`),
        prepare,
        ask: (client, id) => scim(client, 'PATCH', one(kind, id), PATCH),
        statuses: changes(200),
      },
      {
        route: route('DELETE', `/${kind}/{id}`),
        prepare,
        ask: (client, id) => scim(client, 'DELETE', one(kind, id)),
        statuses: changes(deleted),
      },
    ]),
    look('POST', '/.search', '/.search', {}),
    look('GET', '/ServiceProviderConfig'),
    look('GET', '/ResourceTypes'),
    look('GET', '/ResourceTypes/{id}', '/ResourceTypes/User'),
    look('GET', '/Schemas'),
    look('GET', '/Schemas/{id}', `/Schemas/${USER}`),
  ];
}
