import { describe, expect, it } from 'vitest';
import { parsePatch } from '../../../../src/identity/scim/protocol/parse-patch.ts';
import { GROUP_TYPE } from '../../../../src/identity/scim/resources/group-schema.ts';
import { USER_TYPE } from '../../../../src/identity/scim/resources/user-schema.ts';
import { CORE_USER, ENTERPRISE, PATCH_OP, patch } from './patching.ts';

const ANN = {
  userName: 'ann',
  name: { givenName: 'Ann', familyName: 'B' },
  emails: [
    { value: 'w@b.c', type: 'work', primary: true },
    { value: 'h@b.c', type: 'home' },
  ],
  [ENTERPRISE]: { department: 'Sales', manager: { value: '1', displayName: 'M' } },
};

/** The document of Ann after these operations. */
const patched = (...operations: object[]) => patch(ANN, operations) as Record<string, unknown>;

describe('add', () => {
  it('appends new values, and completes existing ones', () => {
    const value = [{ value: 'W@B.C', display: 'work' }, { value: 'o@b.c' }];
    expect(patched({ op: 'add', path: 'emails', value }).emails).toEqual([
      { value: 'W@B.C', type: 'work', primary: true, display: 'work' },
      { value: 'h@b.c', type: 'home' },
      { value: 'o@b.c' },
    ]);
  });

  it('keeps values with different types, or without a value, apart', () => {
    const { emails } = patched({ op: 'add', path: 'emails', value: { value: 'w@b.c', type: 'other' } });
    expect(emails).toHaveLength(3);
    const addresses = [
      { type: 'work', locality: 'Vienna' },
      { type: 'work', locality: 'Graz' },
    ];
    expect(
      patched({ op: 'add', value: { addresses } }, { op: 'add', value: { addresses } }).addresses,
    ).toEqual(addresses);
  });

  it('removes primary from the other values', () => {
    const value = [{ value: 'o@b.c', primary: true }];
    expect(patched({ op: 'add', path: 'emails', value }).emails).toEqual([
      { value: 'w@b.c', type: 'work', primary: false },
      { value: 'h@b.c', type: 'home' },
      { value: 'o@b.c', primary: true },
    ]);
    expect(patched({ op: 'add', path: 'emails[type eq "home"].primary', value: 'True' }).emails).toEqual([
      { value: 'w@b.c', type: 'work', primary: false },
      { value: 'h@b.c', type: 'home', primary: true },
    ]);
  });

  it('merges objects', () => {
    expect(patched({ op: 'add', path: 'name', value: { middleName: 'X', givenName: 'A' } }).name).toEqual({
      givenName: 'A',
      familyName: 'B',
      middleName: 'X',
    });
    expect(patched({ op: 'add', path: 'emails[type eq "work"]', value: { display: 'D' } }).emails).toEqual([
      { value: 'w@b.c', type: 'work', primary: true, display: 'D' },
      { value: 'h@b.c', type: 'home' },
    ]);
  });

  it('adds nothing for empty values', () => {
    for (const value of [null, []]) expect(patched({ op: 'add', path: 'roles', value })).toEqual(ANN);
    expect(patched({ op: 'add', path: 'title', value: null })).toEqual(ANN);
    expect(patched({ op: 'add', value: {} })).toEqual(ANN);
  });
});

