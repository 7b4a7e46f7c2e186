import { expect, it } from 'vitest';
import { createCatalogContext, createCatalogService } from '../../../src/catalog/service.ts';
import { createAuditLog } from '../../../src/identity/audit/audit.ts';
import { createGrantPermissions } from '../../../src/identity/grants/grant-permissions.ts';
import { createGrantStore } from '../../../src/identity/records/grant-store.ts';
import type { Database } from '../../../src/store/database.ts';
import { createUuidV7 } from '../../../src/store/values/uuid.ts';
import { createGrantWorld, type GrantWorld, makeFolders } from '../grant-world.ts';
import { withoutCaches } from '../without-caches.ts';

const INSERT = `
  INSERT INTO catalog_items (id, parent_id, name, type, description, revision, created_at, updated_at)
  VALUES (?, (SELECT id FROM catalog_items WHERE name = ?), ?, 'SQL_SCRIPT', '', 1, '', '')
`;

/** Adds assets to a folder: every third is restricted, every sixth restricted and granted to everyone. */
function fill({ database }: GrantWorld, folder: string, count: number): void {
  const store = createGrantStore(database);
  const newId = createUuidV7(() => new Date());
  database.write(() => {
    for (let number = 0; number < count; number++) {
      const id = newId();
      database.statement(INSERT).run(id, folder, `${number}`);
      if (number % 3 === 0) store.restrict(id, true);
      const target = { kind: 'item', id } as const;
      if (number % 6 === 0)
        store.set(newId(), { subject: { kind: 'everyone' }, target, level: 'VIEW', createdAt: '' });
    }
  });
}

/** A catalog on the same database that counts its statements. */
function createCounted({ database }: GrantWorld) {
  let count = 0;
  const counted: Database = {
    ...withoutCaches(database),
    statement: <Row>(sql: string) => {
      const { get, all, run } = database.statement<Row>(sql);
      const note = <Values extends unknown[], T>(act: (...values: Values) => T) => {
        return (...values: Values): T => {
          count += 1;
          return act(...values);
        };
      };
      return { get: note(get), all: note(all), run: note(run) };
    },
  };
  const clock = () => new Date();
  const newId = createUuidV7(clock);
  const audit = createAuditLog(counted, clock, newId);
  const { catalog: permissions } = createGrantPermissions({ database: counted, clock, newId, audit });
  const catalog = createCatalogService(
    createCatalogContext({
      database: counted,
      permissions,
      mayChange: () => true,
      findHistoryLimit: () => 100,
      findBinDays: () => 30,
      clock,
      newId,
    }),
  );
  return {
    catalog,
    countOf: (act: () => unknown) => {
      count = 0;
      act();
      return count;
    },
  };
}

it('runs as many statements for a list of 10,000 items as for one of 10, and for one path in it', () => {
  const world = createGrantWorld();
  const ada = world.add('ada');
  makeFolders(world, '@Shared/few', '@Shared/many');
  fill(world, 'few', 10);
  fill(world, 'many', 10_000);
  const { catalog, countOf } = createCounted(world);
  expect(catalog.list(ada, '@Shared/many').data).toHaveLength(8333);
  expect(catalog.list(world.admin, '@Shared/many').data).toHaveLength(10_000);
  expect(countOf(() => catalog.list(ada, '@Shared/many'))).toBe(
    countOf(() => catalog.list(ada, '@Shared/few')),
  );
  expect(countOf(() => catalog.get(ada, '@Shared/many/9998'))).toBe(
    countOf(() => catalog.get(ada, '@Shared/few/8')),
  );
});

it('finds the grants of a path with an index in a large catalog', () => {
  const { database } = createGrantWorld();
  const texts: string[] = [];
  const store = createGrantStore({
    ...database,
    statement: (sql) => {
      texts.push(sql);
      return database.statement(sql);
    },
  });
  store.listFacts('u', ['r']);
  store.holdsClosed('u', 'r');
  const plans = texts.flatMap((sql) =>
    database
      .statement<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...(sql.match(/\?/g) ?? []).map(() => '[]'))
      .map(({ detail }) => detail),
  );
  expect(plans.filter((detail) => /^SCAN (item|grants|users|groups|group_members)\b/.test(detail))).toEqual([
    expect.stringContaining('USING COVERING INDEX catalog_items_restricted'),
  ]);
});
