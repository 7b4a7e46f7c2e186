import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConnectionFile } from '../../engine/connection/contract/kind.ts';
import { present } from '../../invariants/must.ts';
import { findLandlockFault, type Places } from './landlock.ts';

/** What executions open. */
export interface EngineFiles {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly connections: readonly ConnectionFile[];
  /** A folder whose other files are closed. */
  readonly closed: string;
}

/** The files of the system that Node.js and its libraries need. */
const LIBRARIES = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/nix/store'];
const SYSTEM = ['/usr', '/etc', '/proc', '/sys', '/dev/random', '/dev/urandom'];
/** Often a link to a file of the service that manages networks. */
const NAME_SERVERS = '/etc/resolv.conf';
/** Environment variables with files of certificates. */
const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** Confines engine processes to the files that they need, where the system can. */
export interface Confinement {
  /**
   * The places of the next process, which runs `program` with the environment `env` and may write to `folder`; null if
   * it can open all files of its user, which the log reports.
   */
  plan(program: URL, env: Readonly<Record<string, string>>, folder: string): Promise<Places | null>;
  /**
   * Whether only a new process could open these files, because they belong to a new connection; false for a process that
   * can open all files.
   */
  needsRestart(files: readonly ConnectionFile[]): boolean;
  /** Whether the current process can open a database file, or the next one because it belongs to a connection. */
  mayOpen(file: string): boolean;
}

/** The confinement of the processes of one server; `findFiles` finds what executions open now. */
export function createConfinement(findFiles: () => EngineFiles, log: (line: string) => void): Confinement {
  let granted: Places | null = null;
  let systemFault: Promise<string | null> | null = null;
  let reported: string | null = null;

  async function findFault(places: Places, closed: string): Promise<string | null> {
    const all = Object.values(places).flat();
    const open = all.find((place) => isBelow(resolveLinks(place), resolveLinks(closed)));
    if (open !== undefined)
      return `\`${open}\`, which it needs, contains \`${closed}\`: move the database or the home`;
    systemFault ??= findLandlockFault(places);
    return systemFault;
  }

  return {
    async plan(program, env, folder) {
      const files = findFiles();
      const places = collectPlaces(files, { program, env, folder });
      const fault = await findFault(places, files.closed);
      granted = fault === null ? places : null;
      if (fault !== null && fault !== reported) {
        log(`the engine process can open all files of its user: ${fault}`);
      }
      reported = fault;
      return granted;
    },
    mayOpen: (file) =>
      covers(granted, { file, isDatabase: true }) ||
      findFiles().connections.some((known) => known.file === file),
    needsRestart(files) {
      if (files.every((file) => covers(granted, file))) return false;
      const { connections } = findFiles();
      return files.every(({ file }) => connections.some((known) => known.file === file));
    },
  };
}

/** Whether a process with these places can open a file; null: it can open all files of its user. */
function covers(granted: Places | null, { file, isDatabase }: ConnectionFile): boolean {
  if (granted === null) return true;
  const places = isDatabase ? granted.write : [...granted.read, ...granted.write];
  return places.some((place) => isBelow(place, path.dirname(file)) || place === file);
}

interface Program {
  readonly program: URL;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
}

function collectPlaces(files: EngineFiles, { program, env, folder }: Program): Places {
  const packageFile = present(findPackageJSON(program));
  const root = path.dirname(packageFile);
  const [sources = ''] = path.relative(root, fileURLToPath(program)).split(path.sep);
  const packages = createRequire(program).resolve.paths('package') ?? [];
  const named = (variables: readonly string[]) => variables.flatMap((name) => env[name] ?? []);
  const databases = files.connections.filter(({ isDatabase }) => isDatabase);
  const others = files.connections.filter(({ isDatabase }) => !isDatabase);
  return {
    execute: [...LIBRARIES, process.execPath],
    read: [
      ...SYSTEM,
      path.dirname(resolveLinks(NAME_SERVERS)),
      packageFile,
      path.join(root, sources),
      ...packages.filter((place) => existsSync(place)),
      ...named(CERTIFICATES),
      ...files.read,
      ...others.map(({ file }) => findReadable(file, files.closed)),
    ],
    write: [
      '/dev/null',
      folder,
      ...named(['NODE_COMPILE_CACHE']).filter(isCreated),
      ...files.write,
      ...databases.flatMap(({ file }) => [path.dirname(file), path.dirname(resolveLinks(file))]),
    ],
  };
}

/** Creates a folder; without it, the code is compiled each time. */
function isCreated(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

/** The folder of a file, because files are replaced by new ones; the file itself if the folder has more. */
function findReadable(file: string, closed: string): string {
  const folder = path.dirname(file);
  return isBelow(resolveLinks(folder), resolveLinks(closed)) ? file : folder;
}

/** Whether a folder is a place, or below it. */
function isBelow(place: string, folder: string): boolean {
  const between = path.relative(place, folder);
  return between !== '..' && !between.startsWith(`..${path.sep}`) && !path.isAbsolute(between);
}

/** The path without links, as far as it exists. */
function resolveLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const folder = path.dirname(file);
    return folder === file ? file : path.join(resolveLinks(folder), path.basename(file));
  }
}
