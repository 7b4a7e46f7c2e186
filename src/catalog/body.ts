import { exceedsBytes, type Fields, MAX_NAME_LENGTH, readString, toFields } from '../errors/fields.ts';
import type { AssetType } from './asset.ts';
import type { Content } from './contents/content-store.ts';
import {
  contentRequired,
  contentTooLarge,
  descriptionTooLarge,
  invalidFolderType,
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

/** A checked body of a folder's or an asset's creation. */
export interface NewItem {
  readonly parentPath: string;
  readonly name: string;
  readonly description: string;
}

/** A checked body of `POST /catalog/folders`. */
export interface NewFolder extends NewItem {
  readonly type: AssetType;
}

/** A checked body of `POST /catalog/assets`. */
export interface NewAsset extends NewItem {
  readonly content: Content;
}

/** A checked body of `PUT /catalog/folders`; undefined fields do not change. */
export interface FolderChange {
  readonly name: string | undefined;
  readonly parentPath: string | undefined;
  readonly description: string | undefined;
}

/** A checked body of `PUT /catalog/assets`; undefined fields do not change. */
export interface AssetChange extends FolderChange {
  readonly content: Content | undefined;
}

// Each check below follows the rows of its table (docs/reference/http-catalog.md#checks), top to bottom, and throws the
// first that fails. Null, an empty name and an empty parent path count as absent fields; unknown fields are ignored.

/** Checks a body of `POST /catalog/folders`. Throws 400. */
export function checkNewFolder(body: unknown): NewFolder {
  const fields = toFields(body);
  const parentPath = readParentPath(fields) ?? fail(parentPathRequired());
  const name = readName(fields) ?? fail(nameRequired());
  const type = readFolderType(fields);
  return { parentPath, name, type, description: readDescription(fields) ?? '' };
}

/** Checks a body of `POST /catalog/assets`. Throws 400. */
export function checkNewAsset(body: unknown): NewAsset {
  const fields = toFields(body);
  const parentPath = readParentPath(fields) ?? fail(parentPathRequired());
  const name = readName(fields) ?? fail(nameRequired());
  const content = readContent(fields) ?? fail(contentRequired());
  return { parentPath, name, content, description: readDescription(fields) ?? '' };
}

/** Checks a body of `PUT /catalog/folders`. Throws 400. */
export function checkFolderChange(body: unknown): FolderChange {
  const fields = toFields(body);
  return {
    name: readName(fields),
    parentPath: readParentPath(fields),
    description: readDescription(fields),
  };
}

/** Checks a body of `PUT /catalog/assets`. Throws 400, also for a body without a change. */
export function checkAssetChange(body: unknown): AssetChange {
  const fields = toFields(body);
  const change: AssetChange = {
    name: readName(fields),
    content: readContent(fields),
    parentPath: readParentPath(fields),
    description: readDescription(fields),
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

function readParentPath(fields: Fields): string | undefined {
  return readString(fields, 'parent_path', 'Parent path') || undefined;
}

function readName(fields: Fields): string | undefined {
  const name = readString(fields, 'name', 'Name') || undefined;
  if (name === undefined) return undefined;
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

function readFolderType(fields: Fields): AssetType {
  const value = fields.folder_type ?? 'REGULAR';
  if (value === 'REGULAR') return 'REGULAR_FOLDER';
  if (value === 'PROJECT') return 'PROJECT';
  throw invalidFolderType();
}

/** A body reader may pass a long well-formed text as bytes. */
function readContent(fields: Fields): Content | undefined {
  const { content: bytes } = fields;
  if (bytes instanceof Uint8Array) {
    if (bytes.length > CONTENT_LIMIT) throw contentTooLarge();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  const content = readString(fields, 'content', 'Content');
  if (content === undefined) return undefined;
  if (exceedsBytes(content, CONTENT_LIMIT)) throw contentTooLarge();
  if (!content.isWellFormed()) throw mustBeUnicode('Content');
  return content;
}

function readDescription(fields: Fields): string | undefined {
  const description = readString(fields, 'description', 'Description');
  if (description === undefined) return undefined;
  if (exceedsBytes(description, DESCRIPTION_LIMIT)) throw descriptionTooLarge();
  if (!description.isWellFormed()) throw mustBeUnicode('Description');
  return description;
}
