import { expect } from 'vitest';
import { ENTERPRISE, expectScimRefusal, USER } from '../../support/scim.ts';
import { add, type Dialect, membersOf, remove, replace } from './scim-dialect-world.ts';

/** Rows 24 to 40: refused operations, and requests of other kinds. */
export const REQUEST_DIALECTS: readonly Dialect[] = [
  [24, 'remove without a path is noTarget', ({ refuseUser }) => refuseUser('noTarget', remove())],
  [
    25,
    'an unknown op is invalidSyntax',
    async ({ refuseUser }) => {
      for (const op of ['move', '', 7, null, '__proto__']) {
        await refuseUser('invalidSyntax', { op, path: 'title', value: 'x' });
      }
    },
  ],
  [
    26,
    'an operation on id does not change it',
    async ({ provider, ada, newName, change }) => {
      const made = await provider.addUser(newName());
      const user = await change(
        'Users',
        made,
        replace('id', ada.id),
        replace(undefined, { id: ada.id }),
        add('title', 'x'),
      );
      expect(user).toMatchObject({ id: made.id, title: 'x' });
    },
  ],
  [
    27,
    '__proto__, constructor and toString in paths and keys are 400',
    async ({ provider, newName }) => {
      const user = await provider.addUser(newName());
      const group = await provider.addGroup(newName());
      for (const name of ['__proto__', 'constructor', 'toString', 'constructor.prototype', '__proto__.x']) {
        const keyed = JSON.parse(`{${JSON.stringify(name)}: {"polluted": "yes"}}`);
        for (const [kind, made] of [
          ['Users', user],
          ['Groups', group],
        ] as const) {
          const before = await provider.send('GET', `/${kind}/${made.id}`);
          for (const operation of [
            add(name, 'x'),
            replace(`${name}.polluted`, 'yes'),
            add(undefined, keyed),
            remove(name),
            add(`${kind === 'Users' ? 'emails' : 'members'}[${name} eq "x"].value`, 'x'),
          ]) {
            const answer = await provider.patch(kind, made.id, operation);
            expect([operation, answer.status]).toEqual([operation, 400]);
          }
          expect((await provider.send('GET', `/${kind}/${made.id}`)).text).toBe(before.text);
        }
      }
      for (const name of ['polluted', 'x'])
        expect(await provider.get('Users', user.id)).not.toHaveProperty(name);
    },
  ],
  [
    28,
    'the third of three operations fails, and nothing changes',
    async ({ provider, ada, bob, newName, refuseUser, refuse }) => {
      const third = replace('active', 'maybe');
      await refuseUser('invalidValue', replace('displayName', 'x'), add('title', 'y'), third);
      const group = await provider.addGroup(newName(), [ada.id]);
      const operations = [
        remove('members'),
        add('members', [{ value: bob.id }]),
        add('members', [{ value: 'nobody' }]),
      ];
      await refuse('Groups', group, 'invalidValue', ...operations);
    },
  ],
  [
    29,
    'a stale If-Match is 412',
    async ({ provider, newName, change }) => {
      const made = await provider.addUser(newName());
      const user = await change('Users', made, add('title', 'x'));
      const body = { Operations: [add('title', 'y')] };
      const headers = { 'if-match': made.meta.version! };
      expectScimRefusal(await provider.send('PATCH', `/Users/${made.id}`, { headers, body }), 412, null);
      expect(await provider.get('Users', made.id)).toEqual(user);
    },
  ],
  [
    30,
    'PUT without superUser keeps it',
    async ({ provider, newName }) => {
      const userName = newName();
      const { id } = await provider.addUser(userName, { [ENTERPRISE]: { superUser: true } });
      const answer = await provider.send('PUT', `/Users/${id}`, { body: { schemas: [USER], userName } });
      expect(answer).toMatchObject({ status: 200, body: { [ENTERPRISE]: { superUser: true } } });
    },
  ],
  [
    31,
    'PUT with a foreign id ignores it',
    async ({ provider, ada, newName }) => {
      const userName = newName();
      const { id } = await provider.addUser(userName);
      const answer = await provider.send('PUT', `/Users/${id}`, {
        body: { id: ada.id, userName, title: 'x' },
      });
      expect(answer).toMatchObject({ status: 200, body: { id, title: 'x' } });
      expect(await provider.get('Users', ada.id)).toMatchObject({ id: ada.id, userName: 'ada' });
    },
  ],
  [
    32,
    'a filter on externalId is all users',
    async ({ provider }) => {
      const { totalResults } = await provider.list('Users', '?filter=externalId+eq+"x"');
      expect(totalResults).toBe((await provider.list('Users')).totalResults);
      expect(totalResults).toBeGreaterThan(2);
    },
  ],
  [
    33,
    'USERNAME EQ "A@B.C"',
    async ({ provider, mail }) => {
      const userName = mail();
      const { id } = await provider.addUser(userName);
      const filter = encodeURIComponent(`USERNAME EQ "${userName.toUpperCase()}"`);
      expect((await provider.list('Users', `?filter=${filter}`)).Resources.map((user) => user.id)).toEqual([
        id,
      ]);
    },
  ],
  [
    34,
    'quotes that are escaped in values',
    async ({ provider, ada, newName, changeUser, mail }) => {
      const displayName = `The "${newName()}" \\ mill`;
      const { id } = await provider.addGroup(displayName, [ada.id]);
      const filter = encodeURIComponent(`displayName eq ${JSON.stringify(displayName)}`);
      expect((await provider.list('Groups', `?filter=${filter}`)).Resources.map((group) => group.id)).toEqual(
        [id],
      );
      const emails = [{ value: mail(), display: 'a "b" \\' }];
      const user = await changeUser({ emails }, replace('emails[display eq "a \\"b\\" \\\\"].type', 'work'));
      expect(user.emails).toEqual([expect.objectContaining({ ...emails[0], type: 'work' })]);
    },
  ],
  [
    35,
    'edges of paging',
    async ({ provider }) => {
      const all = await provider.list('Users', '?count=1000');
      const { totalResults, Resources } = all;
      for (const [query, startIndex, found] of [
        ['startIndex=0', 1, Resources.slice(0, 100)],
        ['startIndex=-7&count=2', 1, Resources.slice(0, 2)],
        ['count=0', 1, []],
        ['count=-1', 1, []],
        [`startIndex=${totalResults}&count=9`, totalResults, Resources.slice(-1)],
        [`startIndex=${totalResults + 1}`, totalResults + 1, []],
        ['startIndex=999999999', 999_999_999, []],
        ['startIndex=2&count=1', 2, Resources.slice(1, 2)],
      ] as const) {
        expect([query, await provider.list('Users', `?${query}`)]).toEqual([
          query,
          { schemas: all.schemas, totalResults, startIndex, itemsPerPage: found.length, Resources: found },
        ]);
      }
      for (const query of ['count=many', 'startIndex=1.5', 'count=1e999', 'startIndex=%00']) {
        expectScimRefusal(await provider.send('GET', `/Users?${query}`), 400, 'invalidValue');
      }
    },
  ],
  [
    36,
    'DELETE with a content type and no body',
    async ({ provider, newName }) => {
      const { id } = await provider.addUser(newName());
      const headers = { 'content-type': 'application/scim+json' };
      const answer = await provider.send('DELETE', `/Users/${id}`, { headers });
      expect(answer).toMatchObject({ status: 200, body: { status: '200' } });
    },
  ],
  [
    37,
    '//Users',
    async ({ provider, ada }) => {
      expect(await provider.send('GET', '//Users')).toMatchObject({ status: 200 });
      expect(await provider.send('GET', `//Users//${ada.id}/`)).toMatchObject({ body: { id: ada.id } });
    },
  ],
  [
    38,
    'a duplicate in another case is 409',
    async ({ provider, newName }) => {
      const userName = newName();
      await provider.addUser(userName);
      const body = { userName: userName.toUpperCase() };
      expectScimRefusal(await provider.send('POST', '/Users', { body }), 409, 'uniqueness');
    },
  ],
  [
    39,
    'POST nested under the core URN',
    async ({ provider, newName }) => {
      const userName = newName();
      const nested = { userName, name: { givenName: 'N' }, active: 'true' };
      const answer = await provider.send('POST', '/Users', { body: { schemas: [USER], [USER]: nested } });
      expect(answer).toMatchObject({
        status: 201,
        body: { userName, name: { givenName: 'N' }, active: true },
      });
      expect(answer.body).not.toHaveProperty([USER]);
    },
  ],
  [
    40,
    'eight updates at once lose no member',
    async ({ provider, newName }) => {
      const { id } = await provider.addGroup(newName());
      const userIds: string[] = [];
      for (let made = 0; made < 800; made += 50) {
        const some = await Promise.all(Array.from({ length: 50 }, () => provider.addUser(newName())));
        userIds.push(...some.map((user) => user.id));
      }
      const patches = Array.from({ length: 8 }, (_, client) => {
        const members = userIds.slice(client * 100, (client + 1) * 100).map((value) => ({ value }));
        return provider.patch('Groups', id, add('members', members));
      });
      expect((await Promise.all(patches)).map(({ status }) => status)).toEqual(Array(8).fill(200));
      expect(membersOf(await provider.get('Groups', id))).toEqual(userIds.toSorted());
    },
  ],
];
