import { attribute, complex, plural, type ResourceType, type Schema } from '../protocol/schema.ts';

const NAME = complex('name', 'The parts of the name', [
  attribute('formatted', 'The full name, as it is displayed'),
  attribute('familyName', 'The family name, or last name'),
  attribute('givenName', 'The given name, or first name'),
  attribute('middleName', 'The middle names'),
  attribute('honorificPrefix', 'The title before the name, as "Dr."'),
  attribute('honorificSuffix', 'The suffix after the name, as "III"'),
  attribute('fullName', 'The full name, under the name that other services use'),
]);

const ADDRESSES = complex(
  'addresses',
  'Postal addresses',
  [
    attribute('formatted', 'The full address, formatted for mail'),
    attribute('streetAddress', 'The street, house number and apartment'),
    attribute('locality', 'The city'),
    attribute('region', 'The state or region'),
    attribute('postalCode', 'The postal code'),
    attribute('country', 'The country code, with two letters'),
    attribute('type', 'The purpose, as "work"', { canonicalValues: ['work', 'home', 'other'] }),
    attribute('primary', 'Whether it is the preferred one', { type: 'boolean' }),
  ],
  { multiValued: true },
);

const GROUPS = complex(
  'groups',
  'The groups of the user; change them with the Group resource',
  [
    attribute('value', "The group's identifier", { mutability: 'readOnly' }),
    attribute('$ref', "The group's URL", {
      type: 'reference',
      mutability: 'readOnly',
      referenceTypes: ['Group'],
    }),
    attribute('display', "The group's name", { mutability: 'readOnly' }),
    attribute('type', 'The kind of membership', {
      mutability: 'readOnly',
      canonicalValues: ['direct', 'indirect'],
    }),
  ],
  { multiValued: true, mutability: 'readOnly' },
);

const USER_SCHEMA: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'An account',
  attributes: [
    attribute('userName', 'The name that the user signs in with', { required: true, uniqueness: 'server' }),
    NAME,
    attribute('displayName', 'The name that is displayed'),
    attribute('nickName', 'The casual name of the user'),
    attribute('profileUrl', 'The URL of a page about the user', {
      type: 'reference',
      referenceTypes: ['external'],
    }),
    attribute('title', 'The job title, as "Vice President"'),
    attribute('userType', 'The relation to the organization, as "Contractor"'),
    attribute('preferredLanguage', 'The preferred languages, in the format of Accept-Language'),
    attribute('locale', 'The locale for dates and numbers, as "en-GB"'),
    attribute('timezone', 'The time zone, as "Europe/Vienna"'),
    attribute('active', 'Whether the account is enabled', { type: 'boolean' }),
    attribute('password', 'The password, in clear text', {
      caseExact: true,
      mutability: 'writeOnly',
      returned: 'never',
    }),
    plural('emails', 'E-mail addresses', attribute('value', 'The address'), ['work', 'home', 'other']),
    plural('phoneNumbers', 'Telephone numbers', attribute('value', 'The number'), [
      'work',
      'home',
      'mobile',
      'fax',
      'pager',
      'other',
    ]),
    plural('ims', 'Addresses for instant messages', attribute('value', 'The address'), [
      'aim',
      'gtalk',
      'icq',
      'xmpp',
      'msn',
      'skype',
      'qq',
      'yahoo',
    ]),
    plural(
      'photos',
      'URLs of photos',
      attribute('value', 'The URL', { type: 'reference', referenceTypes: ['external'] }),
      ['photo', 'thumbnail'],
    ),
    ADDRESSES,
    GROUPS,
    plural('entitlements', 'The entitlements of the user', attribute('value', 'The entitlement')),
    plural('roles', 'Roles: ADMIN, EDITOR or VIEWER', attribute('value', 'The role')),
    plural(
      'x509Certificates',
      'Certificates of the user',
      attribute('value', 'The certificate, DER in base64', { type: 'binary' }),
    ),
  ],
};

const ENTERPRISE_SCHEMA: Schema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  description: 'The data of an organization about an account',
  attributes: [
    attribute('employeeNumber', 'The number that the organization assigned'),
    attribute('costCenter', 'The cost center'),
    attribute('organization', 'The organization'),
    attribute('division', 'The division'),
    attribute('department', 'The department'),
    complex('manager', "The user's manager", [
      attribute('value', "The manager's identifier"),
      attribute('$ref', "The manager's URL", { type: 'reference', referenceTypes: ['User'] }),
      attribute('displayName', "The manager's name"),
    ]),
    attribute('superUser', 'Whether the user is an administrator', { type: 'boolean' }),
    attribute('userStatus', 'The state of the account, as "CONFIRMED"'),
    attribute('external', 'Whether the user signs in only with an identity provider', { type: 'boolean' }),
  ],
};

/** Users (docs/reference/scim-users.md#attributes; RFC 7643, 4.1 and 4.3). */
export const USER_TYPE: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  description: 'Accounts',
  schema: USER_SCHEMA,
  extensions: [ENTERPRISE_SCHEMA],
};
