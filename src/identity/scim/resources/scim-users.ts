import { MAX_NAME_LENGTH } from '../../../errors/fields.ts';
import { elementAt } from '../../../invariants/must.ts';
import { changeAccount, createAccount, deleteAccount } from '../../accounts/change-account.ts';
import { checkEmail, checkName, checkText, checkUserName } from '../../check-text.ts';
import { checkMayWrite } from '../../context/account-context.ts';
import { findPasswordWeakness } from '../../passwords/find-password-weakness.ts';
import { findPasswordError } from '../../passwords/passwords.ts';
import type { User, UserChange } from '../../records/users.ts';
import { applyOperation } from '../protocol/apply-operation.ts';
import { scimErrors } from '../protocol/errors.ts';
import { printList, readRange } from '../protocol/page.ts';
import { parsePatch } from '../protocol/parse-patch.ts';
import { readResource } from '../protocol/read-resource.ts';
import { createObject } from '../protocol/read-value.ts';
import type { ScimObject } from '../protocol/resource.ts';
import type { Projection, ScimAnswer, ScimChange, ScimResources } from '../protocol/scim-api.ts';
import { checkVersion, printVersion } from '../protocol/version.ts';
import { listUsers, printUsers } from './list-users.ts';
import {
  checkNewUser,
  checkPasswordChange,
  checkUserDeletion,
  checkUserRevision,
} from './provisioning-limits.ts';
import { asClient, type ScimClient, type ScimContext } from './scim-context.ts';
import {
  dropEmpty,
  findChange,
  isExternal,
  locateUser,
  replaceDocument,
  toUserDocument,
} from './user-document.ts';
import { USER_TYPE } from './user-schema.ts';

/** Users for a provisioning service (docs/reference/scim-users.md). */
export function createScimUsers(context: ScimContext, client: ScimClient): ScimResources {
  const { principal, base } = client;
  const answer = (user: User, projection: Projection) => answerUser(context, base, user, projection);

  return {
    list: async (query) =>
      asClient(context, client, 'read', () => {
        const range = readRange(query);
        return printList(range, listUsers(context, base, query, range));
      }),
    get: async (id, projection) =>
      asClient(context, client, 'read', () => answer(getUser(context, id), projection)),
    create: async (body, projection) => {
      checkMayWrite(context, principal, 'scim');
      const document = dropEmpty(readResource(USER_TYPE, body));
      const { hash, warning } = await extractPassword(context, document);
      return asClient(context, client, 'write', () => {
        const fields = checkChange(findChange(null, createObject(), document));
        const userName = document.userName as string;
        checkNewUser(principal, fields);
        const user = { ...fields, ...withHash(hash), userName, origin: 'scim' } as const;
        const made = createAccount(context, principal, user);
        warnOf(context, client, warning);
        return answer(made, projection);
      });
    },
    replace: (id, body, options) =>
      change(context, client, id, options, (before) =>
        replaceDocument(before, readResource(USER_TYPE, body)),
      ),
    patch: (id, body, options) =>
      change(context, client, id, options, (document) => {
        for (const operation of parsePatch(USER_TYPE, body)) applyOperation(document, operation);
        return dropEmpty(document);
      }),
    delete: async (id, { ifMatch }) =>
      asClient(context, client, 'write', () => {
        const user = getUser(context, id);
        checkVersion(ifMatch, user.revision);
        checkUserDeletion(principal, user);
        deleteAccount(context, principal, user);
      }),
  };
}

/**
 * Changes a user to the document that `revise` returns, in one transaction. When the change sets a password, the
 * transaction ends, the password is hashed, and the change starts again.
 */
