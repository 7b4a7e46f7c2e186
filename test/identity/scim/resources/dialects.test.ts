import { describe, expect, it } from 'vitest';
import { GROUP_TYPE } from '../../../../src/identity/scim/resources/group-schema.ts';
import { CORE_USER, ENTERPRISE, patch, pictureOfGlobals, read } from '../protocol/patching.ts';

const ANN = { userName: 'ann', emails: [{ value: 'ann@b.c', type: 'work', primary: true }] };
const TEAM = { displayName: 'team', members: [{ value: '1' }, { value: '2' }, { value: '3' }] };

/**
 * A row of the table of accepted forms (docs/reference/scim-changes.md#accepted-forms): the operations and their
 * result.
 */
interface Row {
  readonly row: number;
  readonly what: string;
  readonly from?: object;
  readonly operations: readonly object[];
  readonly to: object;
}

const USER_ROWS: readonly Row[] = [
  {
    row: 1,
    what: 'the string "False" for a boolean',
    operations: [{ op: 'Replace', path: 'active', value: 'False' }],
    to: { ...ANN, active: false },
  },
  {
    row: 2,
    what: 'an object without a path',
    operations: [{ op: 'replace', value: { active: false } }],
    to: { ...ANN, active: false },
  },
  {
    row: 3,
    what: 'the string "False" without a path',
    operations: [{ op: 'Replace', value: { active: 'False' } }],
    to: { ...ANN, active: false },
  },
  {
    row: 5,
    what: 'a selected value that exists',
    operations: [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@b.c' }],
    to: { ...ANN, emails: [{ value: 'new@b.c', type: 'work', primary: true }] },
  },
  {
    row: 6,
    what: 'an add to a selected value that does not exist',
    operations: [{ op: 'Add', path: 'emails[type eq "home"].value', value: 'home@b.c' }],
    to: { ...ANN, emails: [...ANN.emails, { type: 'home', value: 'home@b.c' }] },
  },
  {
    row: 7,
    what: 'a replace of a selected value that does not exist',
    operations: [{ op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '1' }],
    to: { ...ANN, phoneNumbers: [{ type: 'mobile', value: '1' }] },
  },
  {
    row: 8,
    what: 'a dotted name without a path',
    operations: [{ op: 'replace', value: { 'name.givenName': 'Ann' } }],
    to: { ...ANN, name: { givenName: 'Ann' } },
  },
  {
    row: 9,
    what: 'an attribute of the extension as path',
    operations: [{ op: 'Add', path: `${ENTERPRISE}:organization`, value: 'Sales' }],
    to: { ...ANN, [ENTERPRISE]: { organization: 'Sales' } },
  },
  {
    row: 10,
    what: 'an attribute of the extension as key',
    operations: [{ op: 'replace', value: { [`${ENTERPRISE}:department`]: 'Sales' } }],
    to: { ...ANN, [ENTERPRISE]: { department: 'Sales' } },
  },
  {
    row: 11,
    what: 'the whole extension as key',
    from: { ...ANN, [ENTERPRISE]: { division: 'EU' } },
    operations: [{ op: 'replace', value: { [ENTERPRISE.toUpperCase()]: { department: 'Sales' } } }],
    to: { ...ANN, [ENTERPRISE]: { division: 'EU', department: 'Sales' } },
  },
  {
    row: 12,
    what: 'the whole extension as path, which is merged',
    from: { ...ANN, [ENTERPRISE]: { division: 'EU', superUser: true } },
    operations: [{ op: 'Replace', path: ENTERPRISE, value: { division: 'US' } }],
    to: { ...ANN, [ENTERPRISE]: { division: 'US', superUser: true } },
  },
  {
    row: 13,
    what: 'a string for a boolean in the filter',
    from: { ...ANN, roles: [{ value: 'VIEWER' }, { value: 'EDITOR', primary: true }] },
    operations: [{ op: 'Replace', path: 'roles[primary eq "True"].value', value: 'ADMIN' }],
    to: { ...ANN, roles: [{ value: 'VIEWER' }, { value: 'ADMIN', primary: true }] },
  },
  {
    row: 13,
    what: 'the same, when no value is primary',
    operations: [{ op: 'Add', path: 'roles[primary eq "True"].value', value: 'ADMIN' }],
    to: { ...ANN, roles: [{ value: 'ADMIN', primary: true }] },
  },
  {
    row: 23,
    what: 'names in any case',
    operations: [{ op: 'REPLACE', path: 'DisplayName', value: 'Ann' }],
    to: { ...ANN, displayName: 'Ann' },
  },
  {
    row: 26,
    what: 'an identifier, which stays unchanged',
    operations: [
      { op: 'replace', path: 'id', value: 'x' },
      { op: 'replace', path: 'meta.version', value: 'x' },
      { op: 'remove', path: 'id' },
      { op: 'replace', value: { id: 'x', meta: {}, schemas: [], title: 'CEO' } },
    ],
    to: { ...ANN, title: 'CEO' },
  },
  {
    row: 34,
    what: 'escaped quotes',
    from: { ...ANN, emails: [{ value: '"a\\b"@c', type: 'work' }] },
    operations: [{ op: 'Remove', path: 'emails[value eq "\\"a\\\\b\\"@c"]' }],
    to: { userName: 'ann' },
  },
];

const GROUP_ROWS: readonly Row[] = [
  {
    row: 14,
    what: 'a member with an empty $ref',
    operations: [{ op: 'Add', path: 'members', value: [{ $ref: null, value: '4' }] }],
    to: { ...TEAM, members: [...TEAM.members, { value: '4' }] },
  },
  {
    row: 15,
    what: 'the same member twice, and an existing member',
    operations: [{ op: 'Add', path: 'members', value: [{ value: '4' }, { value: '4' }, { value: '1' }] }],
    to: { ...TEAM, members: [...TEAM.members, { value: '4' }] },
  },
  {
    row: 16,
    what: 'a list of members to remove',
    operations: [{ op: 'Remove', path: 'members', value: [{ value: '1' }, { value: '9' }] }],
    to: { ...TEAM, members: [{ value: '2' }, { value: '3' }] },
  },
  {
    row: 16,
    what: 'an empty list of members to remove',
    operations: [{ op: 'Remove', path: 'members', value: [] }],
    to: TEAM,
  },
  {
    row: 17,
    what: 'a selected member',
    operations: [{ op: 'remove', path: 'members[value eq "2"]' }],
    to: { ...TEAM, members: [{ value: '1' }, { value: '3' }] },
  },
  {
    row: 18,
    what: 'a selected user who is not a member',
    operations: [{ op: 'remove', path: 'members[value eq "9"]' }],
    to: TEAM,
  },
  {
    row: 19,
    what: 'all members at once',
    operations: [{ op: 'replace', path: 'members', value: [{ value: '7' }] }],
    to: { displayName: 'team', members: [{ value: '7' }] },
  },
  {
    row: 20,
    what: 'a new name together with the identifier',
    operations: [{ op: 'replace', value: { id: 'x', displayName: 'crew' } }],
    to: { ...TEAM, displayName: 'crew' },
  },
  {
    row: 21,
    what: 'all members removed',
    operations: [{ op: 'remove', path: 'members' }],
    to: { displayName: 'team' },
  },
  {
    row: 22,
    what: 'one member without a list',
    operations: [{ op: 'add', path: 'members', value: { value: '4' } }],
    to: { ...TEAM, members: [...TEAM.members, { value: '4' }] },
  },
  {
    row: 23,
    what: 'names in any case',
    operations: [{ op: 'Replace', path: 'DisplayName', value: 'crew' }],
    to: { ...TEAM, displayName: 'crew' },
  },
];

describe('PATCH requests in the form of identity providers', () => {
  it.each(USER_ROWS)('row $row, users: $what', ({ from = ANN, operations, to }) => {
    expect(patch(from, operations)).toEqual(to);
  });

  it.each(GROUP_ROWS)('row $row, groups: $what', ({ from = TEAM, operations, to }) => {
    expect(patch(from, operations, GROUP_TYPE)).toEqual(to);
  });

  it.each([
    [4, { op: 'replace', path: 'active', value: 'maybe' }, 'invalidValue'],
    [4, { op: 'replace', value: { ACTIVE: 'maybe' } }, 'invalidValue'],
    [24, { op: 'remove' }, 'noTarget'],
    [24, { op: 'remove', path: ' ' }, 'noTarget'],
    [25, { op: 'move', path: 'title' }, 'invalidSyntax'],
    [25, { path: 'title', value: 'CEO' }, 'invalidSyntax'],
  ])('row %i: %j is refused as %s', (_row, operation, scimType) => {
    expect(() => patch(ANN, [operation])).toThrow(expect.objectContaining({ status: 400, scimType }));
  });

  it.each(
    ['__proto__', 'constructor', 'toString', 'prototype', 'hasOwnProperty', '__defineGetter__'].flatMap(
      (name) => [
        [`{"op":"add","path":"${name}","value":{"polluted":1}}`],
        [`{"op":"add","path":"${name}.polluted","value":1}`],
        [`{"op":"add","path":"name.${name}","value":1}`],
        [`{"op":"add","path":"emails[${name} eq \\"1\\"].value","value":"1"}`],
        [`{"op":"add","path":"${name}[value eq \\"1\\"].value","value":"1"}`],
        [`{"op":"add","path":"emails[type eq \\"1\\"].${name}","value":"1"}`],
        [`{"op":"add","path":"${ENTERPRISE}:${name}","value":"1"}`],
        [`{"op":"remove","path":"${name}.polluted"}`],
        [`{"op":"add","value":{"${name}":{"polluted":1}}}`],
        [`{"op":"add","value":{"${name}.polluted":1}}`],
        [`{"op":"add","value":{"name":{"${name}":{"polluted":1}}}}`],
        [`{"op":"add","value":{"emails":[{"${name}":{"polluted":1}}]}}`],
        [`{"op":"add","value":{"${ENTERPRISE}":{"${name}":{"polluted":1}}}}`],
        [`{"op":"add","value":{"${CORE_USER}":{"${name}":{"polluted":1}}}}`],
      ],
    ),
  )('row 27: %s is refused, and no object gets a property', (operation) => {
    const before = pictureOfGlobals();
    expect(() => patch(ANN, [JSON.parse(operation)])).toThrow(expect.objectContaining({ status: 400 }));
    expect(pictureOfGlobals()).toEqual(before);
    expect('polluted' in {}).toBe(false);
  });

  it('row 27: such words are normal strings in values', () => {
    const emails = [{ value: '__proto__', type: 'work' }, { value: 'constructor' }];
    expect(
      patch({ ...ANN, emails }, [{ op: 'remove', path: 'emails[value eq "constructor" or type pr]' }]),
    ).toEqual({
      userName: 'ann',
    });
  });

  it('row 39: a body under the URN of its schema', () => {
    const body = {
      schemas: [CORE_USER],
      [CORE_USER.toLowerCase()]: { UserName: 'ann', name: { familyName: 'B' } },
    };
    expect(read(body)).toEqual({ userName: 'ann', name: { familyName: 'B' } });
    expect(read({ [`${CORE_USER}:userName`]: 'ann', [`${CORE_USER}:name.familyName`]: 'B' })).toEqual(
      read(body),
    );
  });
});