describe('replace', () => {
  it('replaces lists, and merges objects', () => {
    const { emails, name } = patched({
      op: 'replace',
      value: { emails: [{ value: 'n@b.c' }, { value: 'N@b.c', type: 'work' }], name: { familyName: 'C' } },
    });
    expect(emails).toEqual([{ value: 'N@b.c', type: 'work' }]);
    expect(name).toEqual({ givenName: 'Ann', familyName: 'C' });
  });

  it('replaces a selected value with one that the filter still selects', () => {
    const value = { value: 'n@b.c', display: 'N' };
    expect(patched({ op: 'replace', path: 'emails[type eq "work"]', value }).emails).toEqual([
      { type: 'work', value: 'n@b.c', display: 'N' },
      { value: 'h@b.c', type: 'home' },
    ]);
    expect(patched({ op: 'replace', path: 'emails[value co "w@"]', value }).emails).toEqual([
      value,
      { value: 'h@b.c', type: 'home' },
    ]);
  });

  it('changes a sub-attribute of all values of a list', () => {
    expect(patched({ op: 'replace', path: 'emails.display', value: 'D' }).emails).toEqual(
      ANN.emails.map((email) => ({ ...email, display: 'D' })),
    );
    expect(patched({ op: 'replace', path: 'roles.value', value: 'ADMIN' }).roles).toEqual([
      { value: 'ADMIN' },
    ]);
  });

  it('creates a value from all equalities of the filter', () => {
    const path = 'addresses[type eq "work" and primary eq true].locality';
    expect(patched({ op: 'replace', path, value: 'Vienna' }).addresses).toEqual([
      { type: 'work', primary: true, locality: 'Vienna' },
    ]);
  });

  it.each(['emails[type ne "work" and type ne "home"].value', 'emails[display pr].value'])(
    'fails with noTarget when a filter matches nothing and is not only equalities: %s',
    (path) => {
      expect(() => patched({ op: 'replace', path, value: 'x' })).toThrow(
        expect.objectContaining({ status: 400, scimType: 'noTarget' }),
      );
    },
  );

  it('removes values with null and with an empty list', () => {
    const values = { 'name.givenName': null, emails: [], [`${ENTERPRISE}:manager`]: null, title: null };
    expect(patched({ op: 'replace', value: values })).toEqual({
      userName: 'ann',
      name: { familyName: 'B' },
      [ENTERPRISE]: { department: 'Sales' },
    });
    expect(
      patched({ op: 'replace', value: { name: { givenName: null, familyName: null } } }).name,
    ).toBeUndefined();
    expect(patched({ op: 'replace', path: ENTERPRISE, value: null })[ENTERPRISE]).toBeUndefined();
    expect(
      patched({ op: 'replace', value: { [ENTERPRISE]: { department: null, manager: null } } }),
    ).not.toHaveProperty([ENTERPRISE]);
  });

  it('accepts a manager as a string, as an object, and by single attributes', () => {
    const managers = [
      { op: 'add', path: `${ENTERPRISE}:manager`, value: '2' },
      { op: 'replace', path: `${ENTERPRISE}:manager`, value: { value: '2', $ref: null } },
      { op: 'Replace', path: `${ENTERPRISE}:manager.value`, value: '2' },
      { op: 'Replace', path: `${ENTERPRISE}.manager`, value: '2' },
      { op: 'replace', value: { [ENTERPRISE]: { manager: '2' } } },
    ];
    for (const operation of managers) {
      expect(patched(operation)[ENTERPRISE]).toEqual({
        department: 'Sales',
        manager: { value: '2', displayName: 'M' },
      });
    }
  });
});

describe('remove', () => {
  it('removes the attribute of a path', () => {
    expect(
      patched(
        { op: 'remove', path: 'name.givenName' },
        { op: 'Remove', path: 'emails[type eq "home"]' },
        { op: 'Remove', path: `${ENTERPRISE}:manager` },
        { op: 'remove', path: 'title' },
        { op: 'remove', path: 'addresses[type eq "work"].locality' },
      ),
    ).toEqual({
      userName: 'ann',
      name: { familyName: 'B' },
      emails: [ANN.emails[0]],
      [ENTERPRISE]: { department: 'Sales' },
    });
  });

  it('leaves no empty attribute', () => {
    expect(
      patched(
        { op: 'remove', path: 'name.givenName' },
        { op: 'remove', path: 'name.familyName' },
        { op: 'remove', path: 'emails[type pr]' },
        { op: 'remove', path: ENTERPRISE },
      ),
    ).toEqual({ userName: 'ann' });
  });

  it('removes a value without its sub-attribute value', () => {
    expect(patched({ op: 'Remove', path: 'emails[type eq "home"].value' }).emails).toEqual([ANN.emails[0]]);
    expect(patched({ op: 'remove', path: 'emails[type eq "home"].type' }).emails).toEqual([
      ANN.emails[0],
      { value: 'h@b.c' },
    ]);
  });

  it('removes only the values in the list', () => {
    expect(patched({ op: 'Remove', path: 'emails', value: [{ value: 'W@B.C' }] }).emails).toEqual([
      ANN.emails[1],
    ]);
    expect(patched({ op: 'Remove', path: 'emails', value: [{ value: 'w@b.c', type: 'home' }] })).toEqual(ANN);
  });
});

