import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { HomeError } from '../../errors/home-error.ts';
import { createKeyFile } from '../../identity/secrets/master-key.ts';
import { codeOf, toError } from '../../invariants/narrow.ts';
import { flagOf } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/table.ts';

/** Where everything of one instance lies. All paths are absolute. */
export interface Home {
  readonly folder: string;
  readonly catalog: string;
  /** The file of the default connection `duckdb`. */
  readonly duckdb: string;
  readonly tmp: string;
  /** The query log of its server. */
  readonly queries: string;
  /** What SQL of a server may read. */
  readonly files: string;
  /** Where files are written that are then published. */
  readonly staging: string;
  /** Files that scripts publish. */
  readonly publish: string;
  /** Which user has published which of them. */
  readonly published: string;
  /** Where a server listens for the command line. */
  readonly socket: string;
}

const FOLDERS = ['db', 'files', 'staging', 'tmp', 'publish', 'backups'];

/** The layout of the home in `folder`; nothing is touched. */
export function homeAt(folder: string): Home {
  return {
    folder,
    catalog: path.join(folder, 'catalog.db'),
    duckdb: path.join(folder, 'db', 'main.duckdb'),
    tmp: path.join(folder, 'tmp'),
    queries: path.join(folder, 'queries.db'),
    files: path.join(folder, 'files'),
    staging: path.join(folder, 'staging'),
    publish: path.join(folder, 'publish'),
    published: path.join(folder, 'published.jsonl'),
    socket: path.join(folder, 'serve.sock'),
  };
}

/** Whether there is a home in this folder: its catalog is there. Throws HomeError `unreadable` where nobody can see that. */
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
    `${folder} cannot be read: permission denied${whose}. Give yourself the right to read and write it, or name another home with ${flagOf(SETTINGS.home)}`,
    options,
  );
}

/** Whether a folder belongs to another user than this process; false where that cannot be told. */
function isOfAnother(folder: string): boolean {
  try {
    return process.geteuid !== undefined && statSync(folder).uid !== process.geteuid();
  } catch {
    return false;
  }
}

/**
 * Makes the folders of a home (0700) and its key (0600), and keeps them out of version control. Whatever is
 * there already stays as it is. Throws HomeError `unwritable`.
 */
export function createHomeFolders(home: Home): void {
  guardFolders(home, () => {
    createFolders(home);
    createKeyFile(home.folder);
  });
}

/** As `createHomeFolders`, without the key: a home that was filled before has one, or none that could be made anew. */
export function createFolders({ folder }: Home): void {
  // What the home stands in is a folder like any other.
  const place = path.dirname(folder);
  if (!existsSync(place)) mkdirSync(place, { recursive: true });
  for (const name of FOLDERS) mkdirSync(path.join(folder, name), { recursive: true, mode: 0o700 });
  writeNew(path.join(folder, '.gitignore'), '*\n', 0o600);
}

function writeNew(file: string, text: string, mode: number): void {
  if (!existsSync(file)) writeFileSync(file, text, { mode, flag: 'wx' });
}

/**
 * Makes a folder (0700) below `tmp/` for this process and removes those of processes that are gone. The caller
 * removes its own when it ends.
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
 * Makes the folders of a home that are missing, and empties those for what does not last, but for the run folders of
 * processes that are there. For whoever has the home to serve, before anything runs: one that was killed may have left
 * much, in a container under the same process id. Throws HomeError `unwritable`.
 */
export function clearFolders(home: Home): void {
  guardFolders(home, () => {
    createFolders(home);
    for (const name of readdirSync(home.staging)) removeFolder(path.join(home.staging, name));
    for (const name of readdirSync(home.tmp)) {
      const pid = findRunner(name);
      if (pid === null || pid === process.pid || !isAlive(pid)) removeFolder(path.join(home.tmp, name));
    }
  });
}

/** Does some work on the folders of a home; what the file system refuses becomes a HomeError. */
function guardFolders(home: Home, work: () => void): void {
  try {
    work();
  } catch (cause) {
    if (cause instanceof HomeError) throw cause;
    const { message } = toError(cause);
    throw new HomeError('unwritable', `${home.folder} cannot be made ready: ${message}`, { cause });
  }
}

/** The id of the process whose run folder has this name; null for any other name. */
function findRunner(name: string): number | null {
  const pid = Number(/^run-(\d+)(?:-|$)/.exec(name)?.[1]);
  return pid > 0 ? pid : null;
}

/** Removes a folder and what is in it, at once; a missing one is fine. */
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
