import type { GrantService } from '../../identity/grants/grants.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import type { AccountsApi, GrantsApi } from '../api/accounts-api.ts';
import type { AccountServices } from '../services/services.ts';
import { bindSaml } from './bind-saml.ts';

/** Users, groups and tokens for one principal. */
export function bindAccounts(services: AccountServices, principal: Principal): AccountsApi {
  const { users, groups, tokens, grants, audit } = services;
  return {
    users: {
      list: async (page) => users.list(principal, page),
      get: async (userName) => users.get(principal, userName),
      getOwn: async () => users.getOwn(principal),
      create: (userName, settings) => users.create(principal, userName, settings),
      set: (userName, settings) => users.set(principal, userName, settings),
      resetPassword: (userName = principal.userName, password) => users.set(principal, userName, password),
      administratorHasPassword: async () => users.administratorHasPassword(),
      delete: async (userName) => users.delete(principal, userName),
    },
    grants: bindGrants(grants, principal),
    groups: {
      list: async () => groups.list(principal),
      get: async (name) => groups.get(principal, name),
      create: async (name, displayName) => groups.create(principal, name, displayName),
      addMembers: async (name, userNames) => groups.addMembers(principal, name, userNames),
      removeMembers: async (name, userNames) => groups.removeMembers(principal, name, userNames),
      delete: async (name) => groups.delete(principal, name),
    },
    tokens: {
      list: async (owner) => tokens.list(principal, owner),
      get: async (token, owner) => tokens.get(principal, token, owner),
      create: async (given) => tokens.create(principal, given),
      delete: async (token, owner) => tokens.delete(principal, token, owner),
    },
    audit: { list: async (filter) => audit.list(principal, filter) },
    saml: bindSaml(services, principal),
  };
}

/** Grants and restrictions for one principal. */
function bindGrants(grants: GrantService, principal: Principal): GrantsApi {
  return {
    list: async (target) => grants.list(principal, target),
    set: async (given) => grants.set(principal, given),
    delete: async (subject, target) => grants.delete(principal, subject, target),
    restrict: async (path, isRestricted) => grants.restrict(principal, path, isRestricted),
    explain: async (userName, target) => grants.explain(principal, userName, target),
  };
}
