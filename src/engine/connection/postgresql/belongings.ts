import { type Belonging, toBelongings } from '../contract/belongings.ts';
import type { PublishedName } from '../contract/connection.ts';
import type { Statements } from '../server/publishing-platform.ts';
import { printId } from './publishing-sql.ts';

/** The belongings of a view that are given to a new one, and those that every view has. */
const KEPT_WITH_VIEWS: ReadonlySet<string> = new Set([
  'comments',
  'storage options',
  'rule "_RETURN"',
  'replica identity',
]);

/** Lists the policies, indexes and other belongings of a table, which would be lost with it. */
export async function listBelongings(
  { select }: Statements,
  table: PublishedName,
  signal: AbortSignal,
): Promise<readonly Belonging[]> {
  return toBelongings(await select(printBelongings(table), signal));
}

/** Lists what a view would lose that is dropped and created again with its options, rights and comments. */
export async function listViewBelongings(
  statements: Statements,
  view: PublishedName,
  signal: AbortSignal,
): Promise<readonly Belonging[]> {
  const found = await listBelongings(statements, view, signal);
  return found.filter(({ name }) => !KEPT_WITH_VIEWS.has(name));
}

function printBelongings(table: PublishedName): string {
  const id = printId(table);
  const ofTable = (what: string, condition: string) =>
    `SELECT ${what}, false FROM pg_catalog.pg_class WHERE oid = ${id} AND (${condition})`;
  const ofColumns = (what: string, condition: string) =>
    `SELECT '${what} of the column ' || pg_catalog.quote_ident(attname), false
      FROM pg_catalog.pg_attribute WHERE attrelid = ${id} AND attnum > 0 AND NOT attisdropped AND (${condition})`;
  const ofOthers = (what: string, name: string, from: string, condition: string, acts = 'false') =>
    `SELECT '${what} ' || pg_catalog.quote_ident(${name}), ${acts} FROM pg_catalog.${from} WHERE ${condition}`;
  const ownKey = `SELECT conindid FROM pg_catalog.pg_constraint WHERE conrelid = ${id}`;
  const keyColumns = `SELECT unnest(conkey) FROM pg_catalog.pg_constraint WHERE conrelid = ${id} AND contype = 'p'`;
  const found = [
    `SELECT 'row-level security', pg_catalog.row_security_active(oid)
      FROM pg_catalog.pg_class WHERE oid = ${id} AND (relrowsecurity OR relforcerowsecurity)`,
    ofTable(`'owner ' || relowner::pg_catalog.regrole::text`, 'relowner <> current_user::pg_catalog.regrole'),
    ofTable(`'replica identity'`, "relreplident <> 'd'"),
    ofTable(`'storage options'`, 'reloptions IS NOT NULL'),
    ofTable(`'tablespace'`, 'reltablespace <> 0'),
    ofTable(
      `'partitions'`,
      `relkind = 'p' OR oid IN (SELECT inhrelid FROM pg_catalog.pg_inherits
      UNION ALL SELECT inhparent FROM pg_catalog.pg_inherits)`,
    ),
    ofColumns('rights', 'attacl IS NOT NULL'),
    ofColumns('default', "atthasdef OR attidentity <> ''"),
    ofColumns('statistics target', 'coalesce(attstattarget, -1) <> -1'),
    ofColumns('options', 'attoptions IS NOT NULL'),
    ofColumns('NOT NULL', `attnotnull AND attnum NOT IN (${keyColumns})`),
    ofOthers('policy', 'polname', 'pg_policy', `polrelid = ${id}`),
    ofOthers('trigger', 'tgname', 'pg_trigger', `tgrelid = ${id} AND NOT tgisinternal`, 'true'),
    ofOthers('rule', 'rulename', 'pg_rewrite', `ev_class = ${id}`, 'true'),
    ofOthers('constraint', 'conname', 'pg_constraint', `conrelid = ${id} AND contype NOT IN ('p', 'n', 't')`),
    // Replacing all rows would also change or delete the rows of these tables.
    ofOthers(
      'foreign key',
      'conname',
      'pg_constraint',
      `confrelid = ${id} AND conrelid <> ${id} AND confdeltype IN ('c', 'n', 'd')`,
      'true',
    ),
    ofOthers(
      'index',
      'relname',
      'pg_class JOIN pg_catalog.pg_index ON indexrelid = pg_class.oid',
      `indrelid = ${id} AND indexrelid NOT IN (${ownKey})`,
    ),
    ofOthers('statistics', 'stxname', 'pg_statistic_ext', `stxrelid = ${id}`),
    ofOthers(
      'publication',
      'pubname',
      'pg_publication_rel JOIN pg_catalog.pg_publication ON pg_publication.oid = prpubid',
      `prrelid = ${id}`,
    ),
    `SELECT DISTINCT 'comments', false FROM pg_catalog.pg_description
      WHERE objoid = ${id} AND classoid = 'pg_catalog.pg_class'::pg_catalog.regclass`,
    `SELECT DISTINCT 'security labels', false FROM pg_catalog.pg_seclabel
      WHERE objoid = ${id} AND classoid = 'pg_catalog.pg_class'::pg_catalog.regclass`,
  ];
  return `SELECT name::text, acts::text FROM (${found.join('\n    UNION ALL ')}) AS own (name, acts) ORDER BY 1`;
}
