import { describe, expect, it } from 'vitest';
import type { Principal } from '../../src/identity/principal/principal.ts';
import { assetChange, folderChange, newAsset, newFolder } from '../../src/server/catalog/schemas.ts';
import { readPage } from '../support/pages.ts';
import { createWorld, makeAsset, makeFolders, refusalOf, type World } from './world.ts';

/** The code of each error text, without variable parts. Programs depend on the codes, so they never change. */
const CODES: Readonly<Record<string, string>> = {
  'Path not found': 'path_not_found',
  'Not a folder': 'not_a_folder',
  "You don't have permission to perform the request": 'permission_denied',
  'Parent path is required': 'parent_path_required',
  'Name is required': 'name_required',
  "Name cannot contain '/' character": 'name_has_slash',
  'Name exceeds maximum length of 255 characters': 'name_too_long',
  'Invalid value for folder_type': 'folder_type_invalid',
  'Name already exists.': 'name_exists',
  'Parent path must be a folder': 'parent_must_be_folder',
  'Content is required': 'content_required',
  'Content exceeds the 15 MB size limit': 'content_too_large',
  'If-Match header is required': 'if_match_required',
  'Entity has been modified. Refresh and retry with current ETag': 'revision_mismatch',
  'Path must be a folder': 'path_must_be_folder',
  'Path must be an asset': 'path_must_be_asset',
  'Folder is not empty': 'folder_not_empty',
};

/**
 * A row of the checks (docs/reference/http-catalog.md#checks): its condition, a call with this condition, its status
 * and its detail.
 */
type Row = readonly [condition: string, act: (calls: Calls) => unknown, status: number, detail: string];

type Body = Readonly<Record<string, unknown>>;

/** The calls on one world, as its administrator or as its guest. */
interface Calls {
  list(path: string): unknown;
  listAsGuest(path: string): unknown;
  folder(body: Body): unknown;
  folderAsGuest(body: Body): unknown;
  asset(body: Body): unknown;
  assetAsGuest(body: Body): unknown;
  /** Folders and assets have the same two calls. */
  put(kind: 'folder' | 'asset', path: string, ifMatch: string | undefined, body: Body, as?: 'guest'): unknown;
  remove(kind: 'folder' | 'asset', path: string, ifMatch: string | undefined, as?: 'guest'): unknown;
}

/**
 * A world with `@Shared/folder` (revision 4, later 10) with `script` (7) and `other` in it, `@Shared/empty` and
 * `@Project Hub/p`.
 */
function setUp(): World {
  const world = createWorld();
  makeFolders(world, '@Shared/folder');
  makeFolders(world, '@Shared/empty');
  makeFolders(world, '@Project Hub/p', 'PROJECT');
  makeAsset(world, '@Shared/folder/script');
  makeAsset(world, '@Shared/folder/other');
  makeAsset(world, '@Project Hub/p/main');
  world.catalog.updateFolder(world.owner, '@Shared/folder', '*', { description: 'x' });
  return world;
}

function toCalls({ catalog, owner, guest }: World): Calls {
  const who = (as?: 'guest'): Principal => (as === 'guest' ? guest : owner);
  return {
    list: (path) => catalog.list(owner, path),
    listAsGuest: (path) => catalog.list(guest, path),
    folder: (body) => catalog.createFolder(owner, newFolder.readOnUse(body)),
    folderAsGuest: (body) => catalog.createFolder(guest, newFolder.readOnUse(body)),
    asset: (body) => catalog.createAsset(owner, newAsset.readOnUse(body)),
    assetAsGuest: (body) => catalog.createAsset(guest, newAsset.readOnUse(body)),
    put: (kind, path, ifMatch, body, as) =>
      kind === 'folder'
        ? catalog.updateFolder(who(as), path, ifMatch, folderChange.readOnUse(body))
        : catalog.updateAsset(who(as), path, ifMatch, assetChange.readOnUse(body)),
    remove: (kind, path, ifMatch, as) =>
      kind === 'folder'
        ? catalog.deleteFolder(who(as), path, ifMatch)
        : catalog.deleteAsset(who(as), path, ifMatch),
  };
}

const shared = { parent_path: '@Shared' };
const long = 'x'.repeat(256);
const large = 'é'.repeat(7_864_321);
const hub = '@Project Hub/p';

const LIST: readonly Row[] = [
  ['Path not found', (call) => call.list('@Shared/nowhere'), 404, 'Path not found: @Shared/nowhere'],
  [
    'Path is an asset, not a folder',
    (call) => call.list('@Shared/folder/script'),
    400,
    'Not a folder: @Shared/folder/script',
  ],
  [
    'No permission for path',
    (call) => call.listAsGuest(hub),
    403,
    "You don't have permission to perform the request",
  ],
];

