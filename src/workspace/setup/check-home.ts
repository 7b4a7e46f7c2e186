import { type Dirent, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ConnectionBody } from '../../connections/connection-body.ts';
import { DatabaseError } from '../../engine/connection/contract/connection.ts';
import { isUnfinished } from '../../engine/run/publish/unfinished-files.ts';
import { HomeError } from '../../errors/home-error.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { printConnectionTarget } from '../../identity/grants/print-grant.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { toPrincipal } from '../../identity/records/users.ts';
import { codeOf } from '../../invariants/narrow.ts';
import type { Environment } from '../../settings/read-settings.ts';
import { openDatabase } from '../../store/database.ts';
import { inspectCatalog, LATEST_VERSION } from '../../store/inspect-catalog.ts';
import { printBytes } from '../../text/print-bytes.ts';
import { listBackupFiles } from '../backup/backup-files.ts';
import { listSources } from '../backup/list-sources.ts';
import { explainMissingHome } from '../home/explain-missing-home.ts';
import { homeAt, homeExists } from '../home/home.ts';
import { readSettings } from '../home/home-config.ts';
import { createServices, type Services } from '../services/services.ts';

/** One result of a check: the checked part, whether it is valid, and the details. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly seen: string;
}

const MIN_FREE_BYTES = 256 * 1024 ** 2;
const GIGABYTE = 1024 ** 3;

/**
 * Checks a home without changing it: its catalog, the key of its secrets, its databases and files, and their
 * permissions. A database that another process has locked is reported, but is not an error.
 */
export async function checkHome(
  folder: string,
  env: Environment,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const missing = checkPresence(folder);
  if (missing !== null) return [missing];
  const catalog = checkCatalog(folder);
  return [
    ...checkModes(folder),
    checkDisk(folder),
    ...catalog.findings,
    ...(catalog.isUsable ? checkConnections(folder, env) : []),
    ...(await checkDatabases(folder, signal)),
    checkPublished(folder),
    checkBackups(folder),
  ];
}

function problem(name: string, seen: string): Finding {
  return { name, ok: false, seen };
}

function fine(name: string, seen: string): Finding {
  return { name, ok: true, seen };
}

function explain(error: unknown): string {
  if (error instanceof ServiceError) return error.detail;
  if (error instanceof HomeError) return error.message;
  throw error;
}

/** Null if there is a home to check. */
function checkPresence(folder: string): Finding | null {
  try {
    if (homeExists(homeAt(folder))) return null;
    return problem('home', explainMissingHome(folder));
  } catch (error) {
    return problem('home', explain(error));
  }
}

/** Checks that only the owner can access the home's secrets. */
function checkModes(folder: string): readonly Finding[] {
  if (process.platform === 'win32') return [fine('home', folder)];
  const wanted = [
    { name: '.', mode: '700' },
    { name: 'secret.key', mode: '600' },
    { name: 'catalog.db', mode: '600' },
    { name: 'queries.db', mode: '600' },
    { name: 'providers.db', mode: '600' },
    { name: 'backups', mode: '700' },
    ...listBackupFiles(homeAt(folder)).map(({ name }) => ({ name: `backups/${name}`, mode: '600' })),
  ];
  const open = wanted
    .map(({ name, mode }) => ({ file: path.join(folder, name), mode }))
    .filter(({ file }) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0)
    .map(({ file, mode }) =>
      problem('home', `${file} is accessible to other users: run \`chmod ${mode} ${file}\``),
    );
  return open.length > 0 ? open : [fine('home', folder)];
}

function checkDisk(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const seen = `${((bavail * bsize) / GIGABYTE).toFixed(1)} GB free`;
  return bavail * bsize < MIN_FREE_BYTES
    ? problem('disk', `${seen}: free up disk space`)
    : fine('disk', seen);
}

/** `isUsable`: it can be opened without a migration. */
function checkCatalog(folder: string): { findings: readonly Finding[]; isUsable: boolean } {
  try {
    const { damage, problems, version, items, users, connections } = inspectCatalog(folder);
    const failed = [...damage, ...problems].map((detail) => problem('catalog', detail));
    if (damage.length > 0) return { findings: failed, isUsable: false };
    if (version > LATEST_VERSION) {
      const seen = `its schema has version ${version}, and this version of Quern supports up to ${LATEST_VERSION}`;
      return { findings: [problem('catalog', seen)], isUsable: false };
    }
    const older = version < LATEST_VERSION ? `, from an older Quern: the next command migrates it` : '';
    const seen = `items ${items}, users ${users}, connections ${connections}${older}`;
    return {
      findings: failed.length > 0 ? failed : [fine('catalog', seen)],
      isUsable: version === LATEST_VERSION,
    };
  } catch (error) {
    return { findings: [problem('catalog', explain(error))], isUsable: false };
  }
}

