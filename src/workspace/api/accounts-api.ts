import type { GroupBody, GroupService } from '../../identity/accounts/groups.ts';
import type { OwnAccount } from '../../identity/accounts/own-account.ts';
import type { UserAccounts, UserBody, UserSettings } from '../../identity/accounts/user-accounts.ts';
import type { AuditEntry } from '../../identity/audit/audit.ts';
import type { AuditTrail } from '../../identity/context/audit-trail.ts';
import type { ReasonBody } from '../../identity/grants/explain-level.ts';
import type { GrantService } from '../../identity/grants/grants.ts';
import type { LogRange } from '../../identity/log-range.ts';
import type { TokenBody, TokenService } from '../../identity/tokens/tokens.ts';
import type { Bound } from './bound.ts';
import type { SamlApi } from './saml-api.ts';

/**
 * Users, groups, tokens and grants for one principal (docs/reference/accounts.md, docs/reference/permissions.md); each
 * method rejects with a ServiceError.
 */
export interface AccountsApi {
  readonly users: Bound<UserAccounts, 'administratorHasPassword'>;
  readonly profile: Bound<OwnAccount>;
  readonly groups: Bound<GroupService>;
  readonly tokens: Bound<TokenService>;
  readonly grants: Bound<GrantService>;
  readonly audit: Bound<AuditTrail>;
  readonly saml: SamlApi;
}

export type { AuditEntry, GroupBody, LogRange, ReasonBody, TokenBody, UserBody, UserSettings };
