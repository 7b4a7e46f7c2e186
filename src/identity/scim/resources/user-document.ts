import { isDeepStrictEqual } from 'node:util';
import { elementAt, present } from '../../../invariants/must.ts';
import { findStrongestRole, isAdministrator, roleOf, toStoredRole } from '../../principal/roles.ts';
import type { MembershipRow } from '../../records/group-store.ts';
import { findEmailIn, type User, type UserChange } from '../../records/users.ts';
import { mergeObjects } from '../protocol/merge-elements.ts';
import { createObject } from '../protocol/read-value.ts';
import type { ScimObject, ScimValue } from '../protocol/resource.ts';
import { printVersion } from '../protocol/version.ts';
import { USER_TYPE } from './user-schema.ts';

// The document of a user, and the account. What a column holds is in the column alone; the lists of e-mail addresses and
// roles are kept as they came, and where an account was changed elsewhere the columns count.

const ENTERPRISE = elementAt(USER_TYPE.extensions, 0).id;

/** A user as it is answered (interface 2.8); `groups` are those that the user is in. */
export function printUser(user: User, groups: readonly MembershipRow[], base: string): ScimObject {
  const document = readDocument(user);
  return {
    emails: [],
    roles: [],
    ...document,
    schemas: [USER_TYPE.schema.id, ENTERPRISE],
    id: user.id,
    meta: {
      resourceType: USER_TYPE.name,
      created: user.createdAt,
      lastModified: user.updatedAt,
      location: locateUser(user.id, base),
      version: printVersion(user.revision),
    },
    [ENTERPRISE]: { ...(document[ENTERPRISE] as ScimObject), superUser: user.superUser },
    groups: groups.map((group) => printMembership(group, base)),
  };
}

/** The URL of a user. */
export function locateUser(id: string, base: string): string {
  return `${base}${USER_TYPE.endpoint}/${id}`;
}

/** What a client can say of a user, as it is, without a prototype; but the password and `superUser`. */
export function readDocument(user: User): ScimObject {
  const stored = readStored(user);
  const { externalId, displayName, userName, active, external } = user;
  const document = mergeObjects(stored, {
    ...(externalId === null ? {} : { externalId }),
    userName,
    ...(displayName === '' ? {} : { displayName }),
    active,
    emails: listEmails(user, listObjects(stored.emails)),
    roles: listRoles(user, listObjects(stored.roles)),
    [ENTERPRISE]: mergeObjects(DEFAULT_STATUS, {
      ...(stored[ENTERPRISE] as ScimObject | undefined),
      external,
    }),
  });
  return dropEmpty(document);
}

/** What was said of a user that no column holds, without prototypes. */
function readStored(user: User | null): ScimObject {
  return toBare(JSON.parse(user?.attributes ?? '{}')) as ScimObject;
}

const DEFAULT_STATUS: ScimObject = { userStatus: 'CONFIRMED' };

/**
 * What a user is to be after PUT: what the body says; where it says nothing of whether the user is active, of the roles,
 * and of the enterprise object, that stays (identity 3).
 */
export function replaceDocument(before: ScimObject, body: ScimObject): ScimObject {
  const { active, roles, [ENTERPRISE]: extension } = before;
  const { external } = extension as ScimObject;
  const given = body[ENTERPRISE] as ScimObject | undefined;
  const kept = {
    ...(active === undefined ? {} : { active }),
    ...(roles === undefined ? {} : { roles }),
    [ENTERPRISE]:
      given === undefined
        ? present(extension)
        : mergeObjects({ ...DEFAULT_STATUS, external: present(external) }, given),
  };
  const { [ENTERPRISE]: _, ...others } = dropEmpty(body);
  return mergeObjects(kept, others);
}

/** Takes empty lists, which are the same as none (RFC 7643, 2.5), out of a document, and answers it. */
export function dropEmpty(document: ScimObject): ScimObject {
  for (const [name, value] of Object.entries(document)) {
    if (Array.isArray(value) && value.length === 0) delete document[name];
  }
  return document;
}

/** Whether a document says that its user signs in elsewhere; undefined where it says nothing. */
export function isExternal(document: ScimObject): boolean | undefined {
  return (document[ENTERPRISE] as ScimObject | undefined)?.external as boolean | undefined;
}

/**
 * What is to be changed of an account so that it is as its document says, all but the password; `before` is the document of
 * the account, an empty one for an account that is to be made. Empty for nothing.
 */
export function findChange(user: User | null, before: ScimObject, after: ScimObject): UserChange {
  const { userName, displayName = '', externalId = null, active, emails } = after;
  const external = isExternal(after);
  const email = findPrimary(listObjects(emails))?.value || findEmailIn(userName as string) || '';
  const wanted = {
    userName,
    email,
    displayName,
    externalId,
    ...(active === undefined ? {} : { active }),
    ...(external === undefined ? {} : { external }),
    attributes: JSON.stringify(toStored(readStored(user), before, after)),
  } as UserChange;
  return { ...listDifferences(user, wanted), ...findRights(user, before, after) };
}

