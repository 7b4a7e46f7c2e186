import { HomeError } from '../../errors/home-error.ts';
import { SETTINGS } from '../../settings/table.ts';

const SHAPE = '32 bytes, as 64 hexadecimal digits or as 44 characters of base64';

/** Errors of the master key and of secrets encrypted with it. No message contains a key or a secret. */
export const keyErrors = {
  /** `source` is the variable or the file. */
  malformed: (source: string) => new HomeError('key', `${source} must hold ${SHAPE}`),
  readableByOthers: (file: string) =>
    new HomeError('key', `${file} is accessible to other users: run \`chmod 600 ${file}\``),
  unreadable: (file: string, cause: Error) =>
    new HomeError('key', `${file} cannot be read (${cause.message})`, { cause }),
  unwritable: (file: string, cause: Error) =>
    new HomeError('unwritable', `${file} cannot be created (${cause.message})`, { cause }),
  missing: (file: string) =>
    new HomeError(
      'key',
      `${file} is missing, but secrets of this home were encrypted with it: restore the file, or set ${SETTINGS.masterKey.variable}`,
    ),
  /** `label` says which secret, as in "the password of pg". */
  otherKey: (label: string, source: string) =>
    new HomeError(
      'key',
      `${label} was encrypted with a different master key than the one of ${source}: provide the original key, or store the secret again`,
    ),
  mixedKeys: (source: string) =>
    new HomeError(
      'key',
      `other secrets of this home were encrypted with a different master key than the one of ${source}: provide the original key, or first remove the connections and SAML settings with secrets`,
    ),
  damaged: (label: string) => new HomeError('key', `${label} is damaged: store the secret again`),
};
