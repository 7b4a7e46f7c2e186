import Sqlite from 'better-sqlite3';
import { present } from '../invariants/must.ts';
import { APPLICATION_ID } from './files/check-file.ts';
import { createGuard, databaseFile } from './files/file-errors.ts';
import { REVISIONS_VERSION } from './migrations/0007-catalog-revisions.ts';
import { PARTS_VERSION } from './migrations/0009-content-parts.ts';
import { HISTORY_VERSION } from './migrations/0011-catalog-history.ts';
import { BIN_VERSION } from './migrations/0017-deleted-items.ts';
import { latestVersion, readSchemaVersion } from './migrations/migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { HUB_ROOT_ID, SHARED_ROOT_ID } from './values/roots.ts';

/** The size of a catalog, and its errors. */
export interface CatalogInspection {
  /** The version of its schema. */
  readonly version: number;
  readonly items: number;
  readonly users: number;
  readonly connections: number;
  /** The master keys that its secrets are encrypted with. */
  readonly keyIds: readonly string[];
  /** The damage of its file; all other fields are then empty. */
  readonly damage: readonly string[];
  /** Errors in its tables, one sentence each. */
  readonly problems: readonly string[];
}

/** The latest schema version that this version of Quern supports. */
export const LATEST_VERSION = latestVersion(migrations);

const MAX_PROBLEMS = 20;

/** A query that must return no rows, with the message for each row. */
interface Rule {
  /** The first schema version with its tables; 1 by default. */
  readonly since?: number;
  /** The first schema version to which it no longer applies; none by default. */
  readonly until?: number;
  readonly sql: string;
  readonly says: (row: string) => string;
}

const TEXT_TYPES = `'SQL_SCRIPT', 'SERVICE_SCRIPT', 'PROJECT_MANIFEST'`;

/** A condition on a row `long`. */
const LACKS_PART = `AND (long.bytes, 0) IS NOT (
  SELECT sum(length(part.bytes)), max(part) + 1 - count(*)
  FROM catalog_content_parts AS part WHERE content_id = long.id)`;

const RULES: readonly Rule[] = [
  {
    sql: `SELECT item_id AS id FROM catalog_contents WHERE item_id NOT IN (SELECT id FROM catalog_items)`,
    says: (id) => `there is content of an item that is missing: ${id}`,
  },
  {
    until: PARTS_VERSION,
    sql: `SELECT id FROM catalog_items WHERE type IN (${TEXT_TYPES})
            AND id NOT IN (SELECT item_id FROM catalog_contents)`,
    says: (id) => `an item has no content: ${id}`,
  },
  {
    since: PARTS_VERSION,
    sql: `SELECT id FROM catalog_items WHERE type IN (${TEXT_TYPES})
            AND (SELECT count(*) FROM catalog_contents WHERE item_id = id)
              + (SELECT count(*) FROM catalog_long_contents AS long WHERE item_id = catalog_items.id) = 0`,
    says: (id) => `an item has no content: ${id}`,
  },
  {
    since: PARTS_VERSION,
    sql: `SELECT item_id AS id FROM catalog_contents WHERE item_id IN (SELECT item_id FROM catalog_long_contents)`,
    says: (id) => `an item has two contents: ${id}`,
  },
  {
    since: PARTS_VERSION,
    until: HISTORY_VERSION,
    sql: `SELECT item_id AS id FROM catalog_long_contents AS long WHERE item_id IS NOT NULL ${LACKS_PART}`,
    says: (id) => `the content of an item lacks a part: ${id}`,
  },
  {
    since: HISTORY_VERSION,
    sql: `SELECT coalesce(long.item_id, history.item_id) AS id
          FROM catalog_long_contents AS long LEFT JOIN catalog_history AS history ON history.id = history_id
          WHERE coalesce(long.item_id, history.item_id) IS NOT NULL ${LACKS_PART}`,
    says: (id) => `the content of an item lacks a part: ${id}`,
  },
  {
    since: HISTORY_VERSION,
    sql: `SELECT id FROM catalog_items WHERE type IN (${TEXT_TYPES})
            AND id NOT IN (SELECT item_id FROM catalog_history)`,
    says: (id) => `an item has no history: ${id}`,
  },
  {
    since: HISTORY_VERSION,
    sql: `SELECT item_id || ' at revision ' || revision AS id FROM catalog_history AS history
          WHERE purged_at IS NULL
            AND revision < (SELECT max(revision) FROM catalog_history WHERE item_id = history.item_id)
            AND id NOT IN (SELECT history_id FROM catalog_former_contents)
            AND id NOT IN (SELECT history_id FROM catalog_long_contents WHERE history_id IS NOT NULL)`,
    says: (id) => `the history of an item lacks a content: ${id}`,
  },
  {
    sql: `WITH RECURSIVE reached (id) AS (
            SELECT id FROM catalog_items WHERE parent_id IS NULL
            UNION SELECT item.id FROM catalog_items AS item JOIN reached ON item.parent_id = reached.id
          )
          SELECT id FROM catalog_items WHERE id NOT IN (SELECT id FROM reached)`,
    says: (id) => `an item hangs below no root: ${id}`,
  },
  {
    sql: `SELECT id FROM catalog_items WHERE parent_id IS NULL AND id NOT IN ('${SHARED_ROOT_ID}', '${HUB_ROOT_ID}')
            AND name <> '' AND id NOT IN (SELECT id FROM users)`,
    says: (id) => `a root has no owner: ${id}`,
  },
  {
    since: BIN_VERSION,
    sql: `SELECT entry.id FROM catalog_deleted AS entry JOIN catalog_items AS item ON item.id = item_id
          WHERE item.parent_id IS NOT NULL OR item.name <> ''`,
    says: (id) => `an item of the bin has a place in the catalog: ${id}`,
  },
  {
    sql: `SELECT id FROM (SELECT '${SHARED_ROOT_ID}' AS id UNION ALL SELECT '${HUB_ROOT_ID}')
          WHERE id NOT IN (SELECT id FROM catalog_items)`,
    says: (id) => `a namespace is missing: ${id}`,
  },
  {
    sql: `SELECT user_name AS id FROM users WHERE id NOT IN (SELECT id FROM catalog_items WHERE parent_id IS NULL)`,
    says: (name) => `the user ${name} has no home in the catalog`,
  },
  {
    since: REVISIONS_VERSION,
    sql: `SELECT max(revision) AS id FROM catalog_items
          HAVING max(revision) > coalesce((SELECT last FROM catalog_revisions), 0)`,
    says: (revision) => `the counter of revisions is behind revision ${revision} of an item`,
  },
];

