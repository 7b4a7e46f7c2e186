import type { GroupBody } from '../identity/groups.ts';
import type { NewToken, TokenBody } from '../identity/tokens.ts';
import type { UserBody, UserSettings } from '../identity/user-accounts.ts';

/** Users, groups and tokens for one principal (identity 1, 2); each method rejects with a ServiceError. */
export interface AccountsApi {
  readonly users: UsersApi;
  readonly groups: GroupsApi;
  readonly tokens: TokensApi;
}

interface UsersApi {
  list(): Promise<readonly UserBody[]>;
  get(userName: string): Promise<UserBody>;
  create(userName: string, settings: UserSettings): Promise<UserBody>;
  set(userName: string, settings: UserSettings): Promise<UserBody>;
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
  /** `token` is the token itself, which nothing gives again. */
  create(given: NewToken): Promise<{ readonly token: string; readonly body: TokenBody }>;
  delete(token: string, owner?: string): Promise<void>;
}

export type { GroupBody, TokenBody, UserSettings };
