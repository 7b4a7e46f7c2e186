/** The self-description of the provisioning interface (docs/reference/scim.md; RFC 7643, 5 to 7). It needs no home. */

export type { ScimObject } from '../../identity/scim/protocol/resource.ts';
export {
  listResourceTypes,
  listSchemas,
  printServiceProviderConfig,
} from '../../identity/scim/resources/discovery.ts';
