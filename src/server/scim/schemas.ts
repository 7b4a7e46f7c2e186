import { type TSchema, Type } from 'typebox';
import { createLine, createName, createUserName } from '../fields/text-schemas.ts';
import { failure } from '../http/error-schema.ts';

/** Makes every attribute except one optional, for the document. */
const Text = Type.Optional(Type.String());
const Flag = Type.Optional(Type.Boolean());
const Names = Type.Optional(
  Type.Union([Type.Array(Type.String()), Type.String({ description: 'Comma-separated' })]),
);
const Schemas = Type.Optional(Type.Unsafe<unknown>({ description: 'Schema URNs; ignored in requests' }));
/** Read-only attributes, which clients send back. */
const Ignored = Type.Optional(Type.Unsafe<unknown>({ description: 'Ignored in requests' }));

const Meta = Type.Optional(
  Type.Object({
    resourceType: Text,
    created: Type.Optional(Type.String({ format: 'date-time' })),
    lastModified: Type.Optional(Type.String({ format: 'date-time' })),
    location: Text,
    version: Type.Optional(Type.String({ examples: ['W/"3"'] })),
  }),
);

const labelled = { value: Type.String(), display: Text, type: Text, primary: Flag };
const Values = (description: string) =>
  Type.Optional(Type.Array(Type.Object({ ...labelled }), { description }));

const EnterpriseUser = Type.Object(
  {
    organization: Text,
    department: Text,
    division: Text,
    costCenter: Text,
    employeeNumber: Text,
    manager: Type.Optional(Type.Object({ value: Text, displayName: Text })),
    superUser: Type.Optional(
      Type.Boolean({
        description: 'Whether the user is an administrator (role ADMIN). It overrides `roles`',
      }),
    ),
    userStatus: Type.Optional(Type.String({ examples: ['CONFIRMED'] })),
    external: Flag,
  },
  { description: 'Enterprise user extension' },
);

/** The attributes that every response contains, regardless of `attributes`. */
const answered = {
  schemas: Type.Array(Type.String(), { description: 'URNs' }),
  id: Type.String({ description: 'Assigned by the service' }),
};

const userAttributes = {
  externalId: Text,
  meta: Meta,
  name: Type.Optional(Type.Object({ givenName: Text, familyName: Text, fullName: Text, formatted: Text })),
  displayName: Text,
  active: Flag,
  emails: Values('The primary address is unique, ignoring case'),
  roles: Values('Known roles are ADMIN, EDITOR and VIEWER, ignoring case'),
  groups: Values('Groups of the user'),
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': Type.Optional(EnterpriseUser),
};

/** A user in requests (docs/reference/scim-users.md#attributes). */
export const ScimUserSchema = Type.Object(
  {
    schemas: Schemas,
    userName: createUserName(),
    password: Type.Optional(Type.String({ minLength: 8, maxLength: 1_000, description: 'Never returned' })),
    ...userAttributes,
    displayName: Type.Optional(createLine('Name to show')),
    id: Ignored,
    meta: Ignored,
    groups: Ignored,
  },
  {
    title: 'ScimUser',
    description: 'User (RFC 7643, 4.1 and 4.3). Other attributes of the schemas are stored and returned, too',
  },
);

/** A user in responses; `attributes` and `excludedAttributes` can remove all but two attributes. */
export const ScimUserAnswerSchema = Type.Object(
  { ...answered, userName: Text, ...userAttributes },
  { title: 'ScimUserAnswer' },
);

const groupAttributes = {
  externalId: Text,
  meta: Meta,
  description: Text,
  external: Flag,
  members: Type.Optional(
    Type.Array(
      Type.Object(
        { value: Type.String({ description: 'Id of a user' }), display: Text, type: Text },
        { description: 'Members of the group. Responses also have `$ref`, the URL of the user' },
      ),
    ),
  ),
};

/** A group in requests (docs/reference/scim-groups.md#attributes). */
export const ScimGroupSchema = Type.Object(
  {
    schemas: Schemas,
    displayName: createName('Unique, ignoring case'),
    ...groupAttributes,
    id: Ignored,
    meta: Ignored,
  },
  { title: 'ScimGroup' },
);

/** A group in responses. */
export const ScimGroupAnswerSchema = Type.Object(
  { ...answered, displayName: Text, ...groupAttributes },
  { title: 'ScimGroupAnswer' },
);

