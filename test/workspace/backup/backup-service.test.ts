import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Principal } from '../../../src/identity/principal/principal.ts';
import { listBackupFiles, removeLeftBackups } from '../../../src/workspace/backup/backup-files.ts';
import { homeAt } from '../../../src/workspace/home/home.ts';
import { type InstanceOptions, openInstance } from '../../../src/workspace/instance/instance.ts';
import { listDescendants } from '../../support/processes.ts';
import { makeFolder } from '../../support/quern.ts';
import { eventually } from '../../support/waiting.ts';
import { backUp } from './backing-up.ts';
import { fillHome, makePlainHome } from './home-with-everything.ts';

const MEGABYTE = 1024 ** 2;

/** A home that this process serves. */
async function open(fill: (home: string) => Promise<unknown>, options: Partial<InstanceOptions> = {}) {
  const home = path.join(makeFolder(), 'home');
  await fill(home);
  const warnings: string[] = [];
  const instance = openInstance({ home, warn: (line) => void warnings.push(line), ...options });
  onTestFinished(() => instance.close());
  const principal = instance.findPrincipal(undefined);
  return { home, ...instance, principal, warnings };
}

const untilEnded = ({ backups, principal }: Awaited<ReturnType<typeof open>>) =>
  eventually(() => {
    const [backup] = backups.list(principal).data;
    expect(backup).not.toMatchObject({ state: 'running' });
    return backup;
  });

describe('a backup of a server', () => {
  it('does not begin without the space for it and its copies, and leaves nothing', async () => {
    let free = 17 * MEGABYTE;
    const served = await open(fillHome, { readFree: () => free });
    const { backups, principal, home } = served;
    await expect(backups.start(principal)).rejects.toMatchObject({
      status: 503,
      code: 'disk_full',
      detail: expect.stringMatching(
        /^The backup needs [12]\d\.\d MB on the disk with the folder `backups` of the home, and 17\.0 MB are free: free up/,
      ),
    });
    expect(backups.list(principal).data).toEqual([]);
    expect(readdirSync(homeAt(home).backups)).toEqual([]);
    free = 100 * MEGABYTE;
    expect(await backups.start(principal)).toMatchObject({ state: 'running' });
    expect(await untilEnded(served)).toMatchObject({ state: 'done', error: null });
  });

  it('that fails says why, leaves no file, and is deleted from the list', async () => {
    const served = await open(makePlainHome);
    const { backups, principal, home } = served;
    writeFileSync(path.join(home, 'db', 'main.duckdb'), 'not a database');
    const { name } = await backups.start(principal);
    expect(await untilEnded(served)).toEqual({
      name,
      state: 'failed',
      created_at: expect.any(String),
      bytes: 0,
      expected_bytes: null,
      error: expect.stringMatching(/main\.duckdb.*Nothing was backed up$/s),
    });
    expect(readdirSync(homeAt(home).backups)).toEqual([]);
    expect(readdirSync(homeAt(home).tmp)).toEqual([]);
    await backups.delete(principal, name);
    expect(backups.list(principal).data).toEqual([]);
    await expect(backups.delete(principal, name)).rejects.toMatchObject({ status: 404 });
    expect(served.warnings).toEqual([]);
  });

  it('whose process is killed fails, and leaves nothing', async () => {
    const served = await open(fillHome);
    const { backups, principal, home } = served;
    const before = listDescendants(process.pid);
    await backups.start(principal);
    const [writing] = listDescendants(process.pid).filter((pid) => !before.includes(pid));
    process.kill(writing!, 'SIGKILL');
    expect(await untilEnded(served)).toMatchObject({
      state: 'failed',
      error: 'the process that wrote it ended unexpectedly. Nothing was backed up; try again',
    });
    expect(readdirSync(homeAt(home).backups)).toEqual([]);
    expect(readdirSync(homeAt(home).tmp)).toEqual([]);
    expect(await backups.start(principal)).toMatchObject({ state: 'running' });
    expect(await untilEnded(served)).toMatchObject({ state: 'done' });
  });

  it('is for administrators', async () => {
    const { backups, backupDownloads, principal, measure } = await open(makePlainHome);
    const other: Principal = { ...principal, superUser: false };
    const { name } = await backups.start(principal);
    expect(() => backups.list(other)).toThrow("You don't have permission");
    for (const refused of [
      backups.start(other),
      backups.delete(other, name),
      backupDownloads.open(other, name),
      measure(other, {} as never, 0),
    ]) {
      await expect(refused).rejects.toMatchObject({ status: 403 });
    }
  });

  it('that is closed in the middle leaves nothing', async () => {
    const home = path.join(makeFolder(), 'home');
    await fillHome(home);
    const { backups, findPrincipal, close } = openInstance({ home });
    await backups.start(findPrincipal(undefined));
    await close();
    expect(readdirSync(homeAt(home).backups)).toEqual([]);
    expect(readdirSync(homeAt(home).tmp)).toEqual([]);
  });
});

describe('the folder of backups', () => {
  it('has only files with names of backups; links and other files do not count', async () => {
    const home = homeAt(path.join(makeFolder(), 'home'));
    await makePlainHome(home.folder);
    const name = (day: string) => `quern-backup-2026-03-${day}T12-00-00-000Z.tar`;
    for (const file of [name('01'), name('02'), 'other.tar', `${name('03')}.gz`, 'catalog-v1-a.db'])
      writeFileSync(path.join(home.backups, file), 'x');
    symlinkSync(home.catalog, path.join(home.backups, name('04')));
    mkdirSync(path.join(home.backups, name('05')));
    expect(listBackupFiles(home)).toEqual(
      ['02', '01'].map((day) => ({
        name: name(day),
        file: path.join(home.backups, name(day)),
        bytes: 1,
        createdAt: `2026-03-${day}T12:00:00.000Z`,
      })),
    );
    rmSync(home.backups, { recursive: true });
    expect(listBackupFiles(home)).toEqual([]);
  });

  it('keeps the file that a command writes when a server starts', async () => {
    const home = homeAt(path.join(makeFolder(), 'home'));
    await makePlainHome(home.folder);
    const unfinished = `.quern-01234567-1-${'0'.repeat(36)}`;
    for (const ending of ['', '.served']) writeFileSync(path.join(home.backups, unfinished + ending), '');
    removeLeftBackups(home);
    expect(readdirSync(home.backups)).toEqual([unfinished]);
  });

  it('gets no backup with the key, because a server offers it for download', async () => {
    const home = path.join(makeFolder(), 'home');
    await makePlainHome(home);
    const { backups } = homeAt(home);
    const name = 'quern-backup-2026-03-01T12-00-00-000Z.tar';
    for (const target of [backups, path.join(backups, name)]) {
      await expect(backUp(home, target, { withKey: true })).rejects.toMatchObject({
        code: 'key_in_served_folder',
      });
    }
    expect(readdirSync(backups)).toEqual([]);
    await backUp(home, path.join(backups, 'keyed.tar'), { withKey: true });
    expect(listBackupFiles(homeAt(home))).toEqual([]);
    await backUp(home, backups);
    expect(listBackupFiles(homeAt(home))).toHaveLength(1);
  });
});