async function change(
  context: ScimContext,
  client: ScimClient,
  id: string,
  { ifMatch, projection }: ScimChange,
  revise: (document: ScimObject) => ScimObject,
): Promise<ScimAnswer> {
  const attempt = (password: ExtractedPassword | null) =>
    asClient(context, client, 'write', () => {
      const user = getUser(context, id);
      checkVersion(ifMatch, user.revision);
      const after = revise(toUserDocument(user));
      if (hasPassword(after)) checkPasswordChange(client.principal, user);
      if (password === null && hasPassword(after)) return { status: 'unhashed', after } as const;
      const changed = changeUser(context, client, user, after, password ?? NO_PASSWORD);
      return { status: 'done', answer: answerUser(context, client.base, changed, projection) } as const;
    });

  checkMayWrite(context, client.principal, 'scim');
  for (let password: ExtractedPassword | null = null; ; ) {
    const attempted = attempt(password);
    if (attempted.status === 'done') return attempted.answer;
    password = await extractPassword(context, attempted.after);
  }
}

/** Changes a user to the values of a document. */
function changeUser(
  context: ScimContext,
  client: ScimClient,
  user: User,
  after: ScimObject,
  { hash, warning }: ExtractedPassword,
): User {
  const before = toUserDocument(user);
  const fields = checkChange(findChange(user, before, after));
  const isExternalNow = isExternal(after) ?? user.external;
  const passwordHash = isExternalNow ? undefined : hash;
  const whole = { ...fields, ...withHash(passwordHash) };
  checkUserRevision(context, client.principal, user, { change: whole, before, after });
  const isSame = Object.keys(whole).length === 0;
  const changed = isSame ? user : changeAccount(context, client.principal, user, whole);
  if (passwordHash !== undefined) warnOf(context, client, warning);
  return changed;
}

/** Writes a warning to the log after the current transaction is committed. */
function warnOf({ database }: ScimContext, { warn }: ScimClient, warning: string | null): void {
  if (warning !== null) database.afterCommit(() => warn(warning));
}

function getUser({ users }: ScimContext, id: string): User {
  const user = users.findById(id);
  if (user === undefined) throw scimErrors.notFound(id);
  return user;
}

function answerUser(context: ScimContext, base: string, user: User, projection: Projection): ScimAnswer {
  return {
    id: user.id,
    version: printVersion(user.revision),
    location: locateUser(user.id, base),
    resource: elementAt(printUsers(context, base, [user], projection), 0),
  };
}

function withHash(passwordHash: string | undefined): UserChange {
  return passwordHash === undefined ? {} : { passwordHash };
}

/** Throws 400 for values that an account cannot have, as the command line does. */
function checkChange(change: UserChange): UserChange {
  if (change.userName !== undefined) checkUserName(change.userName);
  if (change.email) checkEmail(change.email);
  if (change.displayName !== undefined) checkText('Display name', change.displayName, MAX_NAME_LENGTH);
  if (change.role !== undefined) checkName('Role', change.role);
  return change;
}

/** The hash of a password in a document. */
interface ExtractedPassword {
  /** Undefined when the document has no password. */
  readonly hash: string | undefined;
  /** A warning for the log, written after the password is set, when it is easily guessed; otherwise null. */
  readonly warning: string | null;
}

/** The result for a document without a password. */
const NO_PASSWORD: ExtractedPassword = { hash: undefined, warning: null };

/** Whether a document has a password, and its user does not sign in elsewhere. */
function hasPassword(document: ScimObject): document is ScimObject & { readonly password: string } {
  return typeof document.password === 'string' && isExternal(document) !== true;
}

/**
 * Hashes the password of a document; ignores it when the user signs in elsewhere. Accepts a password that is easily
 * guessed, because no person is present who could choose another one. Throws 400, and 503 when too many passwords are
 * being hashed.
 */
async function extractPassword(
  { passwords }: Pick<ScimContext, 'passwords'>,
  document: ScimObject,
): Promise<ExtractedPassword> {
  if (!hasPassword(document)) return NO_PASSWORD;
  const { password, userName, emails = [] } = document;
  const error = findPasswordError(password);
  if (error !== null) throw scimErrors.invalidValue('password', `was refused: ${error}`);
  const addresses = (emails as readonly ScimObject[]).map(({ value }) => String(value));
  const weakness = await findPasswordWeakness(password, [String(userName), ...addresses]);
  const warning = weakness && `the password that was set for ${userName} is easily guessed: ${weakness}`;
  return { hash: await passwords.hash(password), warning };
}
