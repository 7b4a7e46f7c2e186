import type { GroupBody } from '../../identity/accounts/groups.ts';
import type { UserBody, UserPage, UserSettings } from '../../identity/accounts/user-accounts.ts';
import type { AuditEntry } from '../../identity/audit/audit.ts';
import type { AuditFilter } from '../../identity/context/audit-trail.ts';
import type { ExplanationBody, ReasonBody } from '../../identity/grants/explain-level.ts';
import type { GrantBody, GrantListing, NewGrant, RestrictionBody } from '../../identity/grants/grants.ts';
import type { LogRange } from '../../identity/log-range.ts';
import type { NewToken, TokenBody } from '../../identity/tokens/tokens.ts';
import type { SamlApi } from './saml-api.ts';

/** Users, groups, tokens and grants for one principal (identity 1, 2); each method rejects with a ServiceError. */
export interface AccountsApi {
  readonly users: UsersApi;
  readonly groups: GroupsApi;
  readonly tokens: TokensApi;
  readonly grants: GrantsApi;
  readonly audit: AuditApi;
  readonly saml: SamlApi;
}

interface UsersApi {
  /** All of them where no page is asked for. */
  list(page?: UserPage): Promise<readonly UserBody[]>;
  get(userName: string): Promise<UserBody>;
  /** The caller's own account. */
  getOwn(): Promise<UserBody>;
  create(userName: string, settings: UserSettings): Promise<UserBody>;
  set(userName: string, settings: UserSettings): Promise<UserBody>;
  /** Gives a user, the caller for no name, another password, whatever is known of the one that is there. */
  resetPassword(userName: string | undefined, password: NewPassword): Promise<UserBody>;
  /** Whether somebody can sign in as an administrator. */
  administratorHasPassword(): Promise<boolean>;
  delete(userName: string): Promise<void>;
}

interface GroupsApi {
  list(): Promise<readonly GroupBody[]>;
  get(name: string): Promise<GroupBody>;
  create(name: string, displayName?: string): Promise<GroupBody>;
  addMembers(name: string, userNames: readonly string[]): Promise<GroupBody>;
  removeMembers(name: string, userNames: readonly string[]): Promise<GroupBody>;
  delete(name: string): Promise<void>;
}

/** Without an owner, the caller's own tokens are meant. */
interface TokensApi {
  list(owner?: string): Promise<readonly TokenBody[]>;
  /** One of them by its name or id. */
  get(token: string, owner?: string): Promise<TokenBody>;
  /** `token` is the token itself, which nothing gives again. */
  create(given: NewToken): Promise<{ readonly token: string; readonly body: TokenBody }>;
  delete(token: string, owner?: string): Promise<void>;
}

/** A target is a catalog path, or `connection:NAME`. Without one, all grants are meant. */
export interface GrantsApi {
  list(target?: string): Promise<GrantListing>;
  set(given: NewGrant): Promise<GrantBody>;
  delete(subject: string, target: string): Promise<void>;
  restrict(path: string, isRestricted: boolean): Promise<RestrictionBody>;
  explain(userName: string, target: string): Promise<ExplanationBody>;
}

/** What was done, newest first. */
interface AuditApi {
  list(filter: AuditFilter): Promise<readonly AuditEntry[]>;
}

type NewPassword = Pick<UserSettings, 'passwordIsTyped'> & { readonly password: string };

export type { AuditEntry, GroupBody, LogRange, ReasonBody, TokenBody, UserBody, UserSettings };
