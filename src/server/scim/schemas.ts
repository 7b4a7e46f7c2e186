import { type TSchema, Type } from 'typebox';
import { createLine, createName } from '../fields/text-schemas.ts';
import { failure } from '../http/error-schema.ts';

/** What may be left out, for the document: every attribute but one. */
const Text = Type.Optional(Type.String());
const Flag = Type.Optional(Type.Boolean());
const Names = Type.Optional(
  Type.Union([Type.Array(Type.String()), Type.String({ description: 'With commas between' })]),
);
const Schemas = Type.Optional(Type.Unsafe<unknown>({ description: 'URNs; ignored in requests' }));
/** What only answers say, and clients send back. */
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
    superUser: Type.Optional(Type.Boolean({ description: 'Whether the role is ADMIN; wins over `roles`' })),
    userStatus: Type.Optional(Type.String({ examples: ['CONFIRMED'] })),
    external: Flag,
  },
  { description: 'The enterprise extension' },
);

/** What every answered resource has, whatever `attributes` asks for. */
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
  emails: Values('The primary one is unique, without regard to case'),
  roles: Values('ADMIN, EDITOR and VIEWER have a meaning, in any case'),
  groups: Values('Those that the user is in'),
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': Type.Optional(EnterpriseUser),
};

/** A user as it is sent (interface 2.8). */
export const ScimUserSchema = Type.Object(
  {
    schemas: Schemas,
    userName: createName('Unique, without regard to case'),
    password: Type.Optional(Type.String({ minLength: 8, maxLength: 1_000, description: 'Never answered' })),
    ...userAttributes,
    displayName: Type.Optional(createLine('For people')),
    id: Ignored,
    meta: Ignored,
    groups: Ignored,
  },
  {
    title: 'ScimUser',
    description: 'A user of RFC 7643, 4.1 and 4.3, whose other attributes are kept and answered, too',
  },
);

/** A user as it is answered; `attributes` and `excludedAttributes` may leave out all but two attributes. */
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
        { value: Type.String({ description: 'The id of a user' }), display: Text, type: Text },
        { description: 'Answers have `$ref`, too, the URL of the user' },
      ),
    ),
  ),
};

/** A group as it is sent (interface 2.9). */
export const ScimGroupSchema = Type.Object(
  {
    schemas: Schemas,
    displayName: createName('Unique, without regard to case'),
    ...groupAttributes,
    id: Ignored,
    meta: Ignored,
  },
  { title: 'ScimGroup' },
);

/** A group as it is answered. */
export const ScimGroupAnswerSchema = Type.Object(
  { ...answered, displayName: Text, ...groupAttributes },
  { title: 'ScimGroupAnswer' },
);

/** A list response (interface 2.10) of resources. */
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

/** A list of documents of discovery. */
export const ScimDocumentListSchema = listOf(Type.Unsafe<object>({ type: 'object' }), 'ScimDocumentList');

/** A PATCH (RFC 7644, 3.5.2). */
export const ScimPatchSchema = Type.Object(
  {
    schemas: Schemas,
    Operations: Type.Array(
      Type.Object({
        op: Type.String({
          description: 'add, replace or remove, in any case',
          examples: ['add', 'replace', 'remove'],
          pattern: '^([Aa][Dd][Dd]|[Rr][Ee][Pp][Ll][Aa][Cc][Ee]|[Rr][Ee][Mm][Oo][Vv][Ee])$',
        }),
        path: Type.Optional(Type.String({ examples: ['emails[type eq "work"].value'] })),
        value: Type.Optional(Type.Unsafe<unknown>({ description: 'A value, or attributes by their paths' })),
      }),
      { minItems: 1 },
    ),
  },
  { title: 'ScimPatch', description: 'Done in order, and whole or not at all' },
);

const names = (description: string) =>
  Type.Optional(Type.String({ description: `${description}, with commas between` }));

/** Which attributes an answer has. */
export const ProjectionQuery = Type.Object({
  attributes: names('The attributes to answer'),
  excludedAttributes: names('Attributes not to answer'),
});

const page = {
  filter: Type.Optional(
    Type.String({
      description:
        'Users: `userName eq "…"`, and anything else is ignored. ' +
        'Groups: `displayName`, `externalId`, `id`, `members.value`, each with `eq`, joined by `and`',
    }),
  ),
  startIndex: Type.Optional(Type.Integer({ description: 'Of the first resource, from 1; 1 if left out' })),
  count: Type.Optional(Type.Integer({ description: 'At most 1,000; 100 if left out' })),
};

/** What a list is asked for (interface 4.5). */
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

/** A document of discovery (RFC 7643, 5 to 7). */
export const ScimDocumentSchema = Type.Unsafe<object>({
  type: 'object',
  title: 'ScimDocument',
  description: 'As RFC 7643, 5 to 7 has it',
});

/** What a deletion of a user is answered with (interface 4.5). */
export const ScimStatusSchema = Type.Object({ status: Type.Literal('200') }, { title: 'ScimStatus' });

const ErrorSchema = Type.Object(
  {
    schemas: Type.Array(Type.String()),
    status: Type.String({ examples: ['404'] }),
    scimType: Type.Optional(Type.String({ examples: ['uniqueness', 'invalidValue'] })),
    ...failure,
  },
  { title: 'ScimError', description: 'Why the request was refused' },
);

/** The failures of a route by their statuses, for its `schema.response`. */
export function listScimFailures(...statuses: readonly number[]): Record<number, typeof ErrorSchema> {
  return Object.fromEntries(statuses.map((status) => [status, ErrorSchema]));
}
