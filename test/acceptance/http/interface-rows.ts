/** The general statements (docs/reference/http-api.md, docs/reference/http-catalog.md#items), one in each row. */
const GENERAL = {
  'json in and out': 'Requests and answers are JSON',
  timestamps: 'Times are ISO 8601 in UTC, with milliseconds',
  'encoded paths': 'Paths in URLs are separated by slashes and percent-encoded',
  namespaces: 'A path begins with @Personal, @Shared or @Project Hub',
  'hub paths': 'A path in the hub continues with the project and the path inside it',
  'list entry fields': 'List entries and folders have only name, path, type, created_at and updated_at',
  'single item fields': 'A single item also has description and data',
  'script data': 'The data of both script types contains content',
  'asset answer fields': 'Created and updated assets have name, path, type, data.content and both times',
  'item types': 'Types are those of the table, and each can be read',
  'folder types': 'A folder is created as REGULAR, the default, or PROJECT',
  'regular folder': 'A regular folder is answered as REGULAR_FOLDER',
  'etag of a read': 'Reading a single item gives a quoted number as its ETag',
  'etag of a folder': 'Creating a folder gives its ETag',
  'location of a folder': 'Creating a folder gives the URL path where it can be read',
  'rename moves children': 'Renaming a folder changes the paths of all items below it',
  'bearer token': 'A request contains a token as Bearer, one space, token',
  'token once': 'A token is shown once, when it is created',
  'deleted token': 'A deleted token is invalid',
  'versioned address': 'The version is part of the address: /api/v1',
} as const;

/** The statements about reading and changing the catalog (docs/reference/http-catalog.md). */
const ENDPOINTS = {
  'list children': 'GET list answers the direct children of a folder in data',
  'read by path': 'GET by-path answers the item, and its ETag',
  'create a folder': 'POST folders answers 201, the folder, ETag and Location',
  'create an asset': 'POST assets answers 201 and the asset with its content',
  'service script': 'Content with #+src or {{ }} makes a SERVICE_SCRIPT',
  'sql script': 'All other content makes a SQL_SCRIPT',
  'update a folder': 'PUT folders renames, and answers 200 and the folder',
  'folder name optional': 'PUT folders needs no name',
  'update an asset': 'PUT assets changes name and content, each optional, and answers 200 and the asset',
  'delete a folder': 'DELETE folders removes an empty folder: 204 without a body',
  'delete an asset': 'DELETE assets removes an asset: 204 without a body',
  'etag round trip': 'An ETag that was read is valid as If-Match for an update and for a deletion',
  'changed since': 'When the item has changed since: 412, and the detail has its current ETag',
  'no if-match': 'Without If-Match: 428',
} as const;

/** The statuses of errors (docs/reference/http-api.md#failures). */
const STATUSES = {
  'error body': 'A failure is an object with the texts message, detail, code and request_id',
  'status 200': 'Success',
  'status 201': 'Created',
  'status 204': 'Deleted, no body',
  'status 400': 'Validation failed',
  'status 401': 'No valid token supplied',
  'status 403': 'Token lacks permission',
  'status 404': 'Resource does not exist',
  'status 409': 'Conflict with another request',
  'status 412': 'ETag does not match the current version',
  'status 422': 'Well-formed request with semantic errors',
  'status 428': 'Required header missing',
  'status 5xx': 'Server-side failure',
} as const;

