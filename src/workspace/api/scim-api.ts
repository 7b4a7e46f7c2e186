export type {
  Projection,
  ScimAnswer,
  ScimApi,
  ScimChange,
  ScimQuery,
  ScimResources,
} from '../../identity/scim/protocol/scim-api.ts';
