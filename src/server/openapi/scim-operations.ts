import { EXAMPLE_ID, type OperationText } from './operation-text.ts';

const SCIM_USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const SCIM_GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const SCIM_PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const SCIM_SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

const one = { id: EXAMPLE_ID };

/** The operations of provisioning (SCIM), in the form of `OPERATIONS`. */
export const SCIM_OPERATIONS: Readonly<Record<string, OperationText>> = {
  'POST /api/v1/scim/v2/Users': {
    id: 'createScimUser',
    description: 'Creates a user. For identity providers.',
    body: {
      schemas: [SCIM_USER],
      userName: 'grace',
      emails: [{ value: 'grace@example.org', primary: true }],
    },
  },
  'GET /api/v1/scim/v2/Users': {
    id: 'listScimUsers',
    description: 'Lists users, with paging. A filter other than `userName eq` is ignored.',
    parameters: { filter: 'userName eq "grace"' },
  },
  'GET /api/v1/scim/v2/Users/{id}': {
    id: 'getScimUser',
    description: 'Retrieves a user.',
    parameters: one,
  },
  'PUT /api/v1/scim/v2/Users/{id}': {
    id: 'replaceScimUser',
    description: 'Replaces a user.',
    parameters: one,
    body: { schemas: [SCIM_USER], userName: 'grace', displayName: 'Grace Hopper' },
  },
  'PATCH /api/v1/scim/v2/Users/{id}': {
    id: 'patchScimUser',
    description: 'Updates attributes of a user. If one operation fails, none is applied.',
    parameters: one,
    body: { schemas: [SCIM_PATCH], Operations: [{ op: 'replace', path: 'active', value: false }] },
  },
  'POST /api/v1/scim/v2/Users/.search': {
    id: 'searchScimUsers',
    description: 'Lists users that match the filter in the body.',
    body: { schemas: [SCIM_SEARCH], filter: 'userName eq "grace"' },
  },
  'POST /api/v1/scim/v2/Groups': {
    id: 'createScimGroup',
    description: 'Creates a group. For identity providers.',
    body: { schemas: [SCIM_GROUP], displayName: 'Engineers' },
  },
  'GET /api/v1/scim/v2/Groups': {
    id: 'listScimGroups',
    description: 'Lists groups, with paging.',
    parameters: { filter: 'displayName eq "Engineers"' },
  },
  'GET /api/v1/scim/v2/Groups/{id}': {
    id: 'getScimGroup',
    description: 'Retrieves a group with its members.',
    parameters: one,
  },
  'PUT /api/v1/scim/v2/Groups/{id}': {
    id: 'replaceScimGroup',
    description: 'Replaces a group and its members.',
    parameters: one,
    body: { schemas: [SCIM_GROUP], displayName: 'Engineering' },
  },
  'PATCH /api/v1/scim/v2/Groups/{id}': {
    id: 'patchScimGroup',
    description: 'Updates attributes or members of a group. If one operation fails, none is applied.',
    parameters: one,
    body: { schemas: [SCIM_PATCH], Operations: [{ op: 'replace', path: 'displayName', value: 'Engineers' }] },
  },
  'POST /api/v1/scim/v2/Groups/.search': {
    id: 'searchScimGroups',
    description: 'Lists groups that match the filter in the body.',
    body: { schemas: [SCIM_SEARCH], filter: 'displayName eq "Engineers"' },
  },
  'POST /api/v1/scim/v2/.search': {
    id: 'searchScimResources',
    description: 'Lists users and groups that match the filter in the body.',
    body: { schemas: [SCIM_SEARCH], count: 10 },
  },
  'GET /api/v1/scim/v2/ServiceProviderConfig': {
    id: 'getScimConfiguration',
    description: 'Returns the features of SCIM 2.0 that the server supports.',
  },
  'GET /api/v1/scim/v2/ResourceTypes': {
    id: 'listScimResourceTypes',
    description: 'Lists the resource types: users and groups.',
  },
  'GET /api/v1/scim/v2/ResourceTypes/{id}': {
    id: 'getScimResourceType',
    description: 'Retrieves a resource type.',
    parameters: { id: 'User' },
  },
  'GET /api/v1/scim/v2/Schemas': {
    id: 'listScimSchemas',
    description: 'Lists the schemas of users and groups.',
  },
  'GET /api/v1/scim/v2/Schemas/{id}': {
    id: 'getScimSchema',
    description: 'Retrieves a schema.',
    parameters: { id: SCIM_USER },
  },
  'DELETE /api/v1/scim/v2/Users/{id}': {
    id: 'deleteScimUser',
    description: 'Deletes a user with their tokens and their `@Personal` folder.',
    parameters: one,
  },
  'DELETE /api/v1/scim/v2/Groups/{id}': {
    id: 'deleteScimGroup',
    description: 'Deletes a group. The users in it are not deleted.',
    parameters: one,
  },
};
