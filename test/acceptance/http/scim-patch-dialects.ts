import { expect } from 'vitest';
import { ENTERPRISE } from '../../support/scim.ts';
import { add, type Dialect, ids, membersOf, remove, replace } from './scim-dialect-world.ts';

/** Rows 1 to 23: the notations and effects of PATCH. */
export const PATCH_DIALECTS: readonly Dialect[] = [
  [
    1,
    'Replace active "False" is a boolean',
    async ({ changeUser }) => expect((await changeUser({}, replace('active', 'False'))).active).toBe(false),
  ],
  [
    2,
    'pathless {"active":false}',
    async ({ changeUser }) =>
      expect((await changeUser({}, replace(undefined, { active: false }))).active).toBe(false),
  ],
  [
    3,
    'pathless "False"',
    async ({ changeUser }) =>
      expect((await changeUser({}, replace(undefined, { active: 'False' }))).active).toBe(false),
  ],
  [
    4,
    'active "maybe" is 400 invalidValue',
    async ({ refuseUser }) => {
      await refuseUser('invalidValue', replace('active', 'maybe'));
      await refuseUser('invalidValue', replace(undefined, { active: 'maybe' }));
    },
  ],
  [
    5,
    'emails[type eq "work"].value that is there',
    async ({ changeUser, mail }) => {
      const emails = [
        { value: mail(), type: 'work', primary: true },
        { value: mail(), type: 'home' },
      ];
      const value = mail();
      const user = await changeUser({ emails }, replace('emails[type eq "work"].value', value));
      expect(user.emails).toEqual([
        expect.objectContaining({ ...emails[0], value }),
        expect.objectContaining(emails[1]),
      ]);
    },
  ],
  [
    6,
    'the same that is not there, Add makes it',
    async ({ changeUser, mail }) => {
      const value = mail();
      const user = await changeUser({}, add('emails[type eq "work"].value', value));
      expect(user.emails).toEqual([expect.objectContaining({ type: 'work', value })]);
    },
  ],
  [
    7,
    'the same that is not there, Replace makes it',
    async ({ changeUser, mail }) => {
      const [home, value] = [mail(), mail()];
      const user = await changeUser(
        { emails: [{ value: home, type: 'home', primary: true }] },
        replace('emails[type eq "work"].value', value),
      );
      expect(user.emails).toEqual([
        expect.objectContaining({ value: home, primary: true }),
        expect.objectContaining({ value, type: 'work' }),
      ]);
    },
  ],
  [
    8,
    'pathless "name.givenName"',
    async ({ changeUser }) => {
      const user = await changeUser(
        { name: { familyName: 'L' } },
        add(undefined, { 'name.givenName': 'Ada' }),
      );
      expect(user.name).toEqual({ familyName: 'L', givenName: 'Ada' });
    },
  ],
  [
    9,
    'the path urn:…:User:organization',
    async ({ changeUser }) => {
      const user = await changeUser({}, add(`${ENTERPRISE}:organization`, 'Mills'));
      expect(user[ENTERPRISE]).toMatchObject({ organization: 'Mills', userStatus: 'CONFIRMED' });
    },
  ],
  [
    10,
    'a pathless URN key of an attribute',
    async ({ changeUser }) => {
      const user = await changeUser({}, add(undefined, { [`${ENTERPRISE}:department`]: 'Grain' }));
      expect(user[ENTERPRISE]).toMatchObject({ department: 'Grain' });
    },
  ],
  [
    11,
    'a pathless URN key of the whole extension',
    async ({ changeUser }) => {
      const fields = { [ENTERPRISE]: { costCenter: '7' } };
      const user = await changeUser(fields, add(undefined, { [ENTERPRISE]: { department: 'Grain' } }));
      expect(user[ENTERPRISE]).toMatchObject({ department: 'Grain', costCenter: '7' });
    },
  ],
  [
    12,
    'the path is the URN of the extension, the value an object: merged',
    async ({ changeUser }) => {
      const fields = { [ENTERPRISE]: { costCenter: '7', department: 'Flour' } };
      const user = await changeUser(fields, replace(ENTERPRISE, { department: 'Grain' }));
      expect(user[ENTERPRISE]).toMatchObject({ department: 'Grain', costCenter: '7' });
    },
  ],
  [
    13,
    'roles[primary eq "True"].value',
    async ({ changeUser }) => {
      const roles = [{ value: 'EDITOR', primary: true }];
      const user = await changeUser({ roles }, replace('roles[primary eq "True"].value', 'VIEWER'));
      expect(user.roles).toEqual([expect.objectContaining({ value: 'VIEWER', primary: true })]);
    },
  ],
  [
    14,
    'a member with $ref: null',
    async ({ ada, changeGroup }) => {
      const group = await changeGroup([], add('members', [{ value: ada.id, $ref: null }]));
      expect(group.members).toEqual([expect.objectContaining({ value: ada.id, $ref: ada.meta.location })]);
    },
  ],
  [
    15,
    'the same member twice is one',
    async ({ ada, bob, changeGroup }) => {
      const twice = [{ value: bob.id }, { value: bob.id }];
      expect(membersOf(await changeGroup([ada], add('members', twice), add('members', twice)))).toEqual(
        ids(ada, bob),
      );
    },
  ],
  [
    16,
    'Remove members with a list of values',
    async ({ ada, bob, changeGroup }) => {
      const group = await changeGroup([ada, bob], remove('members', [{ value: bob.id }]));
      expect(membersOf(group)).toEqual([ada.id]);
    },
  ],
  [
    17,
    'members[value eq "x"]',
    async ({ ada, bob, changeGroup }) =>
      expect(membersOf(await changeGroup([ada, bob], remove(`members[value eq "${bob.id}"]`)))).toEqual([
        ada.id,
      ]),
  ],
  [
    18,
    'the same of no member is 200',
    async ({ ada, bob, changeGroup }) =>
      expect(membersOf(await changeGroup([ada], remove(`members[value eq "${bob.id}"]`)))).toEqual([ada.id]),
  ],
  [
    19,
    'replace members',
    async ({ ada, bob, changeGroup }) =>
      expect(membersOf(await changeGroup([ada], replace('members', [{ value: bob.id }])))).toEqual([bob.id]),
  ],
  [
    20,
    'rename with id in the value',
    async ({ provider, ada, newName, change }) => {
      const made = await provider.addGroup(newName(), [ada.id]);
      const displayName = newName();
      const group = await change('Groups', made, replace(undefined, { id: made.id, displayName }));
      expect(group).toMatchObject({ id: made.id, displayName, members: made.members });
    },
  ],
  [
    21,
    'remove all members',
    async ({ ada, bob, changeGroup }) =>
      expect(membersOf(await changeGroup([ada, bob], remove('members')))).toEqual([]),
  ],
  [
    22,
    'members as one object',
    async ({ ada, bob, changeGroup }) => {
      expect(membersOf(await changeGroup([ada], add('members', { value: bob.id })))).toEqual(ids(ada, bob));
      expect(membersOf(await changeGroup([ada], add(undefined, { members: { value: bob.id } })))).toEqual(
        ids(ada, bob),
      );
    },
  ],
  [
    23,
    'the path DisplayName',
    async ({ newName, changeUser, changeGroup }) => {
      expect((await changeUser({}, replace('DisplayName', 'x'))).displayName).toBe('x');
      const displayName = newName();
      expect((await changeGroup([], replace('DisplayName', displayName))).displayName).toBe(displayName);
    },
  ],
];
