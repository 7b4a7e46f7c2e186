import { describe, expect, it } from 'vitest';
import { isProjected, projectResource } from '../../../../src/identity/scim/protocol/project.ts';
import type { ScimObject } from '../../../../src/identity/scim/protocol/resource.ts';
import type { Projection } from '../../../../src/identity/scim/protocol/scim-api.ts';
import { GROUP_TYPE } from '../../../../src/identity/scim/resources/group-schema.ts';
import { USER_TYPE } from '../../../../src/identity/scim/resources/user-schema.ts';
import { CORE_USER, ENTERPRISE } from './patching.ts';

const ALWAYS = { schemas: [CORE_USER], id: '1' };
const ANN: ScimObject = {
  ...ALWAYS,
  meta: { resourceType: 'User', version: 'W/"1"' },
  userName: 'ann',
  name: { givenName: 'Ann', familyName: 'B' },
  emails: [
    { value: 'a@b.c', type: 'work' },
    { value: 'd@e.f', type: 'home' },
  ],
  [ENTERPRISE]: { superUser: false, userStatus: 'CONFIRMED' },
};

const projected = (projection: Projection) =>
  JSON.parse(JSON.stringify(projectResource(USER_TYPE, ANN, projection)));

describe('the attributes of a response', () => {
  it('are all, except the password and attributes that no schema has', () => {
    expect(projected({})).toEqual(ANN);
    expect(projected({ attributes: [], excludedAttributes: [] })).toEqual(ANN);
    const secret = { ...ANN, password: 'secret', shoeSize: 39 };
    expect(projectResource(USER_TYPE, secret, { attributes: ['password', 'shoeSize'] })).toEqual(ALWAYS);
    expect(projectResource(USER_TYPE, secret, {})).toEqual(ANN);
  });

  it.each([
    [['userName'], { userName: 'ann' }],
    [['USERNAME', ' name '], { userName: 'ann', name: ANN.name }],
    [['name.familyName'], { name: { familyName: 'B' } }],
    [['emails.value'], { emails: [{ value: 'a@b.c' }, { value: 'd@e.f' }] }],
    [[`${CORE_USER}:userName`], { userName: 'ann' }],
    [[`${ENTERPRISE}:superUser`], { [ENTERPRISE]: { superUser: false } }],
    [[ENTERPRISE.toLowerCase()], { [ENTERPRISE]: ANN[ENTERPRISE] }],
    [['meta.version'], { meta: { version: 'W/"1"' } }],
    [['shoeSize', '', '__proto__', 'constructor', 'name.toString', 'a.b.c'], {}],
    [['superUser'], {}],
  ])('are the requested ones and those that are always returned: %j', (attributes, expected) => {
    expect(projected({ attributes })).toEqual({ ...ALWAYS, ...expected });
  });

  it.each([
    [['emails', 'NAME', 'meta', ENTERPRISE], { userName: 'ann' }],
    [
      ['emails.type', 'name.givenName', 'meta', 'userName', `${ENTERPRISE}:userStatus`],
      {
        name: { familyName: 'B' },
        emails: [{ value: 'a@b.c' }, { value: 'd@e.f' }],
        [ENTERPRISE]: { superUser: false },
      },
    ],
    [['id', 'schemas', 'meta', 'emails', 'name', ENTERPRISE, '__proto__'], { userName: 'ann' }],
  ])('are all except the excluded ones: %j', (excludedAttributes, expected) => {
    expect(projected({ excludedAttributes })).toEqual({ ...ALWAYS, ...expected });
  });

  it('are the requested ones without the excluded ones', () => {
    const both = { attributes: ['name', 'userName'], excludedAttributes: ['name.givenName', 'userName'] };
    expect(projected(both)).toEqual({ ...ALWAYS, name: { familyName: 'B' } });
  });

  it('are known before a resource is read', () => {
    const isRead = (projection: Projection) => isProjected(GROUP_TYPE, 'members', projection);
    expect(isRead({})).toBe(true);
    expect(isRead({ attributes: ['members.value'] })).toBe(true);
    expect(isRead({ excludedAttributes: ['MEMBERS'] })).toBe(false);
    expect(isRead({ excludedAttributes: ['members.display'] })).toBe(true);
    expect(isRead({ attributes: ['displayName'] })).toBe(false);
  });
});