const FOLDER_CREATION: readonly Row[] = [
  ['parent_path missing', (call) => call.folder({ name: 'n' }), 400, 'Parent path is required'],
  ['name missing', (call) => call.folder({ ...shared }), 400, 'Name is required'],
  [
    'name contains `/`',
    (call) => call.folder({ ...shared, name: 'a/b' }),
    400,
    "Name cannot contain '/' character",
  ],
  [
    'name over 255 characters',
    (call) => call.folder({ ...shared, name: long }),
    400,
    'Name exceeds maximum length of 255 characters',
  ],
  [
    'invalid folder_type',
    (call) => call.folder({ ...shared, name: 'n', folder_type: 'REGULAR_FOLDER' }),
    400,
    'Invalid value for folder_type',
  ],
  [
    'parent not found',
    (call) => call.folder({ parent_path: '/@Shared/nowhere/', name: 'n' }),
    404,
    'Path not found: /@Shared/nowhere/',
  ],
  ['name already exists', (call) => call.folder({ ...shared, name: 'folder' }), 400, 'Name already exists.'],
  [
    'parent is an asset',
    (call) => call.folder({ parent_path: '@Shared/folder/script', name: 'n' }),
    422,
    'Parent path must be a folder',
  ],
  [
    'no permission',
    (call) => call.folderAsGuest({ parent_path: hub, name: 'n' }),
    404,
    `Path not found: ${hub}`,
  ],
];

const ASSET_CREATION: readonly Row[] = [
  ['parent_path missing', (call) => call.asset({ name: 'n', content: '' }), 400, 'Parent path is required'],
  ['name missing', (call) => call.asset({ ...shared, content: '' }), 400, 'Name is required'],
  [
    'name contains `/`',
    (call) => call.asset({ ...shared, name: 'a/b', content: '' }),
    400,
    "Name cannot contain '/' character",
  ],
  [
    'name over 255 characters',
    (call) => call.asset({ ...shared, name: long, content: '' }),
    400,
    'Name exceeds maximum length of 255 characters',
  ],
  ['content missing', (call) => call.asset({ ...shared, name: 'n' }), 400, 'Content is required'],
  [
    'content over 15 MB',
    (call) => call.asset({ ...shared, name: 'n', content: large }),
    400,
    'Content exceeds the 15 MB size limit',
  ],
  [
    'parent not found',
    (call) => call.asset({ parent_path: '@Shared/nowhere', name: 'n', content: '' }),
    404,
    'Path not found: @Shared/nowhere',
  ],
  [
    'name already exists',
    (call) => call.asset({ ...shared, name: 'folder', content: '' }),
    400,
    'Name already exists.',
  ],
  [
    'parent is an asset',
    (call) => call.asset({ parent_path: '@Shared/folder/script', name: 'n', content: '' }),
    404,
    'Path not found: @Shared/folder/script',
  ],
  [
    'no permission',
    (call) => call.assetAsGuest({ parent_path: hub, name: 'n', content: '' }),
    404,
    `Path not found: ${hub}`,
  ],
];

