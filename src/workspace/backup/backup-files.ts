import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { isUnfinished, nameUnfinished } from '../../engine/run/publish/unfinished-files.ts';
import type { Home } from '../home/home.ts';
import { servedBackupErrors } from './served-errors.ts';

/** A finished backup in the folder of a home. */
export interface BackupFile {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

const NAME = /^quern-backup-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z\.tar$/;

/** The extension of a backup that a server writes: no other process writes it, so the next server removes it. */
const SERVED = '.served';

/** The name of a backup of this time. */
export function nameBackup(at: Date): string {
  return `quern-backup-${at.toISOString().replaceAll(/[:.]/g, '-')}.tar`;
}

/** Whether a name is as those of `nameBackup`. */
export function isBackupName(name: string): boolean {
  return NAME.test(name);
}

/** The backups in the folder of a home, newest first. Other files there do not count. */
export function listBackupFiles(home: Home): readonly BackupFile[] {
  return listNames(home)
    .flatMap((name) => findBackupFile(home, name) ?? [])
    .sort((one, other) => (one.name < other.name ? 1 : -1));
}

/** The backup with this name; undefined for every other name, and for a link. */
function findBackupFile({ backups }: Home, name: string): BackupFile | undefined {
  const [, day, hours, minutes, seconds, ms] = NAME.exec(name) ?? [];
  if (day === undefined) return undefined;
  const file = path.join(backups, name);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return undefined;
  return { name, file, bytes: found.size, createdAt: `${day}T${hours}:${minutes}:${seconds}.${ms}Z` };
}

/** As `findBackupFile`. Throws a ServiceError 404. */
export function getBackupFile(home: Home, name: string): BackupFile {
  const found = findBackupFile(home, name);
  if (found === undefined) throw servedBackupErrors.notFound(name);
  return found;
}

/** Deletes a backup; readers that have opened it can finish. Throws a ServiceError 404. */
export function removeBackupFile(home: Home, name: string): void {
  rmSync(getBackupFile(home, name).file);
}

/** The path of a backup while a server writes it. */
export function nameServedBackup({ backups }: Home): string {
  return `${nameUnfinished(backups)}${SERVED}`;
}

/** Removes backups that a killed server has left unfinished. The caller has the lock of the home. */
export function removeLeftBackups(home: Home): void {
  for (const name of listNames(home)) {
    if (isUnfinished(name) && name.endsWith(SERVED)) rmSync(path.join(home.backups, name), { force: true });
  }
}

/** Empty for a missing folder. */
function listNames({ backups }: Home): readonly string[] {
  return statSync(backups, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(backups) : [];
}
