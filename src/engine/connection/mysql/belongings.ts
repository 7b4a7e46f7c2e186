import { type Belonging, toBelongings } from '../contract/belongings.ts';
import type { PublishedName } from '../contract/connection.ts';
import type { Statements } from '../server/publishing-platform.ts';
import { printIsOf } from './publishing-sql.ts';

/**
 * Lists the indexes, triggers and other belongings of a table, which would be lost with it. A new object has some of
 * them, too, because it copies defaults and comments of the columns that it reads.
 */
export async function listBelongings(
  { select }: Statements,
  [fresh, table]: readonly [fresh: PublishedName, table: PublishedName],
  signal: AbortSignal,
): Promise<readonly Belonging[]> {
  const rows = await select(printBelongings(table), signal);
  if (rows.length === 0) return [];
  const kept = (await select(printBelongings(fresh), signal)).map((row) => JSON.stringify(row));
  return toBelongings(rows.filter((row) => !kept.includes(JSON.stringify(row))));
}

/** A row if the rows of a table can be replaced in one transaction. */
export function printIsTransactional(table: PublishedName): string {
  return `SELECT 'yes' FROM information_schema.tables JOIN information_schema.engines USING (engine)
    WHERE ${printIsOf(table)} AND transactions = 'YES'`;
}

function printBelongings(table: PublishedName): string {
  const text = (parts: string) => `CONVERT(CONCAT(${parts}) USING utf8mb4)`;
  const of = (list: string, name: string, condition: string, acts = 'FALSE', detail = "''") =>
    `SELECT ${text(name)}, IF(${acts}, 'true', 'false'), ${text(detail)}
      FROM information_schema.${list} WHERE ${condition}`;
  const ofTable = (name: string, condition: string, detail?: string) =>
    of('tables', name, `${printIsOf(table)} AND ${condition}`, 'FALSE', detail);
  const ofColumns = (what: string, condition: string, acts?: string, detail?: string) =>
    of(
      'columns',
      `${what}, ' of the column ', column_name`,
      `${printIsOf(table)} AND ${condition}`,
      acts,
      detail,
    );
  const extra = "TRIM(REPLACE(LOWER(extra), 'default_generated', ''))";
  const found = [
    ofTable("'comment'", "table_comment <> ''", 'table_comment'),
    ofTable("'engine ', engine", 'engine <> @@default_storage_engine'),
    ofTable("'table options'", "create_options <> ''", 'create_options'),
    ofTable('LOWER(table_type)', "table_type NOT IN ('BASE TABLE', 'VIEW')"),
    ofColumns("'comment'", "column_comment <> ''", 'FALSE', 'column_comment'),
    // A new key has such a default from its query, such as 0.
    ofColumns(
      "'default'",
      "column_default <> 'NULL' AND (column_key <> 'PRI' OR column_default REGEXP '[1-9a-z]')",
      'FALSE',
      'column_default',
    ),
    ofColumns(extra, `${extra} <> ''`, "extra REGEXP 'auto_increment|[a-z] generated'"),
    // Without the strict mode, and in timestamps, the server stores another value instead of NULL.
    ofColumns(
      "'NOT NULL'",
      "is_nullable = 'NO' AND column_key <> 'PRI'",
      "data_type = 'timestamp' OR @@sql_mode NOT LIKE '%STRICT\\_%'",
    ),
    of('statistics', "'index ', index_name", `${printIsOf(table)} AND index_name <> 'PRIMARY'`),
    of(
      'table_constraints',
      "'constraint ', constraint_name",
      `${printIsOf(table)} AND constraint_type IN ('CHECK', 'FOREIGN KEY')`,
    ),
    of(
      'triggers',
      "'trigger ', trigger_name",
      printIsOf(table, ['event_object_schema', 'event_object_table']),
      'TRUE',
    ),
    of(
      'referential_constraints',
      "'foreign key ', constraint_name, ' of the table ', table_name",
      `${printIsOf(table, ['unique_constraint_schema', 'referenced_table_name'])}
        AND delete_rule NOT IN ('RESTRICT', 'NO ACTION')`,
      'TRUE',
    ),
  ];
  return `${found.join('\n    UNION ')} ORDER BY 1`;
}
