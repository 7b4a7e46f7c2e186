import { MAX_NAME_LENGTH } from '../errors/fields.ts';
import { ServiceError } from '../errors/service-error.ts';

// One factory per row of the checks (docs/reference/http-catalog.md#checks), then additional errors.

/** The maximum length of a path in an error message, in UTF-16 units. */
const REPEATED_PATH = 65_536;

/** Any endpoint: the path is missing, or hidden from the caller. `path` is the requested path. */
export function pathNotFound(path: string): ServiceError {
  const shown = path.length > REPEATED_PATH ? `${path.slice(0, REPEATED_PATH)}…` : path;
  return new ServiceError(404, 'path_not_found', `Path not found: ${shown}`);
}

/** List: the path is an asset. */
export function notAFolder(path: string): ServiceError {
  return new ServiceError(400, 'not_a_folder', `Not a folder: ${path}`);
}

/** List: the caller may not see the path. */
export function noPermission(): ServiceError {
  return new ServiceError(403, 'permission_denied', "You don't have permission to perform the request");
}

/** Creation without parent_path. */
export function parentPathRequired(): ServiceError {
  return new ServiceError(400, 'parent_path_required', 'Parent path is required');
}

/** Creation without a name. */
export function nameRequired(): ServiceError {
  return new ServiceError(400, 'name_required', 'Name is required');
}

/** Creation and update: a `/` in the name. */
export function nameHasSlash(): ServiceError {
  return new ServiceError(400, 'name_has_slash', "Name cannot contain '/' character");
}

/** Creation and update: a name of too many code points. */
export function nameTooLong(): ServiceError {
  return new ServiceError(
    400,
    'name_too_long',
    `Name exceeds maximum length of ${MAX_NAME_LENGTH} characters`,
  );
}

/** Creation and update: the folder has an item of that name. */
export function nameExists(): ServiceError {
  return new ServiceError(400, 'name_exists', 'Name already exists.');
}

/** Folder creation: the parent is an asset. */
export function parentMustBeFolder(): ServiceError {
  return new ServiceError(422, 'parent_must_be_folder', 'Parent path must be a folder');
}

/** Asset creation without content. */
export function contentRequired(): ServiceError {
  return new ServiceError(400, 'content_required', 'Content is required');
}

/** Asset creation and update: more than 15 MB of content. */
export function contentTooLarge(): ServiceError {
  return new ServiceError(400, 'content_too_large', 'Content exceeds the 15 MB size limit');
}

/** Creation and update: more than a megabyte of description. */
export function descriptionTooLarge(): ServiceError {
  return new ServiceError(400, 'description_too_large', 'Description exceeds the 1 MB size limit');
}

/** Update and delete: the path of a folder endpoint is an asset. */
export function pathMustBeFolder(): ServiceError {
  return new ServiceError(422, 'path_must_be_folder', 'Path must be a folder');
}

/** Update and delete: the path of an asset endpoint is a folder. */
export function pathMustBeAsset(): ServiceError {
  return new ServiceError(422, 'path_must_be_asset', 'Path must be an asset');
}

/** Folder delete: the folder has children, visible to the caller or not. */
export function folderNotEmpty(): ServiceError {
  return new ServiceError(400, 'folder_not_empty', 'Folder is not empty');
}

/** A string with an unpaired surrogate, which cannot be stored unchanged. */
export function mustBeUnicode(field: string): ServiceError {
  return new ServiceError(400, 'text_not_unicode', `${field} must be well-formed Unicode`);
}

/** A name `.` or `..`, or with control characters. */
export function nameNotAllowed(): ServiceError {
  return new ServiceError(400, 'name_not_allowed', 'Name is not allowed');
}

/** Asset update: nothing to update. */
export function nameOrContentRequired(): ServiceError {
  return new ServiceError(400, 'name_or_content_required', 'Name or content is required');
}

/** Change of several items: not exactly one change. */
export function oneItemChange(count: number): ServiceError {
  return new ServiceError(
    400,
    'field_invalid',
    `The items need exactly one change, parent_path or delete, and the request has ${count}`,
  );
}

/** Folder update: the new parent is the folder itself or lies below it. */
export function movedBelowItself(): ServiceError {
  return new ServiceError(
    400,
    'folder_moved_into_itself',
    'Folder cannot be moved into itself or below itself',
  );
}

/**
 * Move to `@Personal`, which has no restrictions: the folder contains a restricted item that the caller may not edit.
 */
export function holdsRestricted(): ServiceError {
  return new ServiceError(
    422,
    'folder_holds_restricted',
    'Folder contains a restricted item and cannot be moved to @Personal',
  );
}

/** Texts of a folder: the folder has too many items. */
export function tooManyItems(path: string, limit: number): ServiceError {
  return new ServiceError(422, 'too_many_items', `${path} has more than ${limit} items`);
}

/** Reads in the project hub: the project has no such version (docs/reference/http-catalog.md#paths). */
export function projectVersionNotFound(version: string): ServiceError {
  return new ServiceError(404, 'project_version_not_found', `Project version not found: ${version}`);
}

/** A list with details: `after` names no item of it. */
export function noSuchItem(name: string): ServiceError {
  return new ServiceError(
    400,
    'field_invalid',
    `After names an item that is not in the list: ${name}. Load the list again`,
  );
}

/** Search: neither a name nor a content, or both. */
export function searchTextRequired(): ServiceError {
  return new ServiceError(400, 'search_text_required', 'Search requires either name or content');
}

/** Search: the text cannot match, or is too long. */
export function searchTextInvalid(limit: number): ServiceError {
  return new ServiceError(
    400,
    'search_text_invalid',
    `Search text must have at most ${limit} characters, and no control characters`,
  );
}

/** Files on top of a folder that cannot be placed there, by reason; each gets the path in the catalog. */
export const overlayErrors = {
  'not-a-folder': notAFolder,
  'is-a-folder': (path: string) =>
    new ServiceError(400, 'file_path_is_a_folder', `File path is also the path of a folder: ${path}`),
  'not-a-script': (path: string) => new ServiceError(422, 'not_a_script', `Not a script: ${path}`),
};
