import { describe, expect, it } from 'vitest';
import { parseAnswer, sendRaw } from '../../support/http.ts';
import { ENTERPRISE, GROUP, LIST, type ListAnswer, type Resource, SEARCH, USER } from '../../support/scim.ts';
import { createScimWorld, ROOT } from './world.ts';

describe('bodies', () => {
  it.each([
    'application/scim+json',
    'application/json',
    'application/scim+json; charset=utf-8',
    'APPLICATION/SCIM+JSON',
    'application/json;charset="UTF-8"',
  ])('of the type %s are accepted', async (type) => {
    const { ask } = await createScimWorld();
    const headers = { 'content-type': type };
    const answer = await ask('POST', `${ROOT}/Users`, { body: { userName: 'ada' }, headers });
    expect(answer).toMatchObject({ status: 201, body: { userName: 'ada' } });
  });

  it.each([
    'application/scim+json',
    'application/json',
    '*/*',
    'application/*',
    'text/html, */*;q=0.1',
    'Application/Scim+JSON',
  ])('are answered as SCIM for Accept: %s', async (accept) => {
    const { ask } = await createScimWorld();
    for (const target of ['/Users', '/Schemas', '/ServiceProviderConfig']) {
      const { status, headers } = await ask('GET', `${ROOT}${target}`, { headers: { accept } });
      expect([status, headers['content-type']]).toEqual([200, 'application/scim+json; charset=utf-8']);
    }
  });

  it('of DELETE are empty, and may have a type', async () => {
    const { provider } = await createScimWorld();
    const types = [{}, { 'content-length': '0' }].map((more) => ({
      'content-type': 'application/scim+json',
      ...more,
    }));
    for (const headers of types) {
      const [user, group] = [await provider.addUser('ada'), await provider.addGroup('team')];
      const deleted = await provider.send('DELETE', `/Users/${user.id}`, { headers });
      expect(deleted).toMatchObject({ status: 200, body: { status: '200' } });
      expect(deleted.text).toBe('{"status":"200"}');
      expect(deleted.headers['content-type']).toBe('application/scim+json; charset=utf-8');
      expect(await provider.send('DELETE', `/Groups/${group.id}`, { headers })).toMatchObject({
        status: 204,
        text: '',
      });
    }
  });
});

