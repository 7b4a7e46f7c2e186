/** What the provisioning interface tells of itself, and the types of its calls (interface 4.5). */
export {
  listResourceTypes,
  listSchemas,
  printServiceProviderConfig,
} from '../identity/scim/discovery.ts';
export type { ScimObject } from '../identity/scim/resource.ts';
export type {
  Projection,
  ScimAnswer,
  ScimApi,
  ScimChange,
  ScimQuery,
  ScimResources,
} from '../identity/scim/scim-service.ts';
