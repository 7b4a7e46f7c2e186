/** What a value is (RFC 7643, 2.3). */
export type AttributeType = 'string' | 'boolean' | 'dateTime' | 'reference' | 'binary' | 'complex';

/** An attribute with all its characteristics (RFC 7643, 7). Everything that we do with resources follows these. */
export interface Attribute {
  readonly name: string;
  readonly type: AttributeType;
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly';
  readonly returned: 'always' | 'never' | 'default' | 'request';
  readonly uniqueness: 'none' | 'server' | 'global';
  readonly canonicalValues: readonly string[];
  /** What a reference may lead to: resource types, `external`, or `uri`. */
  readonly referenceTypes: readonly string[];
  /** Empty unless `type` is complex. */
  readonly subAttributes: readonly Attribute[];
  /** Values that one resource may have of it. */
  readonly mostValues: number;
}

/** Attributes under one URN. */
export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** A kind of resource: its own schema, and those whose attributes stand in an object under their URN. */
export interface ResourceType {
  readonly name: 'User' | 'Group';
  readonly endpoint: '/Users' | '/Groups';
  readonly description: string;
  readonly schema: Schema;
  readonly extensions: readonly Schema[];
}

const MAX_VALUES = 200;

/** An attribute with the defaults of RFC 7643, 2.2; references and binary values are compared with case. */
export function attribute(name: string, description: string, traits: Partial<Attribute> = {}): Attribute {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: traits.type === 'reference' || traits.type === 'binary',
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    canonicalValues: [],
    referenceTypes: [],
    subAttributes: [],
    mostValues: traits.multiValued === true ? MAX_VALUES : 1,
    ...traits,
  };
}

/** An attribute that has others. */
export function complex(
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  traits: Partial<Attribute> = {},
): Attribute {
  return attribute(name, description, { type: 'complex', subAttributes, ...traits });
}

/** A list with the usual attributes of each value (RFC 7643, 2.4); `value` describes the one that it is about. */
export function plural(
  name: string,
  description: string,
  value: Attribute,
  types: readonly string[] = [],
): Attribute {
  const subAttributes = [
    value,
    attribute('display', 'A name for people'),
    attribute('type', 'What it is for', { canonicalValues: types }),
    attribute('primary', 'Whether it is the preferred one', { type: 'boolean' }),
  ];
  return complex(name, description, subAttributes, { multiValued: true });
}

/** What every resource has (RFC 7643, 3.1); no schema lists it. */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  attribute('schemas', 'The URNs of the schemas that the resource has', {
    type: 'reference',
    multiValued: true,
    mutability: 'readOnly',
    returned: 'always',
    referenceTypes: ['uri'],
  }),
  attribute('id', 'The identifier that the service has given', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  }),
  attribute('externalId', "The identity provider's identifier", { caseExact: true }),
  complex(
    'meta',
    'What the service knows about the resource',
    [
      attribute('resourceType', 'The name of the resource type', { caseExact: true, mutability: 'readOnly' }),
      attribute('created', 'When it was made', { type: 'dateTime', mutability: 'readOnly' }),
      attribute('lastModified', 'When it was last changed', { type: 'dateTime', mutability: 'readOnly' }),
      attribute('location', 'Its URL', {
        type: 'reference',
        mutability: 'readOnly',
        referenceTypes: ['uri'],
      }),
      attribute('version', 'Its entity tag', { caseExact: true, mutability: 'readOnly' }),
    ],
    { mutability: 'readOnly' },
  ),
];