/** The checks of reading and creating (docs/reference/http-catalog.md#checks). */
const LIST_AND_CREATION = {
  'list: path not found': '404 Path not found: <path>',
  'list: an asset': '400 Not a folder: <path>',
  'list: no permission': "403 You don't have permission to perform the request",
  'new folder: parent_path missing': '400 Parent path is required',
  'new folder: name missing': '400 Name is required',
  'new folder: name with a slash': "400 Name cannot contain '/' character",
  'new folder: name too long': '400 Name exceeds maximum length of 255 characters',
  'new folder: invalid folder_type': '400 Invalid value for folder_type',
  'new folder: parent not found': '404 Path not found: <path>',
  'new folder: name exists': '400 Name already exists.',
  'new folder: parent is an asset': '422 Parent path must be a folder',
  'new folder: no permission': '404 Path not found: <path>',
  'new asset: parent_path missing': '400 Parent path is required',
  'new asset: name missing': '400 Name is required',
  'new asset: name with a slash': "400 Name cannot contain '/' character",
  'new asset: name too long': '400 Name exceeds maximum length of 255 characters',
  'new asset: content missing': '400 Content is required',
  'new asset: content too large': '400 Content exceeds the 15 MB size limit',
  'new asset: parent not found': '404 Path not found: <path>',
  'new asset: name exists': '400 Name already exists.',
  'new asset: no permission': '404 Path not found: <path>',
  'new asset: folder_type does not count': 'No value of folder_type is refused',
  'new asset: parent is an asset': 'Not 422 as for folders',
} as const;

/**
 * The checks of updates and deletions (docs/reference/http-catalog.md#checks), for each of the two endpoints and
 * methods.
 */
const CHANGES = {
  'put folder: if-match missing': '428 If-Match header is required',
  'put asset: if-match missing': '428 If-Match header is required',
  'delete folder: if-match missing': '428 If-Match header is required',
  'delete asset: if-match missing': '428 If-Match header is required',
  'put folder: etag mismatch':
    '412 Entity has been modified. Refresh and retry with current ETag: "<revision>"',
  'put asset: etag mismatch':
    '412 Entity has been modified. Refresh and retry with current ETag: "<revision>"',
  'delete folder: etag mismatch':
    '412 Entity has been modified. Refresh and retry with current ETag: "<revision>"',
  'delete asset: etag mismatch':
    '412 Entity has been modified. Refresh and retry with current ETag: "<revision>"',
  'put folder: path not found': '404 Path not found: <path>',
  'put asset: path not found': '404 Path not found: <path>',
  'delete folder: path not found': '404 Path not found: <path>',
  'delete asset: path not found': '404 Path not found: <path>',
  'put folder: given an asset': '422 Path must be a folder',
  'delete folder: given an asset': '422 Path must be a folder',
  'put asset: given a folder': '422 Path must be an asset',
  'delete asset: given a folder': '422 Path must be an asset',
  'put folder: name with a slash': "400 Name cannot contain '/' character",
  'put asset: name with a slash': "400 Name cannot contain '/' character",
  'put folder: name too long': '400 Name exceeds maximum length of 255 characters',
  'put asset: name too long': '400 Name exceeds maximum length of 255 characters',
  'put folder: name exists': '400 Name already exists.',
  'put asset: name exists': '400 Name already exists.',
  'put asset: content too large': '400 Content exceeds the 15 MB size limit',
  'delete folder: not empty': '400 Folder is not empty',
  'put folder: no permission': '404 Path not found: <path>',
  'put asset: no permission': '404 Path not found: <path>',
  'delete folder: no permission': '404 Path not found: <path>',
  'delete asset: no permission': '404 Path not found: <path>',
} as const;

/** The limits (docs/reference/http-api.md#limits) that concern the catalog and the first administrator. */
const LIMITS = {
  'limit: name of a folder': '255 characters, at creation and update',
  'limit: name of an asset': '255 characters, at creation and update',
  'limit: no slash in a name': 'Folders and assets, at creation and update',
  'limit: content': '15 MB, at creation and update',
  'limit: administrator password': 'At least 8 characters',
} as const;

/** Every statement of the interface about the catalog, by a descriptive id. */
export const INTERFACE_ROWS = {
  ...GENERAL,
  ...ENDPOINTS,
  ...STATUSES,
  ...LIST_AND_CREATION,
  ...CHANGES,
  ...LIMITS,
} as const;
