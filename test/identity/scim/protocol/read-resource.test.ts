import { describe, expect, it } from 'vitest';
import { GROUP_TYPE } from '../../../../src/identity/scim/resources/group-schema.ts';
import { ENTERPRISE, read } from './patching.ts';

const refused = (detail: string, scimType = 'invalidValue') =>
  expect.objectContaining({ status: 400, scimType, detail });

describe('the body of a resource', () => {
  it('is read with the names and types of the schema', () => {
    expect(
      read({
        USERNAME: 'ann',
        Active: 'TRUE',
        Name: { GIVENNAME: 'Ann', familyname: null, shoeSize: 39 },
        emails: { value: 'a@b.c', Primary: 'true' },
        roles: ['ADMIN', null, { value: 'VIEWER' }],
        [ENTERPRISE.toUpperCase()]: { Manager: '123456', superuser: 'False', costCenter: '' },
      }),
    ).toEqual({
      userName: 'ann',
      active: true,
      name: { givenName: 'Ann' },
      emails: [{ value: 'a@b.c', primary: true }],
      roles: [{ value: 'ADMIN' }, { value: 'VIEWER' }],
      [ENTERPRISE]: { manager: { value: '123456' }, superUser: false, costCenter: '' },
    });
  });

  it('loses read-only attributes, and those that no schema has', () => {
    const ours = { id: '1', meta: { version: 'x' }, schemas: ['x'], groups: [{ value: '1' }] };
    expect(read({ ...ours, userName: 'ann', shoeSize: 39, 'urn:other:2.0:User': { a: 1 } })).toEqual({
      userName: 'ann',
    });
  });

  it('keeps an empty list, and no other empty value', () => {
    expect(read({ userName: 'ann', roles: [], emails: [null, {}], name: {}, title: null })).toEqual({
      userName: 'ann',
      roles: [],
      emails: [],
    });
  });

  it('has each value once, and one primary value', () => {
    const emails = [
      { value: 'a@b.c', type: 'work', primary: true },
      { value: 'A@B.C', display: 'A' },
      { value: 'a@b.c', type: 'home', primary: true },
      { value: 'x@y.z', primary: true },
    ];
    expect(read({ userName: 'ann', emails })).toEqual({
      userName: 'ann',
      emails: [
        { value: 'A@B.C', type: 'work', primary: true, display: 'A' },
        { value: 'a@b.c', type: 'home', primary: false },
        { value: 'x@y.z', primary: false },
      ],
    });
  });

  it('may have any number of members, each once', () => {
    const members = Array.from({ length: 24_000 }, (_, i) => ({ value: String(i % 20_000), type: 'User' }));
    const group = read({ displayName: 'all', members }, GROUP_TYPE) as { members: unknown[] };
    expect(group.members).toHaveLength(20_000);
    expect(group.members.at(-1)).toEqual({ value: '19999', type: 'User' });
  });

  it.each([
    [{ userName: 1 }, 'userName must be a string'],
    [{ userName: ['ann'] }, 'userName must be a string'],
    [{}, 'userName is required'],
    [{ userName: null }, 'userName is required'],
    [{ userName: 'ann', active: 1 }, 'active must be true or false'],
    [{ userName: 'ann', name: 'Ann' }, 'name must be an object'],
    [{ userName: 'ann', name: [{ givenName: 'Ann' }] }, 'name must be an object'],
    [{ userName: 'ann', name: { givenName: {} } }, 'name.givenName must be a string'],
    [{ userName: 'ann', addresses: ['Main Street'] }, 'addresses must be an object'],
    [{ userName: 'ann', emails: [[]] }, 'emails must be an object'],
    [{ userName: 'ann', emails: [{ value: 5 }] }, 'emails.value must be a string'],
    [{ userName: 'ann', [ENTERPRISE]: 'Sales' }, `${ENTERPRISE} must be an object`],
    [{ userName: 'x'.repeat(10_001) }, 'userName must have at most 10000 characters'],
    [{ userName: '\ud800' }, 'userName must be well-formed Unicode'],
    [{ userName: 'ann', roles: Array(201).fill('x') }, 'roles must have at most 200 values'],
  ])('is refused when a value is wrong: %j', (body, detail) => {
    expect(() => read(body)).toThrow(refused(detail));
  });

  it.each([[null], [undefined], ['text'], [5], [[{ userName: 'ann' }]]])(
    'is refused when it is not an object: %j',
    (body) => {
      expect(() => read(body)).toThrow(refused('The body must be a JSON object', 'invalidSyntax'));
    },
  );

  it('is refused when a member has no value', () => {
    expect(() => read({ displayName: 'team', members: [{ display: 'Ann' }] }, GROUP_TYPE)).toThrow(
      refused('members.value is required'),
    );
  });

  it('is refused when a name exists on every object', () => {
    expect(() => read(JSON.parse('{"userName":"ann","__proto__":{"a":1}}'))).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidPath' }),
    );
    expect(() => read(JSON.parse('{"userName":"ann","name":{"constructor":{"a":1}}}'))).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidPath' }),
    );
  });

  it('can be nested to any depth', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`);
    expect(read({ userName: 'ann', shoes: deep, name: { shoes: deep } })).toEqual({ userName: 'ann' });
    expect(() => read({ userName: deep })).toThrow(refused('userName must be a string'));
  });
});