/**
 * Checks the whole catalog of a home, in about a second for each gigabyte, and changes nothing. Throws `HomeError` when
 * the catalog cannot be read at all.
 */
export function inspectCatalog(home: string): CatalogInspection {
  return createGuard(home)(() => {
    const connection = new Sqlite(databaseFile(home), { readonly: true, fileMustExist: true });
    try {
      return connection.transaction(() => inspect(connection))();
    } finally {
      connection.close();
    }
  });
}

function inspect(connection: Sqlite.Database): CatalogInspection {
  const broken = findBrokenPages(connection);
  const version = readSchemaVersion(connection);
  const nothing = { version, items: 0, users: 0, connections: 0, keyIds: [], problems: [] };
  if (broken.length > 0) return { ...nothing, damage: broken };
  const isOurs = connection.pragma('application_id', { simple: true }) === APPLICATION_ID;
  if (!isOurs || version === 0) return { ...nothing, damage: ['it is not a catalog of Quern'] };
  return {
    version,
    items: count(connection, 'catalog_items'),
    users: count(connection, 'users'),
    connections: count(connection, 'connections'),
    keyIds: listKeys(connection),
    damage: [],
    problems: findProblems(connection, version),
  };
}

function findBrokenPages(connection: Sqlite.Database): readonly string[] {
  const rows = connection.pragma(`integrity_check(${MAX_PROBLEMS})`) as { integrity_check: string }[];
  return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
}

function findProblems(connection: Sqlite.Database, version: number): readonly string[] {
  const dangling = connection.pragma('foreign_key_check') as { table: string; parent: string }[];
  const problems = [
    ...new Set(dangling.map(({ table, parent }) => `a row of ${table} refers to nothing in ${parent}`)),
    ...RULES.filter(({ since = 1, until = Infinity }) => since <= version && version < until).flatMap(
      ({ sql, says }) => {
        const rows = connection.prepare<[], { id: string }>(`${sql} LIMIT ${MAX_PROBLEMS}`).all();
        return rows.map(({ id }) => says(id));
      },
    ),
  ];
  return problems.slice(0, MAX_PROBLEMS);
}

function hasTable(connection: Sqlite.Database, table: string): boolean {
  return (
    connection.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(table) !==
    undefined
  );
}

/** An older schema may lack the table. */
function count(connection: Sqlite.Database, table: string): number {
  if (!hasTable(connection, table)) return 0;
  return present(connection.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table}`).get()).n;
}

function listKeys(connection: Sqlite.Database): readonly string[] {
  if (!hasTable(connection, 'connection_secrets')) return [];
  const rows = connection.prepare<[], { key_id: string }>('SELECT DISTINCT key_id FROM connection_secrets');
  return rows.all().map((row) => row.key_id);
}
