import { expect, it } from 'vitest';
import { createDatabase } from '../../src/store/database.ts';
import { inspectCatalog } from '../../src/store/inspect-catalog.ts';
import { migrations } from '../../src/store/migrations/migrations.ts';
import { createWorld } from '../catalog/world.ts';
import { createTestClock, makeFolder } from './temporary-home.ts';

const LONG_BYTES = 3 * 1024 ** 2;

/** A home of schema version 10 with a short script, a long one and a folder. */
function makeOldHome(): string {
  const home = makeFolder();
  const old = createDatabase(home, { clock: createTestClock(), migrations: migrations.slice(0, 10) });
  const insert = old.statement(
    `INSERT INTO catalog_items (id, parent_id, name, type, description, revision, created_at, updated_at)
     SELECT ?, id, ?, ?, '', ?, '', '2026-01-01T00:00:00.000Z' FROM catalog_items WHERE name = '@Shared'`,
  );
  const run = (sql: string, ...values: (string | number)[]) => old.statement(sql).run(...values);
  old.write(() => {
    insert.run('i1', 'short', 'SQL_SCRIPT', 5);
    insert.run('i2', 'long', 'SQL_SCRIPT', 5);
    insert.run('i3', 'folder', 'REGULAR_FOLDER', 7);
    run('UPDATE catalog_revisions SET last = 9');
    run("INSERT INTO catalog_contents VALUES ('i1', 'zwölf')");
    run("INSERT INTO catalog_long_contents VALUES ('l1', 'i2', ?)", LONG_BYTES);
    for (const part of [0, 1, 2])
      run(
        "INSERT INTO catalog_content_parts VALUES ('l1', ?, CAST(? AS BLOB))",
        part,
        'x'.repeat(LONG_BYTES / 3),
      );
  });
  old.close();
  return home;
}

it('begins the history of each asset with its content, whose author is unknown', () => {
  const { catalog, history, owner, home } = createWorld({ home: makeOldHome() });
  const unknown = { user_id: null, user_name: null, action: null, source: null, sha256: null };
  const first = {
    ...unknown,
    revision: 5,
    ordinal: 1,
    is_current: true,
    created_at: '2026-01-01T00:00:00.000Z',
  };
  expect(history.list(owner, '@Shared/short')).toMatchObject([{ ...first, bytes: 6 }]);
  expect(history.list(owner, '@Shared/long')).toMatchObject([{ ...first, bytes: LONG_BYTES }]);
  expect(inspectCatalog(home).problems).toEqual([]);

  catalog.updateAsset(owner, '@Shared/short', '*', { content: 'zwölf' });
  expect(history.list(owner, '@Shared/short')).toHaveLength(1);
  for (const [name, text] of [
    ['short', 'zwölf'],
    ['long', 'x'.repeat(LONG_BYTES)],
  ] as const) {
    catalog.updateAsset(owner, `@Shared/${name}`, '*', { content: 'next' });
    expect(history.list(owner, `@Shared/${name}`).map(({ ordinal }) => ordinal)).toEqual([2, 1]);
    expect(history.get(owner, `@Shared/${name}`, 5).data.content!.toString()).toBe(text);
  }
  expect(inspectCatalog(home).problems).toEqual([]);
});

it('is inspected: an asset has a history, and each former content is there or purged', () => {
  const { database, catalog, owner, home } = createWorld({ home: makeOldHome() });
  catalog.updateAsset(owner, '@Shared/short', '*', { content: 'next' });
  catalog.updateAsset(owner, '@Shared/long', '*', { content: 'next' });
  database.statement('DELETE FROM catalog_content_parts WHERE part = 1').run();
  expect(inspectCatalog(home).problems).toEqual(['the content of an item lacks a part: i2']);
  database.statement('DELETE FROM catalog_long_contents').run();
  database.statement('DELETE FROM catalog_former_contents').run();
  expect(inspectCatalog(home).problems).toEqual(
    ['i1', 'i2'].map((id) => `the history of an item lacks a content: ${id} at revision 5`),
  );
  database.statement('DELETE FROM catalog_history').run();
  expect(inspectCatalog(home).problems).toEqual(['i1', 'i2'].map((id) => `an item has no history: ${id}`));
});
