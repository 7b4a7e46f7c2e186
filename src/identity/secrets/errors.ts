import { HomeError } from '../../errors/home-error.ts';
import { SETTINGS } from '../../settings/table.ts';

const SHAPE = '32 bytes, as 64 hexadecimal digits or as 44 characters of base64';

/** What can be wrong with the master key, and with what was encrypted with it. No text ever holds a key or a secret. */
export const keyErrors = {
  /** `source` is the variable or the file. */
  malformed: (source: string) => new HomeError('key', `${source} must hold ${SHAPE}`),
  readableByOthers: (file: string) =>
    new HomeError('key', `${file} can be read by others: take their right away with \`chmod 600 ${file}\``),
  unreadable: (file: string, cause: Error) =>
    new HomeError('key', `${file} cannot be read (${cause.message})`, { cause }),
  unwritable: (file: string, cause: Error) =>
    new HomeError('unwritable', `${file} cannot be made (${cause.message})`, { cause }),
  missing: (file: string) =>
    new HomeError(
      'key',
      `${file} is missing, and secrets of this home were encrypted with it: put it back, or set ${SETTINGS.masterKey.variable}`,
    ),
  /** `label` says which secret, as in "the password of pg". */
  otherKey: (label: string, source: string) =>
    new HomeError(
      'key',
      `${label} was encrypted with another master key than that of ${source}: give that one, or store the secret anew`,
    ),
  mixedKeys: (source: string) =>
    new HomeError(
      'key',
      `other secrets of this home were encrypted with another master key than that of ${source}: give that one, or remove what has them first, connections and SAML`,
    ),
  damaged: (label: string) =>
    new HomeError('key', `${label} is damaged as it is stored: store the secret anew`),
};
