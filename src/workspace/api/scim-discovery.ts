/** What the provisioning interface tells of itself (interface 4.5; RFC 7643, 5 to 7), which nobody needs a home for. */

export type { ScimObject } from '../../identity/scim/protocol/resource.ts';
export {
  listResourceTypes,
  listSchemas,
  printServiceProviderConfig,
} from '../../identity/scim/resources/discovery.ts';
