/** The type of a value (RFC 7643, 2.3). */
export type AttributeType = 'string' | 'boolean' | 'dateTime' | 'reference' | 'binary' | 'complex';

/**
 * An attribute with all its characteristics (RFC 7643, 7). They decide how resources are read, changed and returned.
 */
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
  /** The targets of a reference: resource types, `external`, or `uri`. */
  readonly referenceTypes: readonly string[];
  /** Empty unless `type` is complex. */
  readonly subAttributes: readonly Attribute[];
  /** The maximum number of values of one resource. */
  readonly maxValues: number;
}

/** Attributes under one URN. */
export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** A resource type: its schema, and its extensions, which each have an object under their URN. */
export interface ResourceType {
  readonly name: 'User' | 'Group';
  readonly endpoint: '/Users' | '/Groups';
  readonly description: string;
  readonly schema: Schema;
  readonly extensions: readonly Schema[];
}

const MAX_VALUES = 200;

/** An attribute with the defaults of RFC 7643, 2.2; references and binary values are case-sensitive. */
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
    maxValues: traits.multiValued === true ? MAX_VALUES : 1,
    ...traits,
  };
}

/** An attribute with sub-attributes. */
export function complex(
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  traits: Partial<Attribute> = {},
): Attribute {
  return attribute(name, description, { type: 'complex', subAttributes, ...traits });
}

/**
 * A multi-valued attribute with the default sub-attributes (RFC 7643, 2.4); `value` describes the sub-attribute
 * `value`.
 */
export function plural(
  name: string,
  description: string,
  value: Attribute,
  types: readonly string[] = [],
): Attribute {
  const subAttributes = [
    value,
    attribute('display', 'A name for people'),
    attribute('type', 'The purpose, as "work"', { canonicalValues: types }),
    attribute('primary', 'Whether it is the preferred one', { type: 'boolean' }),
  ];
  return complex(name, description, subAttributes, { multiValued: true });
}

/** The attributes of every resource (RFC 7643, 3.1); no schema lists them. */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  attribute('schemas', 'The URNs of the schemas that the resource has', {
    type: 'reference',
    multiValued: true,
    mutability: 'readOnly',
    returned: 'always',
    referenceTypes: ['uri'],
  }),
  attribute('id', 'The identifier that the service assigned', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  }),
  attribute('externalId', "The identity provider's identifier", { caseExact: true }),
  complex(
    'meta',
    'The metadata of the resource',
    [
      attribute('resourceType', 'The name of the resource type', { caseExact: true, mutability: 'readOnly' }),
      attribute('created', 'When it was created', { type: 'dateTime', mutability: 'readOnly' }),
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
