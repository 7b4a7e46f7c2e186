import { exceedsBytes, MAX_NAME_LENGTH } from '../errors/fields.ts';
import type { AssetType } from './asset-type.ts';
import type { Content } from './contents/content-store.ts';
import {
  contentRequired,
  contentTooLarge,
  descriptionTooLarge,
  mustBeUnicode,
  nameHasSlash,
  nameNotAllowed,
  nameOrContentRequired,
  nameRequired,
  nameTooLong,
  parentPathRequired,
} from './errors.ts';

/** The largest content, in bytes of UTF-8 (docs/reference/http-api.md#limits). */
const CONTENT_LIMIT = 15 * 1024 * 1024;

/** The largest description, in bytes of UTF-8. */
const DESCRIPTION_LIMIT = 1024 * 1024;

/** The types of folders that can be created. */
export const FOLDER_TYPES = { REGULAR: 'REGULAR_FOLDER', PROJECT: 'PROJECT' } as const;

/** The value of `folder_type`. */
export type FolderType = keyof typeof FOLDER_TYPES;

/** The fields of a change; absent ones do not change. An empty name or parent path counts as absent. */
export interface FolderFields {
  readonly parentPath?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/** The fields of a folder's creation. */
export interface NewFolderFields extends FolderFields {
  readonly folderType?: FolderType | undefined;
}

/** The fields of an asset's creation or change. */
export interface AssetFields extends FolderFields {
  readonly content?: string | Uint8Array | undefined;
}

/** A checked folder or asset to create. */
export interface NewItem {
  readonly parentPath: string;
  readonly name: string;
  readonly description: string;
}

/** A checked folder to create. */
export interface NewFolder extends NewItem {
  readonly type: AssetType;
}

/** A checked asset to create. */
export interface NewAsset extends NewItem {
  readonly content: Content;
}

/** A checked change of a folder; undefined fields do not change. */
export interface FolderChange {
  readonly name: string | undefined;
  readonly parentPath: string | undefined;
  readonly description: string | undefined;
}

/** A checked change of an asset; undefined fields do not change. */
export interface AssetChange extends FolderChange {
  readonly content: Content | undefined;
}

// Each check below follows the rows of its table (docs/reference/http-catalog.md#checks), top to bottom, and throws the
// first that fails. Using a field may throw, too, so each field is used once, in this order.

/** Checks the fields of `POST /catalog/folders`. Throws 400. */
export function checkNewFolder(fields: NewFolderFields): NewFolder {
  const parentPath = fields.parentPath || fail(parentPathRequired());
  const name = checkName(fields.name) ?? fail(nameRequired());
  const type = FOLDER_TYPES[fields.folderType ?? 'REGULAR'];
  return { parentPath, name, type, description: checkDescription(fields.description) ?? '' };
}

/** Checks the fields of `POST /catalog/assets`. Throws 400. */
export function checkNewAsset(fields: AssetFields): NewAsset {
  const parentPath = fields.parentPath || fail(parentPathRequired());
  const name = checkName(fields.name) ?? fail(nameRequired());
  const content = checkContent(fields.content) ?? fail(contentRequired());
  return { parentPath, name, content, description: checkDescription(fields.description) ?? '' };
}

/** Checks the fields of `PUT /catalog/folders`. Throws 400. */
export function checkFolderChange(fields: FolderFields): FolderChange {
  return {
    name: checkName(fields.name),
    parentPath: fields.parentPath || undefined,
    description: checkDescription(fields.description),
  };
}

/** Checks the fields of `PUT /catalog/assets`. Throws 400, also without a change. */
export function checkAssetChange(fields: AssetFields): AssetChange {
  const change: AssetChange = {
    name: checkName(fields.name),
    content: checkContent(fields.content),
    parentPath: fields.parentPath || undefined,
    description: checkDescription(fields.description),
  };
  if (isEmpty(change)) throw nameOrContentRequired();
  return change;
}

/** Whether a change has no fields. */
export function isEmpty(change: FolderChange): boolean {
  return Object.values(change).every((value) => value === undefined);
}

function fail(error: Error): never {
  throw error;
}

function checkName(name: string | undefined): string | undefined {
  if (!name) return undefined;
  if (name.includes('/')) throw nameHasSlash();
  if (isLonger(name, MAX_NAME_LENGTH)) throw nameTooLong();
  if (name === '.' || name === '..' || /\p{Cc}/u.test(name)) throw nameNotAllowed();
  if (!name.isWellFormed()) throw mustBeUnicode('Name');
  return name;
}

/** A code point has at most two UTF-16 units, so only short strings are counted. */
function isLonger(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || [...text].length > limit);
}

/** Bytes are those of a long well-formed text. */
function checkContent(content: string | Uint8Array | undefined): Content | undefined {
  if (content === undefined) return undefined;
  if (typeof content !== 'string') {
    if (content.length > CONTENT_LIMIT) throw contentTooLarge();
    return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  }
  if (exceedsBytes(content, CONTENT_LIMIT)) throw contentTooLarge();
  if (!content.isWellFormed()) throw mustBeUnicode('Content');
  return content;
}

function checkDescription(description: string | undefined): string | undefined {
  if (description === undefined) return undefined;
  if (exceedsBytes(description, DESCRIPTION_LIMIT)) throw descriptionTooLarge();
  if (!description.isWellFormed()) throw mustBeUnicode('Description');
  return description;
}
