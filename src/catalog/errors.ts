import { ServiceError } from '../errors/service-error.ts';

// One factory per row of interface section 7's catalog tables, then those of our own.

/** Any endpoint: nothing there, or nothing that the caller may know of. `path` is as it was asked for. */
export function pathNotFound(path: string): ServiceError {
  return new ServiceError(404, `Path not found: ${path}`);
}

/** List: the path is an asset. */
export function notAFolder(path: string): ServiceError {
  return new ServiceError(400, `Not a folder: ${path}`);
}

/** List: the caller may not see the path. */
export function noPermission(): ServiceError {
  return new ServiceError(403, "You don't have permission to perform the request");
}

/** Creation: no parent_path. */
export function parentPathRequired(): ServiceError {
  return new ServiceError(400, 'Parent path is required');
}

/** Creation: no name. */
export function nameRequired(): ServiceError {
  return new ServiceError(400, 'Name is required');
}

/** Creation and update: a `/` in the name. */
export function nameHasSlash(): ServiceError {
  return new ServiceError(400, "Name cannot contain '/' character");
}

/** Creation and update: a name of more than 255 code points. */
export function nameTooLong(): ServiceError {
  return new ServiceError(400, 'Name exceeds maximum length of 255 characters');
}

/** Folder creation: a folder_type that is neither REGULAR nor PROJECT. */
export function invalidFolderType(): ServiceError {
  return new ServiceError(400, 'Invalid value for folder_type');
}

/** Creation and update: the folder has an item of that name. */
export function nameExists(): ServiceError {
  return new ServiceError(400, 'Name already exists.');
}

/** Folder creation: the parent is an asset. */
export function parentMustBeFolder(): ServiceError {
  return new ServiceError(422, 'Parent path must be a folder');
}

/** Asset creation: no content. */
export function contentRequired(): ServiceError {
  return new ServiceError(400, 'Content is required');
}

/** Asset creation and update: more than 15 MB of content. */
export function contentTooLarge(): ServiceError {
  return new ServiceError(400, 'Content exceeds the 15 MB size limit');
}

/** Update and delete: no If-Match header. */
export function ifMatchRequired(): ServiceError {
  return new ServiceError(428, 'If-Match header is required');
}

/** Update and delete: the item is at another revision than If-Match says. */
export function modified(revision: number): ServiceError {
  return new ServiceError(
    412,
    `Entity has been modified. Refresh and retry with current ETag: "${revision}"`,
  );
}

/** Update and delete: the folder endpoint was given an asset. */
export function pathMustBeFolder(): ServiceError {
  return new ServiceError(422, 'Path must be a folder');
}

/** Update and delete: the asset endpoint was given a folder. */
export function pathMustBeAsset(): ServiceError {
  return new ServiceError(422, 'Path must be an asset');
}

/** Folder delete: the folder has children, seen by the caller or not. */
export function folderNotEmpty(): ServiceError {
  return new ServiceError(400, 'Folder is not empty');
}

/** A text with half a surrogate pair, which could not be stored unchanged. */
export function mustBeUnicode(field: string): ServiceError {
  return new ServiceError(400, `${field} must be well-formed Unicode`);
}

/** A name of dots or with control characters. */
export function nameNotAllowed(): ServiceError {
  return new ServiceError(400, 'Name is not allowed');
}

/** Asset update: nothing to update. */
export function nameOrContentRequired(): ServiceError {
  return new ServiceError(400, 'Name or content is required');
}

/** Folder update: the new parent is the folder itself or lies below it. */
export function movedBelowItself(): ServiceError {
  return new ServiceError(400, 'Folder cannot be moved into itself or below itself');
}

/** Move to `@Personal`, where nothing is restricted: there is something that is, and that the caller may not edit. */
export function holdsRestricted(): ServiceError {
  return new ServiceError(422, 'Folder holds something restricted, and cannot be moved to @Personal');
}

/** Texts of a folder: it holds more than anybody would put there for this. */
export function tooManyItems(path: string, most: number): ServiceError {
  return new ServiceError(422, `${path} holds more than ${most} items`);
}

/** Reads in the project hub: the project has no such version (catalog 10). */
export function projectVersionNotFound(version: string): ServiceError {
  return new ServiceError(404, `Project version not found: ${version}`);
}
