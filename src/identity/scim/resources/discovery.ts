import { MAX_RESULTS } from '../protocol/page.ts';
import type { ScimObject } from '../protocol/resource.ts';
import type { Attribute, ResourceType, Schema } from '../protocol/schema.ts';
import { GROUP_TYPE } from './group-schema.ts';
import { USER_TYPE } from './user-schema.ts';

const PREFIX = 'urn:ietf:params:scim:schemas:core:2.0';
const TYPES: readonly ResourceType[] = [USER_TYPE, GROUP_TYPE];

/**
 * The supported features of RFC 7644 (RFC 7643, 5). `base` is the URL of the SCIM root in every function of this file.
 */
export function printServiceProviderConfig(base: string): ScimObject {
  return {
    schemas: [`${PREFIX}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: true },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token of an administrator in the header Authorization',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: metaOf('ServiceProviderConfig', `${base}/ServiceProviderConfig`),
  };
}

/** The resource types (RFC 7643, 6), each with its URL in `meta.location`. */
export function listResourceTypes(base: string): readonly ScimObject[] {
  return TYPES.map(({ name, endpoint, description, schema, extensions }) => ({
    schemas: [`${PREFIX}:ResourceType`],
    id: name,
    name,
    endpoint,
    description,
    schema: schema.id,
    schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
    meta: metaOf('ResourceType', `${base}/ResourceTypes/${name}`),
  }));
}

/** The schemas with all their attributes (RFC 7643, 7). */
export function listSchemas(base: string): readonly ScimObject[] {
  return TYPES.flatMap(({ schema, extensions }) => [schema, ...extensions]).map((schema) =>
    printSchema(base, schema),
  );
}

function printSchema(base: string, { id, name, description, attributes }: Schema): ScimObject {
  return {
    schemas: [`${PREFIX}:Schema`],
    id,
    name,
    description,
    attributes: attributes.map(printAttribute),
    meta: metaOf('Schema', `${base}/Schemas/${id}`),
  };
}

/** Prints only the characteristics that apply to the type of the attribute (RFC 7643, 7). */
function printAttribute(attribute: Attribute): ScimObject {
  const { name, type, multiValued, description, required, mutability, returned } = attribute;
  const isText = type === 'string' || type === 'reference' || type === 'binary';
  return {
    name,
    type,
    multiValued,
    description,
    required,
    ...(isText && { caseExact: attribute.caseExact }),
    mutability,
    returned,
    ...(type !== 'boolean' && { uniqueness: attribute.uniqueness }),
    ...(attribute.canonicalValues.length > 0 && { canonicalValues: attribute.canonicalValues }),
    ...(type === 'reference' && { referenceTypes: attribute.referenceTypes }),
    ...(type === 'complex' && { subAttributes: attribute.subAttributes.map(printAttribute) }),
  };
}

function metaOf(resourceType: string, location: string): ScimObject {
  return { resourceType, location };
}
