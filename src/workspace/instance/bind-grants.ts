import type { GrantService } from '../../identity/grants/grants.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import type { GrantsApi } from '../api/accounts-api.ts';

/** Grants and restrictions for one principal. */
export function bindGrants(grants: GrantService, principal: Principal): GrantsApi {
  return {
    list: async (target) => grants.list(principal, target),
    set: async (given) => grants.set(principal, given),
    delete: async (subject, target) => grants.delete(principal, subject, target),
    restrict: async (path, isRestricted) => grants.restrict(principal, path, isRestricted),
    explain: async (userName, target) => grants.explain(principal, userName, target),
  };
}
