import { writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { restore } from './backing-up.ts';
import { withWorkspace } from './home-with-everything.ts';
import { makeBackup, makeOlder, tamper } from './tampering.ts';

/** Changes an asset of a home, and returns its revision. */
function change(home: string): Promise<number> {
  return withWorkspace(home, ({ catalog, principal }) => {
    const { revision } = catalog.updateAsset(principal, '@Shared/Zoé/a', '*', { description: 'changed' });
    return revision;
  });
}

function setLastRevision(home: string, last: number): void {
  const database = new Sqlite(path.join(home, 'catalog.db'));
  database.prepare('UPDATE catalog_revisions SET last = ?').run(last);
  database.close();
}

describe('the revisions of a restored home', () => {
  it('are those of the backup, and new ones are higher than all that the original home used since', async () => {
    const { folder, home, archive } = await makeBackup();
    const copy = path.join(folder, 'copy');
    const before = await withWorkspace(home, ({ catalog, principal }) =>
      catalog.get(principal, '@Shared/Zoé/a'),
    );
    const lost = [await change(home), await change(home)];
    await restore(archive, copy);
    const after = await withWorkspace(copy, ({ catalog, principal }) =>
      catalog.get(principal, '@Shared/Zoé/a'),
    );
    expect(after.revision).toBe(before.revision);
    expect(await change(copy)).toBeGreaterThan(Math.max(...lost) + 900_000);
  });

  it('are higher than those of the replaced home, even after several restores of the same backup', async () => {
    const { home, archive } = await makeBackup();
    const given = [await change(home)];
    for (let round = 0; round < 3; round++) {
      await restore(archive, home, { replace: true });
      given.push(await change(home));
    }
    expect(given).toEqual([...new Set(given)].sort((one, other) => one - other));
    setLastRevision(home, 50_000_000);
    await restore(archive, home, { replace: true });
    expect(await change(home)).toBe(51_000_001);
  });

  it('of a backup from an older version are higher than any used before', async () => {
    const world = await makeBackup();
    const older = tamper(world, makeOlder);
    setLastRevision(world.home, 7_000_000);
    await restore(older, world.home, { replace: true });
    expect(await change(world.home)).toBe(8_000_001);
    const copy = path.join(world.folder, 'copy');
    await restore(older, copy);
    const next = await change(copy);
    expect([next > 1_000_000, next < 1_100_000]).toEqual([true, true]);
  });

  it('are higher than those of the backup when the replaced home is damaged', async () => {
    const { home, archive } = await makeBackup();
    writeFileSync(path.join(home, 'catalog.db'), 'nonsense'.repeat(1_000));
    await restore(archive, home, { replace: true });
    expect(await change(home)).toBeGreaterThan(1_000_000);
  });
});
