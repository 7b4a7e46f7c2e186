import { attribute, complex, plural, type ResourceType, type Schema } from '../protocol/schema.ts';

const NAME = complex('name', 'The parts of the name', [
  attribute('formatted', 'The whole name, as it is shown'),
  attribute('familyName', 'The family name, or last name'),
  attribute('givenName', 'The given name, or first name'),
  attribute('middleName', 'The middle names'),
  attribute('honorificPrefix', 'What stands before it, as "Dr."'),
  attribute('honorificSuffix', 'What stands behind it, as "III"'),
  attribute('fullName', 'The whole name, as other services call it'),
]);

const ADDRESSES = complex(
  'addresses',
  'Postal addresses',
  [
    attribute('formatted', 'The whole address, as on an envelope'),
    attribute('streetAddress', 'Street, house, apartment'),
    attribute('locality', 'The city'),
    attribute('region', 'The state or region'),
    attribute('postalCode', 'The postal code'),
    attribute('country', 'The country, with two letters'),
    attribute('type', 'What it is for', { canonicalValues: ['work', 'home', 'other'] }),
    attribute('primary', 'Whether it is the preferred one', { type: 'boolean' }),
  ],
  { multiValued: true },
);

const GROUPS = complex(
  'groups',
  'The groups in which the user is; they are changed at the groups',
  [
    attribute('value', "The group's identifier", { mutability: 'readOnly' }),
    attribute('$ref', "The group's URL", {
      type: 'reference',
      mutability: 'readOnly',
      referenceTypes: ['Group'],
    }),
    attribute('display', "The group's name", { mutability: 'readOnly' }),
    attribute('type', 'How the user comes to be in it', {
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
    attribute('userName', 'The name with which the user signs in', { required: true, uniqueness: 'server' }),
    NAME,
    attribute('displayName', 'The name that is shown'),
    attribute('nickName', 'What friends call the user'),
    attribute('profileUrl', "A page about the user's", { type: 'reference', referenceTypes: ['external'] }),
    attribute('title', 'The position, as "Vice President"'),
    attribute('userType', 'The relation to the organization, as "Contractor"'),
    attribute('preferredLanguage', 'Languages to speak with the user, as in Accept-Language'),
    attribute('locale', 'How dates and numbers are written, as "en-GB"'),
    attribute('timezone', 'The time zone, as "Europe/Vienna"'),
    attribute('active', 'Whether the user may do anything', { type: 'boolean' }),
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
      'URLs of pictures',
      attribute('value', 'The URL', { type: 'reference', referenceTypes: ['external'] }),
      ['photo', 'thumbnail'],
    ),
    ADDRESSES,
    GROUPS,
    plural('entitlements', 'What the user is entitled to', attribute('value', 'The entitlement')),
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
  description: 'What an organization knows about an account',
  attributes: [
    attribute('employeeNumber', 'The number that the organization gave'),
    attribute('costCenter', 'The cost center'),
    attribute('organization', 'The organization'),
    attribute('division', 'The division'),
    attribute('department', 'The department'),
    complex('manager', "The user's manager", [
      attribute('value', "The manager's identifier"),
      attribute('$ref', "The manager's URL", { type: 'reference', referenceTypes: ['User'] }),
      attribute('displayName', "The manager's name"),
    ]),
    attribute('superUser', 'Whether the user may do everything', { type: 'boolean' }),
    attribute('userStatus', 'The state of the account, as "CONFIRMED"'),
    attribute('external', 'Whether the user signs in elsewhere only', { type: 'boolean' }),
  ],
};

/** Users (interface 2.8; RFC 7643, 4.1 and 4.3). */
export const USER_TYPE: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  description: 'Accounts',
  schema: USER_SCHEMA,
  extensions: [ENTERPRISE_SCHEMA],
};