describe('slashes', () => {
  it('may be doubled, and appear at the end', async () => {
    const { ask, url, token, provider } = await createScimWorld();
    const { id } = await provider.addUser('ada');
    for (const target of ['//Users', '/Users/', '///Users//', '//Users?count=1', '/Users/?count=1']) {
      expect((await ask('GET', `${ROOT}${target}`)).body).toMatchObject({ totalResults: 2 });
    }
    for (const target of [`//Users/${id}`, `/Users//${id}/`, `//Users//${id}?attributes=userName`]) {
      expect((await ask('GET', `${ROOT}${target}`)).body).toMatchObject({ id, userName: 'ada' });
    }
    expect((await ask('POST', `${ROOT}//Users/`, { body: { userName: 'bob' } })).status).toBe(201);
    expect((await ask('POST', `${ROOT}//Users//.search/`, { body: {} })).status).toBe(200);
    const whole = await sendRaw(
      url,
      `GET http://other.example.org${ROOT}//Users/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );
    expect(parseAnswer(whole)).toMatchObject({ status: 200, body: { schemas: [LIST] } });
  });

  it('remain in values of the request', async () => {
    const { ask } = await createScimWorld();
    const filter = encodeURIComponent('userName eq "a//b/"').replaceAll('%2F', '/');
    await ask('POST', `${ROOT}/Users`, { body: { userName: 'a//b/' } });
    expect((await ask('GET', `${ROOT}/Users?filter=${filter}`)).body).toMatchObject({ totalResults: 1 });
  });
});

describe('links', () => {
  const locationOf = ({ meta }: Resource) => meta.location;

  it('name the address that the client has used', async () => {
    const { ask, provider } = await createScimWorld();
    const { id } = await provider.addUser('ada');
    const headers = { host: 'quern.example.org:8443' };
    const base = `http://quern.example.org:8443${ROOT}`;
    const { body } = await ask('GET', `${ROOT}/Users/${id}`, { headers });
    expect(locationOf(body as Resource)).toBe(`${base}/Users/${id}`);
    const made = await ask('POST', `${ROOT}/Groups`, { headers, body: { displayName: 'team' } });
    expect(made.headers.location).toBe(locationOf(made.body as Resource));
    expect(made.headers.location).toMatch(`${base}/Groups/`);
    const { body: config } = await ask('GET', `${ROOT}/ServiceProviderConfig`, { headers });
    expect(locationOf(config as Resource)).toBe(`${base}/ServiceProviderConfig`);
    const list = (await ask('GET', `${ROOT}/Users`, { headers })).body as ListAnswer;
    expect(list.Resources.map(locationOf).every((each) => each!.startsWith(`${base}/Users/`))).toBe(true);
  });

  it("name the instance's own address, if it has one", async () => {
    const { ask } = await createScimWorld({ baseUrl: 'https://quern.example.org' });
    const headers = { host: 'elsewhere.example.org', 'x-forwarded-host': 'evil.example.org' };
    const made = await ask('POST', `${ROOT}/Users`, { headers, body: { userName: 'ada' } });
    const { id, meta } = made.body as Resource;
    expect(meta.location).toBe(`https://quern.example.org${ROOT}/Users/${id}`);
    expect(made.headers.location).toBe(meta.location);
  });

  it('use the headers of trusted proxies only', async () => {
    const headers = { 'x-forwarded-host': 'quern.example.org', 'x-forwarded-proto': 'https' };
    const linkFrom = async (trustProxy: readonly string[]) => {
      const { ask } = await createScimWorld({ trustProxy });
      return locationOf((await ask('GET', `${ROOT}/Schemas/${USER}`, { headers })).body as Resource);
    };
    expect(await linkFrom(['127.0.0.1'])).toBe(`https://quern.example.org${ROOT}/Schemas/${USER}`);
    expect(await linkFrom([])).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/scim\/v2\/Schemas\//);
  });

  it('name no host for a client that has named none', async () => {
    const { url, token } = await createScimWorld();
    const head = `GET ${ROOT}/ServiceProviderConfig HTTP/1.0\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const { body } = parseAnswer(await sendRaw(url, head));
    expect(locationOf(body as Resource)).toBe(`${ROOT}/ServiceProviderConfig`);
  });
});

describe('entity tags', () => {
  it('save the transfer of known answers, and follow changes', async () => {
    const { provider } = await createScimWorld();
    const { id, meta } = await provider.addUser('ada');
    const tag = meta.version!;
    const get = (known: string) =>
      provider.send('GET', `/Users/${id}`, { headers: { 'if-none-match': known } });
    const strong = tag.replace(/^W\//, '');
    for (const known of [tag, strong, '*', `"x", ${tag}`, `W/"a,b",${strong} , "y"`]) {
      const answer = await get(known);
      expect([known, answer.status, answer.text, answer.headers.etag]).toEqual([known, 304, '', tag]);
    }
    for (const known of ['"x"', 'W/"x"', strong.slice(1, -1), '', `x${tag}`]) {
      expect([known, (await get(known)).status]).toEqual([known, 200]);
    }
    const changed = await provider.patch('Users', id, { op: 'replace', path: 'title', value: 'Countess' });
    expect(changed.headers.etag).not.toBe(tag);
    expect(changed.headers.etag).toBe((changed.body as Resource).meta.version);
    expect(await get(tag)).toMatchObject({ status: 200, headers: { etag: changed.headers.etag } });
    const head = await provider.send('HEAD', `/Users/${id}`);
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', changed.headers.etag]);
  });
});

describe('a search', () => {
  it('accepts in a body the parameters of a URL', async () => {
    const { provider } = await createScimWorld();
    const ada = await provider.addUser('ada');
    const team = await provider.addGroup('team', [ada.id]);
    const search = async (target: string, body: object) => {
      const answer = await provider.send('POST', `${target}/.search`, {
        body: { schemas: [SEARCH], ...body },
      });
      expect(answer.status, answer.text).toBe(200);
      return answer.body as ListAnswer;
    };
    const filter = 'userName eq "ADA"';
    expect((await search('/Users', { filter })).Resources).toEqual([await provider.get('Users', ada.id)]);
    expect(await search('/Groups', { count: 1, startIndex: 1 })).toMatchObject({ itemsPerPage: 1 });
    const named = await search('/Users', { Filter: filter, ATTRIBUTES: ['username'] });
    expect(Object.keys(named.Resources[0]!).toSorted()).toEqual(['id', 'schemas', 'userName']);
    const joined = await search('/Users', { filter, attributes: 'userName,displayName' });
    expect(Object.keys(joined.Resources[0]!)).toContain('userName');
    const bare = await search('/Groups', { excludedAttributes: ['members'] });
    expect(bare.Resources.find(({ id }) => id === team.id)).not.toHaveProperty('members');
    expect(await search('/Users', { count: 1e23, startIndex: -1e23 })).toMatchObject({ startIndex: 1 });
    const both = await search('', {});
    expect(both.Resources.map(({ id }) => id)).toEqual(expect.arrayContaining([ada.id, team.id]));
    expect(both.totalResults).toBe(both.Resources.length);
  });

  it.each([
    [{ filter: 7 }, 'filter must be a single string'],
    [{ startIndex: {} }, 'startIndex must be a whole number'],
    [{ count: [] }, 'count must be a whole number'],
    [{ attributes: 7 }, 'attributes must be attribute names, as a list or comma-separated'],
    [
      { excludedAttributes: [[]] },
      'excludedAttributes must be attribute names, as a list or comma-separated',
    ],
  ])('is refused for %j', async (body, detail) => {
    const { provider } = await createScimWorld();
    const answer = await provider.send('POST', '/Users/.search', { body });
    expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidValue', detail } });
  });

  it('ignores null and unknown fields', async () => {
    const { provider } = await createScimWorld();
    const body = JSON.parse(
      '{"filter":null,"count":null,"attributes":null,"sortBy":"id","__proto__":{"count":0}}',
    );
    const answer = await provider.send('POST', '/Users/.search', { body });
    expect(answer).toMatchObject({ status: 200, body: { totalResults: 1, itemsPerPage: 1 } });
  });
});

describe('parameters of a URL', () => {
  it('may be repeated where they are lists', async () => {
    const { provider } = await createScimWorld();
    const { Resources } = await provider.list(
      'Users',
      '?attributes=userName&attributes=%20displayName,,meta&Count=1',
    );
    expect(Object.keys(Resources[0]!)).toEqual(expect.arrayContaining(['id', 'meta', 'schemas', 'userName']));
    expect(Resources[0]).not.toHaveProperty('active');
    const twice = await provider.send('GET', '/Users?filter=a&filter=b');
    expect(twice).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  });

  it('are ignored when they are empty', async () => {
    const { provider } = await createScimWorld();
    const whole = await provider.list('Users');
    expect(await provider.list('Users', '?attributes=&excludedAttributes=,&filter=')).toEqual(whole);
    await provider.addGroup('team');
    expect((await provider.list('Groups', '?filter=')).totalResults).toBeGreaterThan(0);
  });

  it('also apply to changes', async () => {
    const { provider } = await createScimWorld();
    const body = { userName: 'ada', displayName: 'Ada' };
    const made = await provider.send('POST', '/Users?attributes=displayName', { body });
    const { id } = made.body as Resource;
    expect(made.body).toEqual({ schemas: expect.any(Array), id, displayName: 'Ada' });
    const put = await provider.send('PUT', `/Users/${id}?excludedAttributes=meta`, { body });
    expect(put.body).not.toHaveProperty('meta');
    const operations = { Operations: [{ op: 'add', path: 'title', value: 'x' }] };
    const patched = await provider.send('PATCH', `/Users/${id}?attributes=title`, { body: operations });
    expect(patched.body).toEqual({ schemas: expect.any(Array), id, title: 'x' });
  });
});

describe('discovery', () => {
  it('lists the supported features', async () => {
    const { provider } = await createScimWorld();
    expect((await provider.send('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 1000 },
      changePassword: { supported: true },
      sort: { supported: false },
      etag: { supported: true },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    });
  });

  it('lists types and schemas, and returns each of them', async () => {
    const { provider } = await createScimWorld();
    for (const [target, ids] of [
      ['/ResourceTypes', ['User', 'Group']],
      ['/Schemas', [USER, ENTERPRISE, GROUP]],
    ] as const) {
      const { body } = await provider.send('GET', target);
      const { Resources, ...list } = body as ListAnswer;
      const count = ids.length;
      expect(list).toEqual({ schemas: [LIST], totalResults: count, startIndex: 1, itemsPerPage: count });
      expect(Resources.map(({ id }) => id)).toEqual(ids);
      for (const resource of Resources) {
        for (const id of [resource.id, resource.id.toUpperCase(), encodeURIComponent(resource.id)]) {
          expect((await provider.send('GET', `${target}/${id}`)).body).toEqual(resource);
        }
        expect(resource.meta.location).toMatch(new RegExp(`${target}/${resource.id}$`));
      }
    }
  });

  it('cannot be filtered', async () => {
    const { provider } = await createScimWorld();
    for (const target of ['/Schemas', '/ResourceTypes']) {
      const answer = await provider.send('GET', `${target}?filter=id%20pr`);
      expect(answer).toMatchObject({ status: 403, body: { status: '403' } });
      expect((await provider.send('GET', `${target}?count=1&sortBy=id`)).status).toBe(200);
    }
  });
});
