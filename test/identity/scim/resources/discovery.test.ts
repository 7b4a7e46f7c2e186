import { describe, expect, it } from 'vitest';
import {
  listResourceTypes,
  listSchemas,
  printServiceProviderConfig,
} from '../../../../src/identity/scim/resources/discovery.ts';
import { CORE_USER, ENTERPRISE } from '../protocol/patching.ts';

const BASE = 'https://quern.example/api/v1/scim/v2';
const SCHEMAS = 'urn:ietf:params:scim:schemas:core:2.0';

interface Printed {
  readonly name: string;
  readonly type: string;
  readonly multiValued: boolean;
  readonly mutability: string;
  readonly returned: string;
  readonly subAttributes?: readonly Printed[];
}

const schemas = listSchemas(BASE) as unknown as readonly { id: string; attributes: readonly Printed[] }[];

const namesOf = (id: string, parent?: string) => {
  const { attributes } = schemas.find((schema) => schema.id === id)!;
  const printed =
    parent === undefined ? attributes : attributes.find(({ name }) => name === parent)!.subAttributes!;
  return printed.map(({ name }) => name).sort();
};

describe('the discovery endpoints', () => {
  it('return a configuration with the attributes of RFC 7643, 5', () => {
    expect(printServiceProviderConfig(BASE)).toMatchObject({
      schemas: [`${SCHEMAS}:ServiceProviderConfig`],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: 1_000 },
      changePassword: { supported: true },
      sort: { supported: false },
      etag: { supported: true },
      authenticationSchemes: [
        { type: 'oauthbearertoken', name: expect.any(String), description: expect.any(String) },
      ],
      meta: { resourceType: 'ServiceProviderConfig', location: `${BASE}/ServiceProviderConfig` },
    });
  });

  it('return both resource types', () => {
    expect(listResourceTypes(BASE)).toMatchObject([
      {
        schemas: [`${SCHEMAS}:ResourceType`],
        id: 'User',
        name: 'User',
        endpoint: '/Users',
        schema: CORE_USER,
        schemaExtensions: [{ schema: ENTERPRISE, required: false }],
        meta: { resourceType: 'ResourceType', location: `${BASE}/ResourceTypes/User` },
      },
      { id: 'Group', endpoint: '/Groups', schema: `${SCHEMAS}:Group`, schemaExtensions: [] },
    ]);
  });

  it('return the schemas with the attributes of RFC 7643 and of the interface', () => {
    expect(schemas.map(({ id }) => id)).toEqual([CORE_USER, ENTERPRISE, `${SCHEMAS}:Group`]);
    const core =
      'userName name displayName nickName profileUrl title userType preferredLanguage locale timezone active password ' +
      'emails phoneNumbers ims photos addresses groups entitlements roles x509Certificates';
    expect(namesOf(CORE_USER)).toEqual(core.split(' ').sort());
    const name = 'formatted familyName givenName middleName honorificPrefix honorificSuffix fullName';
    expect(namesOf(CORE_USER, 'name')).toEqual(name.split(' ').sort());
    const enterprise =
      'employeeNumber costCenter organization division department manager superUser userStatus external';
    expect(namesOf(ENTERPRISE)).toEqual(enterprise.split(' ').sort());
    expect(namesOf(`${SCHEMAS}:Group`)).toEqual(['description', 'displayName', 'external', 'members']);
    expect(namesOf(`${SCHEMAS}:Group`, 'members')).toEqual(['$ref', 'display', 'type', 'value']);
  });

  it('describe every attribute as RFC 7643, 7 requires, and only with JSON values', () => {
    const walk = (attributes: readonly Printed[]): readonly Printed[] =>
      attributes.flatMap((attribute) => [attribute, ...walk(attribute.subAttributes ?? [])]);
    const all = walk(schemas.flatMap(({ attributes }) => attributes));
    expect(all.length).toBeGreaterThan(80);
    for (const attribute of all) {
      expect(attribute).toMatchObject({
        name: expect.stringMatching(/^[$a-z][A-Za-z0-9]*$/),
        type: expect.stringMatching(/^(string|boolean|dateTime|reference|binary|complex)$/),
        multiValued: expect.any(Boolean),
        description: expect.stringMatching(/./),
        required: expect.any(Boolean),
        mutability: expect.stringMatching(/^(readOnly|readWrite|immutable|writeOnly)$/),
        returned: expect.stringMatching(/^(always|never|default|request)$/),
      });
      expect(attribute.subAttributes !== undefined).toBe(attribute.type === 'complex');
    }
    expect(all.find(({ name }) => name === 'password')).toMatchObject({
      returned: 'never',
      mutability: 'writeOnly',
    });
    expect(JSON.parse(JSON.stringify(schemas))).toEqual(schemas);
  });
});
