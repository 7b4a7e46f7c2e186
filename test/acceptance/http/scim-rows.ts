/**
 * The statements about resources (docs/reference/scim-users.md#attributes, docs/reference/scim-groups.md#attributes),
 * one in each row.
 */
const RESOURCES = {
  'user: schemas': 'The URNs of the core schema and of the enterprise extension',
  'user: id': 'Assigned by the service, with any value in a request',
  'user: userName': 'A text',
  'user: active': 'true or false; an inactive user may do nothing',
  'user: emails': 'Each has value and primary',
  'user: name': 'givenName, familyName, fullName and formatted',
  'user: displayName': 'A text',
  'user: roles': 'Each has value, the name of a role',
  'user: password': 'Accepted at creation, and never answered',
  'user: groups': 'The groups that the user is in',
  'user: enterprise': 'organization, superUser, userStatus and external below the URN of the extension',
  'user: CONFIRMED': 'userStatus is CONFIRMED unless something else was sent',
  'group: schemas': 'The URN of the core schema',
  'group: id': 'Assigned by the service, with any value in a request',
  'group: displayName': 'A text',
  'group: description': 'A text',
  'group: external': 'true or false',
  'group: members': 'Each has value, display, $ref and type, which is USER',
  'list response': 'schemas, totalResults, startIndex, itemsPerPage and Resources',
} as const;

/** The statements about routes (docs/reference/scim.md#routes). */
const ENDPOINTS = {
  'list users': 'GET /Users answers a list response',
  'create a user': 'POST /Users takes the shape of a user',
  'read a user': 'GET /Users/{id} answers the user',
  'replace a user': 'PUT /Users/{id} updates the user',
  'delete a user': 'DELETE /Users/{id} answers { status } with the text 200',
  'list groups': 'GET /Groups answers a list response',
  'create a group': 'POST /Groups creates a group',
  'read a group': 'GET /Groups/{id} answers the group',
  'replace a group': 'PUT /Groups/{id} updates the group',
  'delete a group': 'DELETE /Groups/{id} deletes the group',
  count: 'At most the given number of items is answered',
  startIndex: 'The first item is the one of this index, from 1',
  filter: 'A SCIM expression',
  'user filter': 'Only equality on userName counts; with any other filter all users are answered',
  'scim address': 'The base address is /api/v1/scim/v2',
} as const;

/** The statements about requests, errors and changes (docs/reference/scim.md, docs/reference/scim-changes.md). */
const DECIDED = {
  'scim: administrators': 'Provisioning is for administrators: 403 for others',
  'scim: media type': 'application/scim+json in answers; that and application/json in requests',
  'scim: error body':
    'schemas, status as a string, scimType, detail, message, code and request_id, for every failure below the prefix',
  'scim: patch': 'PATCH is applied in order, and completely or not at all',
  'scim: discovery': 'ServiceProviderConfig, ResourceTypes and Schemas',
  'scim: search': 'POST .search has the parameters of a URL in its body',
  'scim: projection': 'attributes and excludedAttributes select the answered attributes',
  'scim: etags': 'ETag, If-Match (412) and If-None-Match (304)',
  'scim: unsupported': '501 for /Bulk and /Me',
  'scim: short password': 'A password has 8 characters',
  'scim: external password': 'The password of an external user is dropped',
  'scim: created': '201 with Location and ETag',
  'scim: uniqueness': '409 uniqueness for userName, e-mail and displayName, in any case',
  'scim: kept attributes': 'externalId and unused attributes are stored and answered',
  'scim: put keeps':
    'PUT keeps active, password, roles and the enterprise object where they are absent, and drops the rest',
  'scim: put ignores': 'id, meta and groups of a body are ignored',
  'scim: order': 'Lists are in the order of creation',
  'scim: page size': 'count is 100 by default and 1,000 at most',
  'scim: group filter':
    'displayName, externalId, id and members.value eq, joined by and; otherwise 400 invalidFilter',
  'scim: last administrator': '409 for deleting, disabling or demoting the last active one',
  'scim: superUser wins': 'superUser overrides a role that contradicts it; ADMIN is the same fact',
  'scim: unknown role': 'An unknown role is stored and gives no right',
  'scim: deactivation': 'A deactivated or deleted user is refused at the next request',
  'scim: no nested groups': '400 invalidValue for a member that is not a user',
  'scim: local members': 'Members from other sources are shown, and remain',
  'scim: audit': 'Actions of a provisioning service are in the audit log',
  'scim: limits of a body': '413 beyond 10 MB, after authentication',
} as const;

/** Every statement about provisioning, by a descriptive id. */
export const SCIM_ROWS = { ...RESOURCES, ...ENDPOINTS, ...DECIDED } as const;