/** What no column holds; lists that were not changed stay as they were said. */
function toStored(stored: ScimObject, before: ScimObject, after: ScimObject): ScimObject {
  const { userName: _, displayName: _d, active: _a, externalId: _i, password: _p, ...rest } = after;
  const { superUser: _s, external: _e, userStatus, ...extension } = (after[ENTERPRISE] ?? {}) as ScimObject;
  if (userStatus !== undefined && userStatus !== DEFAULT_STATUS.userStatus) extension.userStatus = userStatus;
  for (const name of ['emails', 'roles']) {
    if (isDeepStrictEqual(after[name], before[name])) rest[name] = stored[name] ?? [];
  }
  if (Object.keys(extension).length === 0) delete rest[ENTERPRISE];
  else rest[ENTERPRISE] = extension;
  return sortNames(dropEmpty(rest));
}

/** In one order, so that what is the same is the same text. */
function sortNames(object: ScimObject): ScimObject {
  const entries = Object.entries(object).map(([name, value]): [string, ScimValue] =>
    Array.isArray(value) || typeof value !== 'object'
      ? [name, value]
      : [name, sortNames(value as ScimObject)],
  );
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** What a new account has unless something is said. */
const NEW: UserChange = {
  displayName: '',
  externalId: null,
  external: false,
  active: true,
  attributes: '{}',
};

function listDifferences(user: User | null, wanted: UserChange): UserChange {
  const current: UserChange = { ...NEW, ...user, email: user?.email ?? '', role: '' };
  const names = Object.keys(wanted) as (keyof UserChange)[];
  return Object.fromEntries(
    names.filter((name) => wanted[name] !== current[name]).map((name) => [name, wanted[name]]),
  );
}

/** `superUser` counts before roles that say something else; of roles the primary one, else the strongest. */
function findRights(user: User | null, before: ScimObject, after: ScimObject): UserChange {
  const superUser = (after[ENTERPRISE] as ScimObject | undefined)?.superUser;
  const isListed = !isDeepStrictEqual(before.roles, after.roles);
  const isSame = superUser === undefined || superUser === (user?.superUser ?? false);
  if (!isListed && isSame) return {};
  if (superUser === true) return isSame ? {} : { superUser };
  const roles = listObjects(after.roles);
  const role = findRole(superUser === false ? roles.filter((one) => !isAdministratorRole(one)) : roles);
  return role === undefined ? { superUser: false } : { superUser: isAdministrator(role), role };
}

function isAdministratorRole({ value }: ScimObject): boolean {
  return typeof value === 'string' && isAdministrator(value);
}

function findRole(roles: readonly ScimObject[]): string | undefined {
  const named = roles.filter(({ value }) => typeof value === 'string' && value !== '');
  const primary = named.find((role) => role.primary === true);
  return (
    (primary?.value as string | undefined) ?? findStrongestRole(named.map(({ value }) => value as string))
  );
}

/** The roles as they were said; where the account has another, that one first. */
function listRoles(user: User, said: readonly ScimObject[]): readonly ScimObject[] {
  const role = findRole(said);
  const effective = roleOf(user);
  const isNone = role === undefined && !user.superUser && user.role === null;
  if (isNone || (role !== undefined && toStoredRole(role) === effective)) return said;
  const others = said.filter(
    ({ value }) =>
      toStoredRole(String(value)) !== effective && !(isAdministrator(String(value)) && !user.superUser),
  );
  return [
    mergeObjects({ value: effective, primary: true }, {}),
    ...others.map(({ primary: _, ...other }) => mergeObjects(other, {})),
  ];
}

/** The e-mail addresses as they were said; where the account has another, that one in place of the primary one. */
function listEmails({ email }: User, said: readonly ScimObject[]): readonly ScimObject[] {
  const primary = findPrimary(said);
  if (((primary?.value as string | undefined) || null) === email) return said;
  if (email === null) return [];
  if (primary === undefined) return [mergeObjects({ value: email, type: 'work', primary: true }, {})];
  return said.map((one) => (one === primary ? mergeObjects(one, { value: email }) : one));
}

/** The one that is said to be the primary one, else that of work, else the first. */
function findPrimary(emails: readonly ScimObject[]): ScimObject | undefined {
  return (
    emails.find(({ primary }) => primary === true) ??
    emails.find(({ type }) => String(type).toLowerCase() === 'work') ??
    emails[0]
  );
}

function printMembership({ id, name }: MembershipRow, base: string): ScimObject {
  return { value: id, $ref: `${base}/Groups/${id}`, display: name, type: 'direct' };
}

function listObjects(value: ScimValue | undefined): readonly ScimObject[] {
  return (value ?? []) as readonly ScimObject[];
}

/** The same without prototypes. */
function toBare(value: ScimValue): ScimValue {
  if (Array.isArray(value)) return value.map(toBare);
  if (typeof value !== 'object') return value;
  const object = createObject();
  for (const [name, inner] of Object.entries(value)) object[name] = toBare(inner);
  return object;
}
