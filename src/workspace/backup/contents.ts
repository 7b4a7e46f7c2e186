import { FORMER_LEDGER } from '../home/former-ledger.ts';

/** Files of a home that a backup holds if they exist, in addition to `catalog.db` and `secret.key`. */
export const PLAIN_FILES: readonly string[] = ['config.toml', FORMER_LEDGER];

/** The folder of the databases, and those whose files and folders a backup holds. */
export const DATABASES = 'db';
export const FOLDERS: readonly string[] = ['files', 'publish'];

const ALWAYS = ['catalog.db', 'secret.key'];

/** Whether a path begins with one of these folders. */
export function isInFolders(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(`${folder}/`));
}

/** Whether a backup may contain a file with this path; slashes separate names. */
export function isKnownPath(path: string): boolean {
  const [folder = ''] = path.split('/', 1);
  if (folder === path) return ALWAYS.includes(path) || PLAIN_FILES.includes(path);
  const child = path.slice(folder.length + 1);
  return folder === DATABASES ? /^[^/]+\.duckdb$/su.test(child) : FOLDERS.includes(folder) && child !== '';
}
