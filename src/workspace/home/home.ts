import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { explainFileError } from '../../errors/explain-file-error.ts';
import { HomeError } from '../../errors/home-error.ts';
import { makeFolder } from '../../errors/make-folder.ts';
import { createKeyFile } from '../../identity/secrets/master-key.ts';
import { codeOf } from '../../invariants/narrow.ts';
import { flagOf } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/table.ts';

/** The paths of one instance, all absolute. */
export interface Home {
  readonly folder: string;
  readonly catalog: string;
  /** The file of the default connection `duckdb`. */
  readonly duckdb: string;
  readonly tmp: string;
  /** The query log of the server. */
  readonly queries: string;
  /** The log of what identity providers send to the server. */
  readonly providers: string;
  /** The folder that SQL of a server may read. */
  readonly files: string;
  /** The folder for files that are written before they are published. */
  readonly staging: string;
  /** Files that scripts publish. */
  readonly publish: string;
  /** Backups that the server writes, and copies of the catalog of earlier versions. */
  readonly backups: string;
  /** The folder for files that sign the home's owner in at the console. */
  readonly ui: string;
  /** The socket where the server accepts commands. */
  readonly socket: string;
}

const FOLDERS = ['db', 'files', 'staging', 'tmp', 'publish', 'backups', 'ui'];

/** The layout of the home in `folder`; no file is accessed. */
export function homeAt(folder: string): Home {
  return {
    folder,
    catalog: path.join(folder, 'catalog.db'),
    duckdb: path.join(folder, 'db', 'main.duckdb'),
    tmp: path.join(folder, 'tmp'),
    queries: path.join(folder, 'queries.db'),
    providers: path.join(folder, 'providers.db'),
    files: path.join(folder, 'files'),
    staging: path.join(folder, 'staging'),
    publish: path.join(folder, 'publish'),
    backups: path.join(folder, 'backups'),
    ui: path.join(folder, 'ui'),
    socket: path.join(folder, 'serve.sock'),
  };
}

/**
 * Whether this folder is a home, which means that its catalog exists. Throws HomeError `unreadable` without permission
 * to check.
 */
export function homeExists({ folder, catalog }: Home): boolean {
  try {
    return statSync(catalog, { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'EACCES' || code === 'EPERM') throw unreadable(folder, { cause });
    return false;
  }
}

function unreadable(folder: string, options: ErrorOptions): HomeError {
  const whose = isOfAnother(folder) ? ', and it belongs to another user' : '';
  return new HomeError(
    'unreadable',
    `${folder} cannot be read: permission denied${whose}. Grant yourself permission to read and write it, or name another home with ${flagOf(SETTINGS.home)}`,
    options,
  );
}

/** Whether a folder belongs to another user than this process; false where this cannot be determined. */
function isOfAnother(folder: string): boolean {
  try {
    return process.geteuid !== undefined && statSync(folder).uid !== process.geteuid();
  } catch {
    return false;
  }
}

/**
 * Creates the folders of a home (0700) and its key (0600), and excludes them from version control. Existing files do
 * not change. Throws HomeError `unwritable`.
 */
export function createHomeFolders(home: Home): void {
  guardFolders(home, () => {
    createFolders(home);
    createKeyFile(home.folder);
  });
}

/** Like `createHomeFolders`, without the key: an existing home has its key, or lost a key that cannot be recreated. */
export function createFolders({ folder }: Home): void {
  // The parent folder gets the default mode.
  makeFolder(path.dirname(folder));
  makeFolder(folder, 0o700);
  for (const name of FOLDERS) makeFolder(path.join(folder, name), 0o700);
  writeNew(path.join(folder, '.gitignore'), '*\n', 0o600);
}

function writeNew(file: string, text: string, mode: number): void {
  if (!existsSync(file)) writeFileSync(file, text, { mode, flag: 'wx' });
}

/** Codes of a folder in which nothing can be created. */
const UNWRITABLE: readonly string[] = ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT'];

/** As `createRunFolder`, but in the temporary folder of the system if the home cannot be written. */
export function createReadersFolder(home: Home): string {
  try {
    return createRunFolder(home);
  } catch (error) {
    if (!UNWRITABLE.includes(codeOf(error) ?? '')) throw error;
    return mkdtempSync(path.join(tmpdir(), `quern-run-${process.pid}-`));
  }
}

/**
 * Creates a folder (0700) below `tmp/` for this process and removes those of ended processes. The caller removes the
 * folder at its end.
 */
export function createRunFolder(home: Home): string {
  mkdirSync(home.tmp, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(home.tmp)) {
    const pid = findRunner(name);
    if (pid !== null && !isAlive(pid)) removeFolder(path.join(home.tmp, name));
  }
  return mkdtempSync(path.join(home.tmp, `run-${process.pid}-`));
}

/**
 * Creates missing folders of a home and empties those for temporary files, except the run folders of live processes. A
 * server calls it before anything runs: a killed server may have left large files, in a container under the same
 * process id. Throws HomeError `unwritable`.
 */
export function clearFolders(home: Home): void {
  guardFolders(home, () => {
    createFolders(home);
    for (const folder of [home.staging, home.ui]) {
      for (const name of readdirSync(folder)) removeFolder(path.join(folder, name));
    }
    for (const name of readdirSync(home.tmp)) {
      const pid = findRunner(name);
      if (pid === null || pid === process.pid || !isAlive(pid)) removeFolder(path.join(home.tmp, name));
    }
  });
}

/** Runs `work` on the folders of a home; file system errors become a HomeError. */
function guardFolders(home: Home, work: () => void): void {
  try {
    work();
  } catch (cause) {
    if (cause instanceof HomeError) throw cause;
    const reason = explainFileError(cause, 'the system lets no folder be created there');
    throw new HomeError('unwritable', `${home.folder} cannot be prepared: ${reason}`, { cause });
  }
}

/** The id of the process whose run folder has this name; null for any other name. */
function findRunner(name: string): number | null {
  const pid = Number(/^run-(\d+)(?:-|$)/.exec(name)?.[1]);
  return pid > 0 ? pid : null;
}

/** Removes a folder and its contents synchronously; ignores a missing folder. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