const UPDATE: readonly Row[] = [
  [
    'If-Match missing (folder)',
    (call) => call.put('folder', '@Shared/folder', undefined, {}),
    428,
    'If-Match header is required',
  ],
  [
    'If-Match missing (asset)',
    (call) => call.put('asset', '@Shared/folder/script', undefined, {}),
    428,
    'If-Match header is required',
  ],
  [
    'ETag mismatch (folder)',
    (call) => call.put('folder', '@Shared/folder', '"4"', {}),
    412,
    'Entity has been modified. Refresh and retry with current ETag: "10"',
  ],
  [
    'ETag mismatch (asset)',
    (call) => call.put('asset', '@Shared/folder/script', '"8"', {}),
    412,
    'Entity has been modified. Refresh and retry with current ETag: "7"',
  ],
  [
    'path not found (folder)',
    (call) => call.put('folder', '@Shared/nowhere', '*', {}),
    404,
    'Path not found: @Shared/nowhere',
  ],
  [
    'path not found (asset)',
    (call) => call.put('asset', '@Shared/nowhere', '*', {}),
    404,
    'Path not found: @Shared/nowhere',
  ],
  [
    'folder endpoint given an asset',
    (call) => call.put('folder', '@Shared/folder/script', '*', {}),
    422,
    'Path must be a folder',
  ],
  [
    'asset endpoint given a folder',
    (call) => call.put('asset', '@Shared/folder', '*', {}),
    422,
    'Path must be an asset',
  ],
  [
    'name contains `/` (folder)',
    (call) => call.put('folder', '@Shared/folder', '*', { name: 'a/b' }),
    400,
    "Name cannot contain '/' character",
  ],
  [
    'name contains `/` (asset)',
    (call) => call.put('asset', '@Shared/folder/script', '*', { name: 'a/b' }),
    400,
    "Name cannot contain '/' character",
  ],
  [
    'name over 255 characters (folder)',
    (call) => call.put('folder', '@Shared/folder', '*', { name: long }),
    400,
    'Name exceeds maximum length of 255 characters',
  ],
  [
    'name over 255 characters (asset)',
    (call) => call.put('asset', '@Shared/folder/script', '*', { name: long }),
    400,
    'Name exceeds maximum length of 255 characters',
  ],
  [
    'name already exists (folder)',
    (call) => call.put('folder', '@Shared/folder', '*', { name: 'empty' }),
    400,
    'Name already exists.',
  ],
  [
    'name already exists (asset)',
    (call) => call.put('asset', '@Shared/folder/script', '*', { name: 'other' }),
    400,
    'Name already exists.',
  ],
  [
    'content over 15 MB (asset)',
    (call) => call.put('asset', '@Shared/folder/script', '*', { content: large }),
    400,
    'Content exceeds the 15 MB size limit',
  ],
  [
    'no permission (folder)',
    (call) => call.put('folder', hub, '*', {}, 'guest'),
    404,
    `Path not found: ${hub}`,
  ],
  [
    'no permission (asset)',
    (call) => call.put('asset', `${hub}/main`, '*', {}, 'guest'),
    404,
    `Path not found: ${hub}/main`,
  ],
];

const DELETE: readonly Row[] = [
  [
    'If-Match missing (folder)',
    (call) => call.remove('folder', '@Shared/empty', undefined),
    428,
    'If-Match header is required',
  ],
  [
    'If-Match missing (asset)',
    (call) => call.remove('asset', '@Shared/folder/script', undefined),
    428,
    'If-Match header is required',
  ],
  [
    'ETag mismatch (folder)',
    (call) => call.remove('folder', '@Shared/folder', '"4"'),
    412,
    'Entity has been modified. Refresh and retry with current ETag: "10"',
  ],
  [
    'ETag mismatch (asset)',
    (call) => call.remove('asset', '@Shared/folder/script', '"8"'),
    412,
    'Entity has been modified. Refresh and retry with current ETag: "7"',
  ],
  [
    'path not found (folder)',
    (call) => call.remove('folder', '@Shared/nowhere', '*'),
    404,
    'Path not found: @Shared/nowhere',
  ],
  [
    'path not found (asset)',
    (call) => call.remove('asset', '@Shared/nowhere', '*'),
    404,
    'Path not found: @Shared/nowhere',
  ],
  [
    'folder endpoint given an asset',
    (call) => call.remove('folder', '@Shared/folder/script', '*'),
    422,
    'Path must be a folder',
  ],
  [
    'asset endpoint given a folder',
    (call) => call.remove('asset', '@Shared/folder', '*'),
    422,
    'Path must be an asset',
  ],
  ['folder not empty', (call) => call.remove('folder', '@Shared/folder', '*'), 400, 'Folder is not empty'],
  [
    'no permission (folder)',
    (call) => call.remove('folder', hub, '*', 'guest'),
    404,
    `Path not found: ${hub}`,
  ],
  [
    'no permission (asset)',
    (call) => call.remove('asset', `${hub}/main`, '*', 'guest'),
    404,
    `Path not found: ${hub}/main`,
  ],
];

describe.each([
  ['Catalog list', LIST],
  ['Folder creation', FOLDER_CREATION],
  ['Asset creation', ASSET_CREATION],
  ['Update', UPDATE],
  ['Delete', DELETE],
])('%s', (_, rows) => {
  it.each(rows)('%s', (_condition, act, status, detail) => {
    const calls = toCalls(setUp());
    const { code, ...refusal } = refusalOf(() => act(calls));
    expect(refusal).toEqual({ status, message: detail, detail });
    expect(code).toBe(CODES[detail.split(': ', 1)[0]!]);
    expect(code).toBeDefined();
  });
});

describe('the texts of errors', () => {
  it('are all on the page of the catalog over HTTP', () => {
    const page = readPage('docs/reference/http-catalog.md');
    expect(Object.keys(CODES).filter((text) => !page.includes(`\`${text}`))).toEqual([]);
  });
});
