import type { Principal } from '../../identity/principal/principal.ts';
import type { AccountsApi } from '../api/accounts-api.ts';
import type { Bound } from '../api/bound.ts';
import type { AccountServices } from '../services/services.ts';

/** A service as this principal calls it: each method is given the principal first, and rejects with what it throws. */
export function bind<Service extends object>(
  service: Service,
  principal: Principal,
): Bound<Service, keyof Service> {
  const bound = new Proxy(service, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return undefined;
      return async (...rest: unknown[]) => Reflect.apply(method, target, [principal, ...rest]);
    },
  });
  // The proxy changes what its methods take, which no type of a proxy says.
  return bound as unknown as Bound<Service, keyof Service>;
}

/** Users, groups, tokens, grants, the audit log and SAML for one principal. */
export function bindAccounts(services: AccountServices, principal: Principal): AccountsApi {
  return {
    users: bind(services.users, principal),
    groups: bind(services.groups, principal),
    tokens: bind(services.tokens, principal),
    grants: bind(services.grants, principal),
    audit: bind(services.audit, principal),
    saml: bind(services.samlAdmin, principal),
  };
}