/** Checks that the key decrypts every secret, and that this version would store every connection. */
function checkConnections(folder: string, env: Environment): readonly Finding[] {
  const home = homeAt(folder);
  const database = openDatabase(folder, { clock: () => new Date() });
  try {
    const { connections, users, accounts } = createServices(database, home, () =>
      readSettings({ home: folder, env }),
    );
    const owner = users.findOwner();
    if (owner === undefined) return [problem('users', 'there is no active administrator')];
    const principal = toPrincipal(owner);
    const all = connections.list(principal);
    const refused = all.flatMap(({ name }) =>
      connections
        .listRefused(principal, name)
        .map((reason) => problem('connections', `the connection ${name}: ${reason}`)),
    );
    const bodies = all.filter(({ secrets }) => secrets.length > 0);
    const opened: unknown[] = [];
    const shut = [
      ...bodies.flatMap(({ name }) =>
        findShut(() => connections.resolve(principal, { name, overrides: {}, spillFolder: home.tmp })),
      ),
      ...findShut(() => opened.push(...Object.values(accounts.saml.findKeys() ?? {}))),
    ];
    const keys = opened.filter((key) => key !== null).length;
    const count = bodies.reduce((sum, { secrets }) => sum + secrets.length, keys);
    const secrets = shut.length > 0 ? shut : [fine('secrets', `${count}, which the master key opens`)];
    return [...refused, ...secrets, ...listGains({ accounts, users }, principal, all)];
  } finally {
    database.close();
  }
}

/**
 * The subjects that may ask a database through a semantic connection without a grant on the connection of the database;
 * administrators may anyway
 * (docs/reference/permissions.md#connections).
 */
function listGains(
  { accounts: { grants }, users }: Pick<Services, 'accounts' | 'users'>,
  principal: Principal,
  all: readonly ConnectionBody[],
): readonly Finding[] {
  const listSubjects = (name: string) =>
    grants
      .list(principal, printConnectionTarget(name))
      .data.map(({ subject }) => subject)
      .filter((subject) => users.findByUserName(subject.replace(/^user:/, ''))?.superUser !== true);
  return all.flatMap(({ name, kind, options: { connection } }) => {
    if (kind !== 'semantic' || connection === undefined) return [];
    if (all.every((other) => other.name !== connection)) return [];
    const holders = listSubjects(connection);
    const gaining = holders.includes('everyone')
      ? []
      : listSubjects(name).filter((subject) => !holders.includes(subject));
    const seen = `${gaining.join(', ')} may ask ${connection} through the semantic connection ${name}, without a grant on ${connection}`;
    return gaining.length === 0 ? [] : [fine('connections', seen)];
  });
}

function findShut(open: () => unknown): readonly Finding[] {
  try {
    open();
    return [];
  } catch (error) {
    return [problem('secrets', explain(error))];
  }
}

async function checkDatabases(folder: string, signal: AbortSignal): Promise<readonly Finding[]> {
  const { databases } = listSources(folder);
  if (databases.length === 0) return [];
  const { checkDatabase } = await import('../../engine/connection/duckdb/copy/check-database.ts');
  const findings: Finding[] = [];
  for (const { path: name, file } of databases) {
    try {
      await checkDatabase(file, signal);
      findings.push(fine(name, `${(statSync(file).size / 1024 ** 2).toFixed(1)} MB`));
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      findings.push({ name, ok: error.code === 'locked', seen: error.message });
    }
  }
  return findings;
}

function checkPublished(folder: string): Finding {
  const { publish } = homeAt(folder);
  if (!existsSync(publish)) return problem('publish', `${publish} is missing: create the folder`);
  const entries = listEntries(publish);
  if (entries === null) return problem('publish', `${publish} has paths that are too long: shorten them`);
  const files = entries.filter((entry) => entry.isFile());
  const unfinished = files.filter(({ name }) => isUnfinished(name)).length;
  const leftover = unfinished === 0 ? '' : `, and ${unfinished} unfinished`;
  return fine('publish', `${files.length - unfinished} files${leftover}`);
}

/** Counts the backups of the server; a folder that is missing is created by the next server. */
function checkBackups(folder: string): Finding {
  const backups = listBackupFiles(homeAt(folder));
  const bytes = backups.reduce((sum, file) => sum + file.bytes, 0);
  return fine('backups', `${backups.length} backups, ${printBytes(bytes)}`);
}

/** Lists everything below a folder; null if paths are too long to open. */
function listEntries(folder: string): readonly Dirent[] | null {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENAMETOOLONG') return null;
    throw error;
  }
}
