import type { FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import type { ScimApi, ScimResources } from '../../identity/scim/protocol/scim-api.ts';
import { NoBodySchema } from '../http/error-schema.ts';
import { EXAMPLE_ID, inBody, linksTo } from '../http/operation.ts';
import {
  ScimGroupAnswerSchema,
  ScimGroupListSchema,
  ScimGroupSchema,
  ScimStatusSchema,
  ScimUserAnswerSchema,
  ScimUserListSchema,
  ScimUserSchema,
} from './schemas.ts';

/** The URNs of messages in examples. */
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

const parameters = { id: EXAMPLE_ID };

/** What the document says about an operation. */
export type ScimOperation = Pick<
  FastifySchema,
  'summary' | 'operationId' | 'scope' | 'description' | 'example' | 'links'
>;

/** The differences between the routes of users and of groups. */
export interface Kind {
  readonly endpoint: '/Users' | '/Groups';
  /** The schemas of a request, a response and a list. */
  readonly schema: TSchema;
  readonly answer: TSchema;
  readonly list: TSchema;
  readonly of: (api: ScimApi) => ScimResources;
  /** The response of a deletion (docs/reference/scim.md#routes). */
  readonly deleted: { readonly status: number; readonly schema: TSchema; readonly body: object | undefined };
  readonly operations: Readonly<
    Record<'list' | 'create' | 'get' | 'delete' | 'replace' | 'patch' | 'search', ScimOperation>
  >;
}

const linksOf = (kind: 'User' | 'Group', field: string) =>
  linksTo(inBody('id', field), ...['get', 'replace', 'patch', 'delete'].map((verb) => `${verb}Scim${kind}`));

export const SCIM_KINDS: readonly Kind[] = [
  {
    endpoint: '/Users',
    schema: ScimUserSchema,
    answer: ScimUserAnswerSchema,
    list: ScimUserListSchema,
    of: ({ users }) => users,
    deleted: { status: 200, schema: ScimStatusSchema, body: { status: '200' } },
    operations: {
      list: {
        summary: 'List users',
        operationId: 'listScimUsers',
        scope: 'read',
        description: 'Lists users, with paging. A filter other than `userName eq` is ignored.',
        example: { parameters: { filter: 'userName eq "grace"' } },
        links: { 200: linksTo(inBody('id', 'Resources/0/id'), 'getScimUser') },
      },
      create: {
        summary: 'Create a user',
        operationId: 'createScimUser',
        scope: 'scim',
        description: 'Creates a user. For identity providers.',
        example: {
          body: {
            schemas: [USER],
            userName: 'grace',
            emails: [{ value: 'grace@example.org', primary: true }],
          },
        },
        links: { 201: linksOf('User', 'id') },
      },
      get: {
        summary: 'Retrieve a user',
        operationId: 'getScimUser',
        scope: 'read',
        description: 'Retrieves a user.',
        example: { parameters },
      },
      delete: {
        summary: 'Delete a user',
        operationId: 'deleteScimUser',
        scope: 'scim',
        description: 'Deletes a user with their tokens and their `@Personal` folder.',
        example: { parameters },
      },
      replace: {
        summary: 'Replace a user',
        operationId: 'replaceScimUser',
        scope: 'scim',
        description: 'Replaces a user.',
        example: {
          parameters,
          body: { schemas: [USER], userName: 'grace', displayName: 'Grace Hopper' },
        },
      },
      patch: {
        summary: 'Update a user',
        operationId: 'patchScimUser',
        scope: 'scim',
        description: 'Updates attributes of a user. If one operation fails, none is applied.',
        example: {
          parameters,
          body: { schemas: [PATCH], Operations: [{ op: 'replace', path: 'active', value: false }] },
        },
      },
      search: {
        summary: 'Search users',
        operationId: 'searchScimUsers',
        scope: 'read',
        description: 'Lists users that match the filter in the body.',
        example: { body: { schemas: [SEARCH], filter: 'userName eq "grace"' } },
      },
    },
  },
  {
    endpoint: '/Groups',
    schema: ScimGroupSchema,
    answer: ScimGroupAnswerSchema,
    list: ScimGroupListSchema,
    of: ({ groups }) => groups,
    deleted: { status: 204, schema: NoBodySchema, body: undefined },
    operations: {
      list: {
        summary: 'List groups',
        operationId: 'listScimGroups',
        scope: 'read',
        description: 'Lists groups, with paging.',
        example: { parameters: { filter: 'displayName eq "Engineers"' } },
        links: { 200: linksTo(inBody('id', 'Resources/0/id'), 'getScimGroup') },
      },
      create: {
        summary: 'Create a group',
        operationId: 'createScimGroup',
        scope: 'scim',
        description: 'Creates a group. For identity providers.',
        example: { body: { schemas: [GROUP], displayName: 'Engineers' } },
        links: { 201: linksOf('Group', 'id') },
      },
      get: {
        summary: 'Retrieve a group',
        operationId: 'getScimGroup',
        scope: 'read',
        description: 'Retrieves a group with its members.',
        example: { parameters },
      },
      delete: {
        summary: 'Delete a group',
        operationId: 'deleteScimGroup',
        scope: 'scim',
        description: 'Deletes a group. The users in it are not deleted.',
        example: { parameters },
      },
      replace: {
        summary: 'Replace a group',
        operationId: 'replaceScimGroup',
        scope: 'scim',
        description: 'Replaces a group and its members.',
        example: { parameters, body: { schemas: [GROUP], displayName: 'Engineering' } },
      },
      patch: {
        summary: 'Update a group',
        operationId: 'patchScimGroup',
        scope: 'scim',
        description: 'Updates attributes or members of a group. If one operation fails, none is applied.',
        example: {
          parameters,
          body: {
            schemas: [PATCH],
            Operations: [{ op: 'replace', path: 'displayName', value: 'Engineers' }],
          },
        },
      },
      search: {
        summary: 'Search groups',
        operationId: 'searchScimGroups',
        scope: 'read',
        description: 'Lists groups that match the filter in the body.',
        example: { body: { schemas: [SEARCH], filter: 'displayName eq "Engineers"' } },
      },
    },
  },
];