/** A list response (docs/reference/scim.md#lists) of resources. */
const listOf = <Resource extends TSchema>(resource: Resource, title: string) =>
  Type.Object(
    {
      schemas: Type.Array(Type.String()),
      totalResults: Type.Integer({ minimum: 0 }),
      startIndex: Type.Optional(Type.Integer({ minimum: 1 })),
      itemsPerPage: Type.Optional(Type.Integer({ minimum: 0 })),
      Resources: Type.Optional(Type.Array(resource)),
    },
    { title },
  );

/** A list of users. */
export const ScimUserListSchema = listOf(ScimUserAnswerSchema, 'ScimUserList');

/** A list of groups. */
export const ScimGroupListSchema = listOf(ScimGroupAnswerSchema, 'ScimGroupList');

/** A list of users and groups. */
export const ScimListSchema = listOf(
  Type.Union([ScimUserAnswerSchema, ScimGroupAnswerSchema]),
  'ScimListResponse',
);

/** A list of discovery documents. */
export const ScimDocumentListSchema = listOf(Type.Unsafe<object>({ type: 'object' }), 'ScimDocumentList');

/** A PATCH (RFC 7644, 3.5.2). */
export const ScimPatchSchema = Type.Object(
  {
    schemas: Schemas,
    Operations: Type.Array(
      Type.Object({
        op: Type.String({
          description: 'add, replace or remove, ignoring case',
          examples: ['add', 'replace', 'remove'],
          pattern: '^([Aa][Dd][Dd]|[Rr][Ee][Pp][Ll][Aa][Cc][Ee]|[Rr][Ee][Mm][Oo][Vv][Ee])$',
        }),
        path: Type.Optional(Type.String({ examples: ['emails[type eq "work"].value'] })),
        value: Type.Optional(
          Type.Unsafe<unknown>({ description: 'A value, or an object of attribute paths and values' }),
        ),
      }),
      { minItems: 1 },
    ),
  },
  { title: 'ScimPatch', description: 'Operations, applied in order. If one fails, none is applied' },
);

const names = (description: string) =>
  Type.Optional(Type.String({ description: `${description}, comma-separated` }));

/** The parameters that select the attributes of a response. */
export const ProjectionQuery = Type.Object({
  attributes: names('Attributes to return'),
  excludedAttributes: names('Attributes to leave out'),
});

const page = {
  filter: Type.Optional(
    Type.String({
      description:
        'SCIM filter. Users: `userName eq "…"`; any other filter is ignored. ' +
        'Groups: `displayName`, `externalId`, `id`, `members.value`, each with `eq`, joined by `and`',
    }),
  ),
  startIndex: Type.Optional(
    Type.Integer({ description: '1-based index of the first resource. Defaults to 1' }),
  ),
  count: Type.Optional(
    Type.Integer({ description: 'Maximum number of resources, up to 1,000. Defaults to 100' }),
  ),
};

/** The query parameters of a list (docs/reference/scim.md#finding). */
export const ScimListQuery = Type.Object({ ...page, ...ProjectionQuery.properties });

/** The same in the body of a search (RFC 7644, 3.4.3). */
export const ScimSearchSchema = Type.Object(
  {
    schemas: Schemas,
    ...page,
    attributes: Names,
    excludedAttributes: Names,
  },
  { title: 'ScimSearchRequest' },
);

/** A discovery document (RFC 7643, 5 to 7). */
export const ScimDocumentSchema = Type.Unsafe<object>({
  type: 'object',
  title: 'ScimDocument',
  description: 'Discovery document (RFC 7643, 5 to 7)',
});

/** The response of a user deletion (docs/reference/scim.md#routes). */
export const ScimStatusSchema = Type.Object({ status: Type.Literal('200') }, { title: 'ScimStatus' });

/** The body of every error below the prefix (RFC 7644, 3.12), with the fields of all other error bodies. */
export const ScimErrorSchema = Type.Object(
  {
    schemas: Type.Array(Type.String()),
    status: Type.String({ examples: ['404'] }),
    scimType: Type.Optional(Type.String({ examples: ['uniqueness', 'invalidValue'] })),
    ...failure,
  },
  { title: 'ScimError', description: 'Error response of SCIM' },
);

/** The error responses of a route by status, for its `schema.response`. */
export function listScimFailures(...statuses: readonly number[]): Record<number, typeof ScimErrorSchema> {
  return Object.fromEntries(statuses.map((status) => [status, ScimErrorSchema]));
}
