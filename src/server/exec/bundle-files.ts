import { Type } from 'typebox';
import { exceedsBytes, type Fields, fieldErrors, getString, readString } from '../../errors/fields.ts';
import type { BundleTarget } from '../../workspace/api/target.ts';
import type { Field } from '../fields/define-fields.ts';
import { execErrors } from './errors.ts';

type File = BundleTarget['files'][number];

/** Limits of a bundle; the body limit bounds the total size of its files. */
const MAX_FILES = 5_000;
const MAX_PATH_LENGTH = 1_000;
const MAX_PARTS = 32;
/** Maximum bytes of a file, as in the catalog (docs/reference/http-api.md#limits). */
const MAX_FILE = 15 * 1024 ** 2;

/** A name in a path: no control characters, no backslash, and neither `.` nor `..`. */
const NAME = '(?!\\.{1,2}(?:/|$))[^/\\\\\\u0000-\\u001f\\u007f-\\u009f]+';

/** The files of a bundle, in the order of the request. */
export const files = {
  schema: Type.Array(
    Type.Object({
      path: Type.String({
        description: 'Path relative to the bundle’s folder',
        examples: ['sales/monthly.sql'],
        maxLength: MAX_PATH_LENGTH,
        pattern: `^${NAME}(/${NAME}){0,${MAX_PARTS - 1}}$`,
      }),
      content: Type.String(),
    }),
    { maxItems: MAX_FILES, description: 'Files of a project, as on disk: `project.toml` and `*.sql`' },
  ),
  read: (fields, key) => readFiles(fields[key] ?? undefined),
} satisfies Field<readonly File[]>;

function readFiles(list: unknown): readonly File[] {
  if (list === undefined) throw fieldErrors.required('Files');
  if (!Array.isArray(list)) throw fieldErrors.mustBeList('Files');
  if (list.length > MAX_FILES) throw execErrors.tooManyFiles(MAX_FILES);
  const read = list.map(readFile);
  checkApart(read.map(({ name }) => name));
  return read;
}

function readFile(value: unknown): File {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw execErrors.mustBeObject('File');
  }
  const name = getString(value as Fields, 'path', 'File path');
  if (!isAllowed(name)) throw execErrors.filePath(name);
  const text = readString(value as Fields, 'content', 'File content');
  if (text === undefined) throw fieldErrors.required('File content');
  if (!text.isWellFormed()) throw execErrors.notUnicode('File content');
  if (exceedsBytes(text, MAX_FILE)) throw execErrors.fileTooLarge(name);
  return { name, text };
}

/** Checks a path below the bundle's folder, with names that every file system allows. */
function isAllowed(path: string): boolean {
  const isPlain = path.isWellFormed() && !/[\p{Cc}\\]/u.test(path) && path.length <= MAX_PATH_LENGTH;
  if (!isPlain) return false;
  const names = path.split('/');
  return names.length <= MAX_PARTS && names.every((name) => name !== '' && name !== '.' && name !== '..');
}

/** Throws 400 for duplicate paths, and for a path that is the folder of another path. */
function checkApart(paths: readonly string[]): void {
  const folders = new Set(paths.flatMap(listFolders));
  const seen = new Set<string>();
  for (const path of paths) {
    if (seen.has(path)) throw execErrors.fileTwice(path);
    if (folders.has(path)) throw execErrors.fileAndFolder(path);
    seen.add(path);
  }
}

function listFolders(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, depth) => names.slice(0, depth + 1).join('/'));
}
