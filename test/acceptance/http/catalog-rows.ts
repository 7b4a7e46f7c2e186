/** Paths, namespaces and headers (docs/reference/http-catalog.md#paths). */
const PATHS = {
  'leading slash': 'A path may have a leading slash, and is answered without',
  'trailing slash': 'A path may have one trailing slash, and is answered without',
  'raw slashes': 'Consecutive slashes in a URL count as one; encoded ones do not',
  'decoded once': 'A path is percent-decoded once, and then split at its slashes',
  'empty segment': 'A path with an empty segment: 404 Path not found: <path>',
  'dot segment': 'A path with a segment . or ..: 404 Path not found: <path>',
  'path in a detail': 'A detail has the decoded path of the request',
  'list without a path': 'GET list without a path lists the three namespaces',
  'types of the namespaces': '@Personal is a USER_HOME, the others are REGULAR_FOLDERs',
  'not a namespace': 'A path that begins with no namespace: 404',
  'roots can be read': 'Namespaces can be listed and read',
  'put on a root': '404 Path not found: <path>',
  'delete on a root': '404 Path not found: <path>',
  'etag of every answer': 'GET by-path, both POSTs and both PUTs answer an ETag',
  'location of both': 'Both POSTs answer Location, with the segments encoded, and @ and slashes unchanged',
  'read a folder by path': 'by-path is for folders, too',
  'no description': 'description is empty if it was not sent',
  'empty data': 'data is empty for all but scripts and manifests',
  'send a description': 'description may be sent at creation and update',
} as const;

/** Revisions and errors (docs/reference/http-catalog.md#revisions, docs/reference/http-api.md#failures). */
const REVISIONS_AND_ERRORS = {
  'first revision': 'A new item has the next revision of the catalog',
  'revision rises': 'Each accepted PUT with a field gives the next revision of the catalog',
  'revision is never reused': 'No two states of the catalog share a revision',
  'children raise nothing': 'Changes of children do not change the revision of a folder',
  'ancestors raise nothing': 'Changes of ancestors do not change the revision of an item',
  'grants raise nothing': 'Grants and restrictions do not change the revision of an item',
  updated_at: 'updated_at changes with the revision, and only with it',
  detail: 'detail is the text of the row',
  message: 'message is the first line of the detail',
  'other messages': 'Statuses outside of the table have the same body',
  'www-authenticate': '401 carries WWW-Authenticate: Bearer',
  'last administrator': 'The last administrator cannot be removed: 409',
} as const;

/** The order of checks, and the values that bodies may have (docs/reference/http-catalog.md#checks). */
const BODIES = {
  'creation order': 'The body in the order of the rows, then the parent, then whether the name exists',
  'parent before kind': 'A parent that is missing or not EDIT is the same 404, before its kind',
  'change order': '401, 404, 422, 428, 412, and then the body',
  'null is absent': 'A field that is null counts as absent',
  'wrong type': '400 <Field> must be a string',
  'name length in code points': 'Names have 1 to 255 code points',
  'names are exact': 'Names are compared exactly, and not trimmed',
  'empty name': 'An empty name counts as missing',
  'names of dots': '400 Name is not allowed',
  'control characters': '400 Name is not allowed',
  'empty content': 'Content may be empty',
  '15 MB': '15 MB are 15,728,640 bytes of UTF-8',
  'same name': 'An item may be renamed to its own name',
  'folder below an asset': '422',
  'asset below an asset': '404 Path not found: <parent_path>',
  'put folder without a name': '200, and nothing changes',
  'put asset with nothing': '400 Name or content is required',
} as const;

/** If-Match, types and listings (docs/reference/http-catalog.md). */
const MATCHING_AND_TYPES = {
  'if-match quoted': 'The quoted revision',
  'if-match bare': 'The revision without quotes',
  'if-match list': 'A list that contains the revision matches',
  'if-match star': '* matches any revision',
  'if-match weak': 'A weak tag matches nothing: 412',
  'if-match nonsense': 'Anything else matches nothing: 412',
  'type when written': 'The type is determined again whenever content is written',
  marker: '#+src makes a SERVICE_SCRIPT',
  braces: '{{ with }} anywhere after it makes a SERVICE_SCRIPT',
  'half braces': 'Either alone, or in the wrong order, does not',
  manifest: 'project.toml directly in a project is a PROJECT_MANIFEST',
  'no manifest': 'project.toml elsewhere, or in another notation, is a script',
  'foreign types': 'Types that the catalog does not create can be read, with empty data',
  'folders first': 'A listing has folders first',
  'code point order': 'Then by name in the order of code points',
  'hidden children': 'Items that the caller cannot view are left out of a listing',
  'hidden children count': 'A folder with only hidden children is not empty',
} as const;

/** The hub, moves, routes without a token, and bodies in general (docs/reference/http-catalog.md). */
const HUB_AND_SERVER = {
  'hub is restricted': 'Items directly below the hub are restricted, with any type',
  'right version': 'project_version is accepted when the manifest has it',
  'wrong version': '404 Project version not found: <version>',
  'version outside the hub': 'Outside of the hub it is ignored',
  'move a folder': 'parent_path in PUT folders moves it',
  'move an asset': 'parent_path in PUT assets moves it',
  'move: parent not found': '404, as for creation',
  'move: parent is an asset': '422 for folders and 404 for assets, as for creation',
  'move: no permission': '404, as for creation',
  'move: name exists': '400, as for creation',
  'health without a token': 'The health routes need no token',
  'console without a token': "The console's files and its sign-in need no token",
  'unknown route without a token': '401',
  'unknown route with a token': '404',
  'no coercion': 'No value in a body is converted to another type',
  'unknown fields': 'Unknown fields are ignored',
  'long paths': 'A path in a URL may have 2,000 characters and more',
  'framework errors': 'Errors of the framework have the shape of the other errors',
  'client errors': 'The answer to invalid HTTP has the shape of the other errors',
} as const;

/** Decisions about the catalog where the interface is open, by a descriptive id. */
export const CATALOG_ROWS = {
  ...PATHS,
  ...REVISIONS_AND_ERRORS,
  ...BODIES,
  ...MATCHING_AND_TYPES,
  ...HUB_AND_SERVER,
} as const;
