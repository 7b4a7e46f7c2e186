import { Type } from 'typebox';

/** What may be left out, for the document: every attribute but one. */
const Text = Type.Optional(Type.String());
const Flag = Type.Optional(Type.Boolean());
const Schemas = Type.Optional(Type.Array(Type.String(), { description: 'URNs' }));
const AssignedId = Type.Optional(
  Type.String({ description: 'Assigned by the service; ignored in requests' }),
);

const Meta = Type.Optional(
  Type.Object(
    {
      resourceType: Text,
      created: Type.Optional(Type.String({ format: 'date-time' })),
      lastModified: Type.Optional(Type.String({ format: 'date-time' })),
      location: Text,
      version: Type.Optional(Type.String({ examples: ['W/"3"'] })),
    },
    { description: 'Ignored in requests' },
  ),
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

/** A user (interface 2.8). */
export const ScimUserSchema = Type.Object(
  {
    schemas: Schemas,
    id: AssignedId,
    externalId: Text,
    meta: Meta,
    userName: Type.String({ description: 'Unique, without regard to case' }),
    name: Type.Optional(Type.Object({ givenName: Text, familyName: Text, fullName: Text, formatted: Text })),
    displayName: Text,
    active: Flag,
    password: Type.Optional(Type.String({ minLength: 8, description: 'Never answered' })),
    emails: Values('The primary one is unique, without regard to case'),
    roles: Values('ADMIN, EDITOR and VIEWER have a meaning, in any case'),
    groups: Values('Ignored in requests'),
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': Type.Optional(EnterpriseUser),
  },
  {
    title: 'ScimUser',
    description: 'A user of RFC 7643, 4.1 and 4.3, whose other attributes are kept and answered, too',
  },
);

/** A group (interface 2.9). */
export const ScimGroupSchema = Type.Object(
  {
    schemas: Schemas,
    id: AssignedId,
    externalId: Text,
    meta: Meta,
    displayName: Type.String({ description: 'Unique, without regard to case' }),
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
  },
  { title: 'ScimGroup' },
);

/** A list response (interface 2.10); of `Resources` each is what its `schemas` say. */
export const ScimListSchema = Type.Object(
  {
    schemas: Type.Array(Type.String()),
    totalResults: Type.Integer(),
    startIndex: Type.Optional(Type.Integer()),
    itemsPerPage: Type.Optional(Type.Integer()),
    Resources: Type.Optional(Type.Array(Type.Unsafe<object>({ type: 'object' }))),
  },
  { title: 'ScimListResponse' },
);

/** A PATCH (RFC 7644, 3.5.2). */
export const ScimPatchSchema = Type.Object(
  {
    schemas: Schemas,
    Operations: Type.Array(
      Type.Object({
        op: Type.String({ description: 'In any case', examples: ['add', 'replace', 'remove'] }),
        path: Type.Optional(Type.String({ examples: ['emails[type eq "work"].value'] })),
        value: Type.Optional(Type.Unsafe<unknown>({ description: 'A value, or attributes by their paths' })),
      }),
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
  startIndex: Type.Optional(Type.Integer({ description: 'Of the first resource, from 1', default: 1 })),
  count: Type.Optional(Type.Integer({ description: 'At most 1,000', default: 100 })),
};

/** What a list is asked for (interface 4.5). */
export const ScimListQuery = Type.Object({ ...page, ...ProjectionQuery.properties });

/** The same in the body of a search (RFC 7644, 3.4.3). */
export const ScimSearchSchema = Type.Object(
  {
    schemas: Schemas,
    ...page,
    attributes: Type.Optional(Type.Array(Type.String())),
    excludedAttributes: Type.Optional(Type.Array(Type.String())),
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
    detail: Type.String(),
  },
  { title: 'ScimError', description: 'Why the request was refused' },
);

/** The failures of a route by their statuses, for its `schema.response`. */
export function listScimFailures(...statuses: readonly number[]): Record<number, typeof ErrorSchema> {
  return Object.fromEntries(statuses.map((status) => [status, ErrorSchema]));
}
