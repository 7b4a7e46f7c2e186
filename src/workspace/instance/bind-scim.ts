import type { Principal } from '../../identity/principal/principal.ts';
import type {
  Projection,
  ScimAnswer,
  ScimApi,
  ScimChange,
  ScimQuery,
  ScimResources,
} from '../../identity/scim/protocol/scim-api.ts';
import type { AccountServices } from '../services/services.ts';

export type { Projection, ScimAnswer, ScimApi, ScimChange, ScimQuery, ScimResources };

/** Users and groups for a provisioning service that acts as one principal; `warn` as `InstanceOptions` has it. */
export function bindScim(
  { scim }: Pick<AccountServices, 'scim'>,
  principal: Principal,
  base: string,
  warn: (line: string) => void,
): ScimApi {
  return scim.as({ principal, base, warn });
}
