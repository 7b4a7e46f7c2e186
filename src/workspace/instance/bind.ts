import type { Principal } from '../../identity/principal/principal.ts';
import type { AccountsApi } from '../api/accounts-api.ts';
import type { Bound } from '../api/bound.ts';
import type { AccountServices } from '../services/services.ts';

/** Binds a service to a principal: passes the principal to each method first, and turns errors into rejections. */
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
  // The proxy changes the parameters of its methods, which the type of `Proxy` cannot express.
  return bound as unknown as Bound<Service, keyof Service>;
}

/** Users, groups, tokens, grants, the audit log and SAML for one principal. */
export function bindAccounts(services: AccountServices, principal: Principal): AccountsApi {
  return {
    users: bind(services.users, principal),
    profile: bind(services.profile, principal),
    groups: bind(services.groups, principal),
    tokens: bind(services.tokens, principal),
    grants: bind(services.grants, principal),
    audit: bind(services.audit, principal),
    saml: bind(services.samlAdmin, principal),
  };
}
