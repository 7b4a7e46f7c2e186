import { describe, expect, it } from 'vitest';
import { ENTERPRISE, LIST, type Resource, USER } from '../../support/scim.ts';
import { shareServer } from '../../support/server.ts';
import { covers } from './rows.ts';
import { shareProvider } from './scim-provider.ts';

const shared = shareServer();
const provider = shareProvider(shared);
let count = 0;

/** An unused user name. */
const newName = () => `user${++count}`;
const WHOLE = {
  schemas: [USER, ENTERPRISE],
  name: { givenName: 'Ada', familyName: 'Lovelace', formatted: 'Lady Lovelace' },
  displayName: 'Ada L.',
  title: 'Countess',
  phoneNumbers: [{ value: '+44 1', type: 'work' }],
  [ENTERPRISE]: { organization: 'Analytical', department: 'Engines' },
};

describe('lists', () => {
  it(covers('list users', 'list response', 'startIndex', 'count', 'scim: order'), async () => {
    const made = [await provider.addUser(newName()), await provider.addUser(newName())];
    const all = await provider.list('Users');
    expect(Object.keys(all).toSorted()).toEqual([
      'Resources',
      'itemsPerPage',
      'schemas',
      'startIndex',
      'totalResults',
    ]);
    expect(all.schemas).toEqual([LIST]);
    expect(all.Resources).toHaveLength(all.totalResults);
    expect(all.Resources.slice(-2)).toEqual(made);
    const page = await provider.list('Users', `?startIndex=${all.totalResults - 1}&count=1`);
    expect(page).toEqual({
      schemas: [LIST],
      totalResults: all.totalResults,
      startIndex: all.totalResults - 1,
      itemsPerPage: 1,
      Resources: [made[0]],
    });
  });

  it(covers('filter', 'user filter'), async () => {
    const userName = newName();
    const user = await provider.addUser(userName, { externalId: 'X', displayName: userName });
    const { totalResults } = await provider.list('Users');
    const found = async (filter: string) => {
      const { Resources } = await provider.list('Users', `?count=1000&filter=${encodeURIComponent(filter)}`);
      return Resources.length;
    };
    expect((await provider.list('Users', `?filter=userName+eq+"${userName}"`)).Resources).toEqual([user]);
    for (const filter of [
      `userName eq "${userName.toUpperCase()}"`,
      `USERNAME EQ "${userName}"`,
      `(userName eq "${userName}")`,
      `${USER}:userName eq "${userName}"`,
    ]) {
      expect([filter, await found(filter)]).toEqual([filter, 1]);
    }
    expect(await found('userName eq "nobody at all"')).toBe(0);
    for (const filter of [
      'externalId eq "X"',
      `displayName eq "${userName}"`,
      `userName co "${userName}"`,
      `userName ne "${userName}"`,
      `userName eq "${userName}" and active eq true`,
      `not (userName eq "${userName}")`,
      `userName eq ${userName}`,
      'userName eq',
      '((((',
      'emails[type eq "work"].value eq "a"',
      '\u0000',
      'x'.repeat(5_000),
      '('.repeat(5_000),
    ]) {
      expect([filter.slice(0, 50), await found(filter)]).toEqual([filter.slice(0, 50), totalResults]);
    }
  });

  it(covers('scim: projection', 'scim: search'), async () => {
    const { id } = await provider.addUser(newName(), WHOLE);
    const read = async (query: string) =>
      (await provider.send('GET', `/Users/${id}?${query}`)).body as Resource;
    const only = await read('attributes=userName,name.givenName,NAME.FAMILYNAME,nothing');
    expect(only).toEqual({
      schemas: [USER, ENTERPRISE],
      id,
      userName: only.userName,
      name: { givenName: 'Ada', familyName: 'Lovelace' },
    });
    const parts = await read(`attributes=${ENTERPRISE}:department,${USER}:title`);
    expect(parts).toEqual({
      schemas: [USER, ENTERPRISE],
      id,
      title: 'Countess',
      [ENTERPRISE]: { department: 'Engines' },
    });
    const without = await read('excludedAttributes=name,id,schemas,meta,phoneNumbers.type');
    expect(Object.keys(without)).toEqual(expect.arrayContaining(['id', 'schemas', 'userName']));
    expect(without).toMatchObject({ phoneNumbers: [{ value: '+44 1' }] });
    for (const name of ['name', 'meta']) expect(without).not.toHaveProperty(name);
    const filter = `userName eq "${only.userName}"`;
    const found = await provider.send('POST', '/Users/.search', { body: { filter, attributes: ['title'] } });
    expect(found.body).toMatchObject({
      totalResults: 1,
      Resources: [{ schemas: [USER, ENTERPRISE], id, title: 'Countess' }],
    });
  });
});

describe('pages', () => {
  it(covers('scim: page size', 'count', 'startIndex'), async () => {
    for (let made = 0; made < 120; made += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, index) => provider.addUser(`page${made + index}`)));
    }
    const all = await provider.list('Users', '?count=100000');
    expect(all.itemsPerPage).toBe(all.totalResults);
    expect((await provider.list('Users')).itemsPerPage).toBe(100);
    const pages = [];
    for (let start = 1; start <= all.totalResults; start += 25) {
      pages.push(...(await provider.list('Users', `?startIndex=${start}&count=25`)).Resources);
    }
    expect(pages).toEqual(all.Resources);
  });
});
