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

// Converts between the document of a user and the account. A value that has a column is stored only there. The lists of
// e-mail addresses and roles are stored as the client sent them. When an account was changed elsewhere, the columns win.

const ENTERPRISE = elementAt(USER_TYPE.extensions, 0).id;

/** A user as responses have it (docs/reference/scim-users.md#attributes); `groups` are the groups of the user. */
export function printUser(user: User, groups: readonly MembershipRow[], base: string): ScimObject {
  const document = toUserDocument(user);
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

/**
 * The current values of the attributes that a client can set, except the password and `superUser`; without a
 * prototype.
 */
export function toUserDocument(user: User): ScimObject {
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

/** The parts of a user's name. */
interface NameParts {
  readonly givenName: string | null;
  readonly familyName: string | null;
}

/** The attributes without a column of a user with other parts of the name; null removes a part. */
export function replaceNameParts(user: Pick<User, 'attributes'> | null, parts: NameParts): string {
  const { name, ...others } = readStored(user);
  const { givenName: _, familyName: _f, ...otherParts } = (name ?? {}) as ScimObject;
  const newParts = Object.entries(parts).filter(([, part]) => part !== null);
  const whole = { ...otherParts, ...Object.fromEntries(newParts) };
  return JSON.stringify(sortNames(Object.keys(whole).length === 0 ? others : { ...others, name: whole }));
}

/** The attributes of a user that have no column, without prototypes. */
function readStored(user: Pick<User, 'attributes'> | null): ScimObject {
  return toBare(JSON.parse(user?.attributes ?? '{}')) as ScimObject;
}

const DEFAULT_STATUS: ScimObject = { userStatus: 'CONFIRMED' };

/**
 * The document of a user after PUT: the body, and the current values of `active`, `roles` and the enterprise object
 * when the body does not have them (docs/reference/scim-changes.md#put).
 */
export function replaceDocument(before: ScimObject, body: ScimObject): ScimObject {
  const { active, roles, [ENTERPRISE]: extension } = before;
  const { external } = extension as ScimObject;
  const newExtension = body[ENTERPRISE] as ScimObject | undefined;
  const defaults = {
    ...(active === undefined ? {} : { active }),
    ...(roles === undefined ? {} : { roles }),
    [ENTERPRISE]:
      newExtension === undefined
        ? present(extension)
        : mergeObjects({ ...DEFAULT_STATUS, external: present(external) }, newExtension),
  };
  const { [ENTERPRISE]: _, ...others } = dropEmpty(body);
  return mergeObjects(defaults, others);
}

/** Removes empty lists from a document, and returns it. An empty list means the same as absent (RFC 7643, 2.5). */
export function dropEmpty(document: ScimObject): ScimObject {
  for (const [name, value] of Object.entries(document)) {
    if (Array.isArray(value) && value.length === 0) delete document[name];
  }
  return document;
}

/** The value of `external`, whether the user signs in elsewhere; undefined when the document does not have it. */
export function isExternal(document: ScimObject): boolean | undefined {
  return (document[ENTERPRISE] as ScimObject | undefined)?.external as boolean | undefined;
}

/**
 * The changes of an account that make it equal to the document `after`, except the password. `before` is the current
 * document, or an empty one for a new account. An empty object when nothing changes.
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

/** The attributes without a column. Lists that did not change stay as the client sent them. */
function toStored(stored: ScimObject, before: ScimObject, after: ScimObject): ScimObject {
  const { userName: _, displayName: _d, active: _a, externalId: _i, password: _p, ...attributes } = after;
  const { superUser: _s, external: _e, userStatus, ...extension } = (after[ENTERPRISE] ?? {}) as ScimObject;
  if (userStatus !== undefined && userStatus !== DEFAULT_STATUS.userStatus) extension.userStatus = userStatus;
  for (const name of ['emails', 'roles']) {
    if (isDeepStrictEqual(after[name], before[name])) attributes[name] = stored[name] ?? [];
  }
  if (Object.keys(extension).length === 0) delete attributes[ENTERPRISE];
  else attributes[ENTERPRISE] = extension;
  return sortNames(dropEmpty(attributes));
}

/** Sorts names, so that equal objects have the same JSON text. */
function sortNames(object: ScimObject): ScimObject {
  const entries = Object.entries(object).map(([name, value]): [string, ScimValue] =>
    Array.isArray(value) || typeof value !== 'object'
      ? [name, value]
      : [name, sortNames(value as ScimObject)],
  );
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The defaults of a new account. */
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

/** `superUser` wins over contradicting roles. Of several roles the primary one counts, else the strongest. */
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

/** The roles as the client sent them. When the account has another role, that role comes first. */
function listRoles(user: User, sent: readonly ScimObject[]): readonly ScimObject[] {
  const role = findRole(sent);
  const effective = roleOf(user);
  const isNone = role === undefined && !user.superUser && user.role === null;
  if (isNone || (role !== undefined && toStoredRole(role) === effective)) return sent;
  const others = sent.filter(
    ({ value }) =>
      toStoredRole(String(value)) !== effective && !(isAdministrator(String(value)) && !user.superUser),
  );
  return [
    mergeObjects({ value: effective, primary: true }, {}),
    ...others.map(({ primary: _, ...other }) => mergeObjects(other, {})),
  ];
}

/** The e-mail addresses as the client sent them. When the account has another one, it replaces the primary address. */
function listEmails({ email }: User, sent: readonly ScimObject[]): readonly ScimObject[] {
  const primary = findPrimary(sent);
  if (((primary?.value as string | undefined) || null) === email) return sent;
  if (email === null) return [];
  if (primary === undefined) return [mergeObjects({ value: email, type: 'work', primary: true }, {})];
  return sent.map((one) => (one === primary ? mergeObjects(one, { value: email }) : one));
}

/** The address that is marked as primary, else the one of the type `work`, else the first. */
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

/** Copies a value so that its objects have no prototypes. */
function toBare(value: ScimValue): ScimValue {
  if (Array.isArray(value)) return value.map(toBare);
  if (typeof value !== 'object') return value;
  const object = createObject();
  for (const [name, inner] of Object.entries(value)) object[name] = toBare(inner);
  return object;
}
