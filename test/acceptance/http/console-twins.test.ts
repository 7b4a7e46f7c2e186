import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../support/http.ts';
import { shareServer } from '../../support/server.ts';
import { PASSWORD, setPassword, signIn, type Visit } from '../console/console.ts';
import { createCast, type Role } from './cast.ts';
import { MATRIX } from './matrix.ts';

const shared = shareServer();
/** The users of the cast who sign in at the console, by their roles. */
const USERS = {
  outsider: 'outsider',
  'VIEWER with an edit grant': 'reader',
  editor: 'editor',
  administrator: 'admin',
} as const satisfies Partial<Record<Role, string>>;
/** Routes of the administration; the matrix of the others is below `/api/v1` alone. */
const MANAGED = MATRIX.filter(({ route }) => route.includes(' /manage/'));

/** The client of a session, whose requests go to the routes of the console. */
function toClient(visit: Visit): Client {
  const send: Client['send'] = (method, target, { headers = {}, body } = {}) =>
    visit.send(method, target.slice(1), { headers: headers as Readonly<Record<string, string>>, body });
  return { send } as Client;
}

describe('a route of the console', () => {
  const clients: Partial<Record<keyof typeof USERS, Client>> = {};

  beforeAll(async () => {
    await createCast(shared);
    for (const [role, user] of Object.entries(USERS) as [keyof typeof USERS, string][]) {
      await setPassword(shared.server.cwd, user, PASSWORD);
      clients[role] = toClient(await signIn(shared.server.url, user));
    }
  });

  it.each(MANAGED)(
    'for $route does what the same route below /api/v1 does for the role',
    async ({ prepare, ask, statuses }) => {
      const found: Partial<Record<Role, number>> = {};
      const expected: Partial<Record<Role, number>> = {};
      for (const role of Object.keys(USERS) as (keyof typeof USERS)[]) {
        const id = `${expect.getState().currentTestName!.replace(/\W+/g, '-').toLowerCase()}-${role.length}`;
        await prepare?.(shared.admin, id);
        found[role] = (await ask(clients[role]!, id)).status;
        expected[role] = statuses[role];
      }
      expect(found).toEqual(expected);
    },
  );
});