describe('a PATCH', () => {
  it('applies its operations in order, each to the result of the previous one', () => {
    expect(
      patched(
        { op: 'remove', path: 'emails' },
        { op: 'add', path: 'emails', value: 'a@b.c' },
        { op: 'replace', path: 'emails[value eq "a@b.c"].type', value: 'work' },
      ).emails,
    ).toEqual([{ value: 'a@b.c', type: 'work' }]);
  });

  it('accepts field names of messages in any case', () => {
    const body = { schemas: [PATCH_OP], operations: [{ OP: 'Replace', Path: 'title', VALUE: 'CEO' }] };
    expect(parsePatch(USER_TYPE, body)).toMatchObject([{ op: 'replace', value: 'CEO' }]);
  });

  it('ignores keys that no schema has, and read-only attributes', () => {
    const value = { shoeSize: 39, 'name.shoeSize': 1, 'urn:other:1.0:User:x': 1, groups: [{ value: '1' }] };
    expect(patched({ op: 'replace', value })).toEqual(ANN);
    expect(patched({ op: 'replace', value: { [ENTERPRISE]: { shoeSize: 39 } } })).toEqual(ANN);
  });

  it('targets a list of members without reading the members', () => {
    const operations = parsePatch(GROUP_TYPE, {
      Operations: [
        { op: 'Add', path: 'Members', value: [{ value: '1' }] },
        { op: 'Remove', path: 'members[VALUE eq "1"]' },
      ],
    });
    const members = GROUP_TYPE.schema.attributes.find(({ name }) => name === 'members');
    expect(operations).toEqual([
      {
        op: 'add',
        target: { extension: null, attribute: members, filter: null, sub: null },
        value: [{ value: '1' }],
      },
      {
        op: 'remove',
        target: {
          extension: null,
          attribute: members,
          filter: { kind: 'compare', path: 'VALUE', operator: 'eq', value: '1' },
          sub: null,
        },
      },
    ]);
  });

  it.each([
    [{ op: 'add', path: 'shoeSize', value: 1 }, 'invalidPath'],
    [{ op: 'add', path: 'name.shoeSize', value: 1 }, 'invalidPath'],
    [{ op: 'add', path: 'name.givenName.x', value: 1 }, 'invalidPath'],
    [{ op: 'add', path: `${ENTERPRISE}:shoeSize`, value: 1 }, 'invalidPath'],
    [{ op: 'add', path: 'urn:other:2.0:User:title', value: 1 }, 'invalidPath'],
    [{ op: 'add', path: CORE_USER, value: {} }, 'invalidPath'],
    [{ op: 'add', path: 'emails[type eq "work"', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'emails[type eq "work"]value', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'emails[type eq work].value', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'emails[].value', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'emails[type eq "work"].shoeSize', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'emails.value[type eq "work"]', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'name[givenName eq "Ann"]', value: {} }, 'invalidPath'],
    [{ op: 'add', path: `emails[${'('.repeat(100)}type pr${')'.repeat(100)}]`, value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 5, value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: { toString: 1, valueOf: 1 }, value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: ['title'], value: 'x' }, 'invalidPath'],
    [{ op: { toString: 1 }, path: 'title', value: 'x' }, 'invalidSyntax'],
    [{ op: 'replace', path: 'title', value: { toString: 1 } }, 'invalidValue'],
    [{ op: 'add', path: 'emails[shoeSize eq "work"].value', value: 'x' }, 'invalidFilter'],
    [{ op: 'add', path: 'emails[primary gt true].value', value: 'x' }, 'invalidFilter'],
    [{ op: 'replace', path: 'title' }, 'invalidValue'],
    [{ op: 'replace', path: 'title', value: 5 }, 'invalidValue'],
    [{ op: 'replace', path: 'title', value: {} }, 'invalidValue'],
    [{ op: 'replace', path: 'name', value: 'Ann' }, 'invalidValue'],
    [{ op: 'replace', path: ENTERPRISE, value: 'Sales' }, 'invalidValue'],
    [{ op: 'replace', path: 'emails[type eq "work"]', value: ['a@b.c', 'd@e.f'] }, 'invalidValue'],
    [{ op: 'replace' }, 'invalidValue'],
    [{ op: 'replace', value: 'False' }, 'invalidValue'],
    [{ op: 'add', path: 'emails[type eq "work"].value', value: ['x'] }, 'invalidValue'],
    [{ op: 'remove', path: 'userName' }, 'mutability'],
    [{ op: 'replace', path: 'userName', value: null }, 'mutability'],
    [{ op: 'add', path: 'groups', value: [{ value: '1' }] }, 'mutability'],
    [{ op: 'remove', path: 'groups[value eq "1"]' }, 'mutability'],
    ['replace', 'invalidSyntax'],
    [null, 'invalidSyntax'],
    [{ op: 5, path: 'title', value: 'x' }, 'invalidSyntax'],
  ])('is refused: %j, %s', (operation, scimType) => {
    expect(() => patch(ANN, [operation])).toThrow(expect.objectContaining({ status: 400, scimType }));
  });

  it.each([
    [{ op: 'replace', path: 'members[value eq "1"].value', value: '2' }, 'mutability'],
    [{ op: 'remove', path: 'members.value' }, 'mutability'],
    [{ op: 'remove', path: 'displayName' }, 'mutability'],
    [{ op: 'add', path: 'members', value: [{ type: 'User' }] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [5] }, 'invalidValue'],
  ])('of a group is refused: %j, %s', (operation, scimType) => {
    expect(() => patch({ displayName: 'team' }, [operation], GROUP_TYPE)).toThrow(
      expect.objectContaining({ status: 400, scimType }),
    );
  });

  it.each([
    null,
    [],
    {},
    { Operations: {} },
    { Operations: [] },
    { Operations: Array(1_001).fill({ op: 'add', path: 'title', value: 'x' }) },
  ])('is refused when it is not a message, or too long: %#', (body) => {
    expect(() => parsePatch(USER_TYPE, body)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidSyntax' }),
    );
  });

  it('cannot make a list longer than its maximum', () => {
    const many = Array.from({ length: 150 }, (_, i) => `role ${i}`);
    const more = many.map((role) => `other ${role}`);
    const add = (value: readonly string[]) => ({ op: 'add', path: 'roles', value });
    expect(() => patched(add(many), add(more))).toThrow(
      expect.objectContaining({ scimType: 'invalidValue' }),
    );
    expect(patched(add(many), add(many)).roles).toHaveLength(150);
  });
});
