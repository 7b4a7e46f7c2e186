import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkHome } from '../../../src/workspace/setup/check-home.ts';
import { makeFolder } from '../../support/quern.ts';
import { backUp, restore } from './backing-up.ts';
import { makePlainHome } from './home-with-everything.ts';
import { tamper } from './tampering.ts';

describe('paths of the maximum length', () => {
  /** The name of a file in the home's folder `publish` that makes the whole path 4,095 bytes long. */
  function nameLongFile(home: string): string {
    const names: string[] = [];
    let rest = 4095 - Buffer.byteLength(path.join(home, 'publish'));
    for (; rest > 255; rest -= 201) names.push('d'.repeat(200));
    return [...names, 'f'.repeat(rest - 1)].join('/');
  }

  async function backUpLongFile() {
    const folder = makeFolder();
    const home = path.join(folder, 'h');
    await makePlainHome(home);
    const name = nameLongFile(home);
    mkdirSync(path.dirname(path.join(home, 'publish', name)), { recursive: true });
    writeFileSync(path.join(home, 'publish', name), 'far down');
    const archive = path.join(folder, 'b.tar');
    expect(await backUp(home, archive)).toMatchObject({ files: 1, left_out: [] });
    return { folder, home, name, archive };
  }

  it('are restored, also into a home with a longer path', async () => {
    const { folder, home, name, archive } = await backUpLongFile();
    const { moved_to } = await restore(archive, home, { replace: true });
    expect(readFileSync(path.join(home, 'publish', name), 'utf8')).toBe('far down');
    const longer = path.join(folder, 'a home with a longer path');
    expect(await restore(archive, longer)).toMatchObject({ files: 1 });
    for (const other of [moved_to!, longer]) {
      expect(execFileSync('cat', [name], { cwd: path.join(other, 'publish') }).toString()).toBe('far down');
    }
    expect(readdirSync(folder).sort()).toEqual([
      'a home with a longer path',
      'b.tar',
      'h',
      path.basename(moved_to!),
    ]);
  });

  it('are left out of the backup of a home with a longer path, and do not stop its checks', async () => {
    const { folder, archive } = await backUpLongFile();
    const longer = path.join(folder, 'a home with a longer path');
    await restore(archive, longer);
    const { left_out } = await backUp(longer, path.join(folder, 'again.tar'));
    expect(left_out).toEqual([expect.stringMatching(/^publish\/ddd.*/)]);
    await restore(archive, longer, { replace: true });
    const { signal } = new AbortController();
    expect(await checkHome(longer, {}, signal)).toContainEqual(
      expect.objectContaining({ name: 'catalog', ok: true }),
    );
  });

  it('leave no files when the archive is refused', async () => {
    const { folder, archive } = await backUpLongFile();
    const world = { folder, home: '', archive, token: '' };
    const made = tamper(world, (out) => writeFileSync(path.join(out, 'config.toml'), ''));
    const before = readdirSync(folder);
    await expect(restore(made, path.join(folder, 'copy'))).rejects.toMatchObject({ status: 422 });
    expect(readdirSync(folder)).toEqual(before);
  });
});
