import { randomUUID } from 'node:crypto';
import { quoteName, quoteText } from '../../text/sql-quote.ts';
import { type Belonging, checkLoss, checkRefill, toBelongings } from '../contract/belongings.ts';
import type { ColumnsToFit } from '../contract/check-columns.ts';
import type { TableChanges, TypedColumn } from '../contract/column-changes.ts';
import { DatabaseError, type PublishedName, type Publishing } from '../contract/connection.ts';
import { printStates } from '../contract/history.ts';
import { isLossless, type TypeRules } from '../contract/lossless.ts';
import { createTransact, type Run } from '../contract/run-inner.ts';
import { findPublished, ServerPublishing } from '../server/publishing.ts';
import { type PublishingPlatform, printStaged, type Statements } from '../server/publishing-platform.ts';
import { hasState } from './errors.ts';
import type { FieldDescription } from './messages.ts';
import {
  CURRENT,
  NAMES,
  print,
  printColumns,
  printGrants,
  printId,
  printIsRead,
  printMerge,
  printNames,
  printNullKey,
  printRenameKey,
  printRevokes,
  printViewColumns,
  printViewComments,
  printViewOptions,
} from './publishing-sql.ts';

/** SQLSTATE of a view that would lose or change columns. */
const OTHER_COLUMNS = '42P16';

/**
 * Publishes in one transaction each, with the DDL. `isInTransaction` returns whether the user has started one, and
 * `readFields` the columns of the last statement.
 */
export function createPostgresqlPublishing(
  run: Run,
  isInTransaction: () => boolean,
  readFields: () => readonly FieldDescription[],
): Publishing {
  return new ServerPublishing(run, (statements) => describePlatform(statements, isInTransaction, readFields));
}

function describePlatform(
  statements: Statements,
  isInTransaction: () => boolean,
  readFields: () => readonly FieldDescription[],
): PublishingPlatform {
  const { around, run, select } = statements;
  const transact = createTransact(run, isInTransaction);
  const fill: PublishingPlatform['fill'] = async (fresh, { query }, signal) => {
    const result = await around([`CREATE TABLE ${print(fresh)} AS `, query], signal);
    return { count: result.kind === 'done' ? (result.rowsStored ?? null) : null };
  };
  return {
    names: NAMES,
    readCurrent: async (signal) => (await select(CURRENT, signal))[0] ?? [],
    check: null,
    replaceAtOnce: null,
    exclusively: (target, signal, work) =>
      transact(signal, async () => {
        await lock(statements, `quern publishes ${print(target)}`, signal);
        return work();
      }),
    async createSchema(target, signal) {
      await lock(statements, `quern makes ${quoteName(target.schema)}`, signal);
      // Another session may have created it meanwhile.
      if ((await select(NAMES.printFindSchema(target), signal)).length > 0) return;
      await run(`CREATE SCHEMA ${quoteName(target.schema)}`, signal);
    },
    nameFresh: (target) => ({ ...target, name: `quern_${randomUUID().slice(0, 8)}` }),
    fill,
    async addPrimaryKey(fresh, _target, primary, signal) {
      await run(`ALTER TABLE ${print(fresh)} ADD PRIMARY KEY (${printNames(primary)})`, signal);
    },
    swap: (fresh, target, signal) => swap(statements, [fresh, target], signal),
    async replaceView(target, query, signal) {
      const existingKind = await findPublished(statements, NAMES, target, signal);
      if (existingKind !== 'table') return createView(statements, target, query, signal);
      checkLoss(print(target), await listBelongings(statements, target, signal), 'view');
      await withoutViews(target, statements, signal, async () => {
        await run(`DROP TABLE ${print(target)}`, signal);
        await createView(statements, target, query, signal);
      });
    },
    readViewOptions: null,
    describeColumns: (target, query, signal) =>
      describeColumns(statements, readFields, [target, query], signal),
    stateType: RULES.stateType,
    alter: (_fresh, target, changes, signal) => alter(statements, target, changes, signal),
    async stage(fresh, target, rows, signal) {
      const staged = printStaged(rows, quoteName);
      await run(
        `CREATE TABLE ${print(fresh)} AS SELECT ${staged} FROM ${print(target)} WITH NO DATA`,
        signal,
      );
      const names = printNames(rows.changes.written.map(({ table }) => table));
      const [before, after] = rows.guard;
      await around([`INSERT INTO ${print(fresh)} (${names}) ${before}`, rows.query, after], signal);
    },
    checkPrimaryKey: null,
    transact,
    async prepareMerge(fresh, target, merge, columns, signal) {
      await run(`LOCK TABLE ${print(target)} IN SHARE ROW EXCLUSIVE MODE`, signal);
      const hasNull = (await select(printNullKey(fresh, merge.key), signal)).length > 0;
      return [...printMerge(fresh, target, merge, columns, hasNull), `DROP TABLE ${print(fresh)}`];
    },
    async prepareStates(states, target, signal) {
      await run(`LOCK TABLE ${print(target)} IN SHARE ROW EXCLUSIVE MODE`, signal);
      return [...printStates(states, quoteName), `DROP TABLE ${states.source}`];
    },
    leftovers: null,
  };
}

/** Changes the columns of a table; views that read it are created again. */
async function alter(
  statements: Statements,
  target: PublishedName,
  { added, widened, dropped }: TableChanges,
  signal: AbortSignal,
): Promise<void> {
  const changes = [
    ...added.map(({ name, type }) => `ADD COLUMN ${quoteName(name)} ${type}`),
    ...widened.map(({ name, type }) => `ALTER COLUMN ${quoteName(name)} TYPE ${type}`),
    ...dropped.map(({ name }) => `DROP COLUMN ${quoteName(name)}`),
  ];
  const work = async () => {
    await statements.run(`ALTER TABLE ${print(target)} ${changes.join(', ')}`, signal);
  };
  if (widened.length + dropped.length === 0) return work();
  await withoutViews(target, statements, signal, work);
}

/** An object, and the target that it replaces. */
type Swapped = readonly [fresh: PublishedName, target: PublishedName];

/** Waits for an advisory lock, and keeps it until the transaction ends. */
async function lock({ select }: Statements, name: string, signal: AbortSignal): Promise<void> {
  const key = `pg_catalog.hashtext(${quoteText(name)})`;
  await select(`SELECT pg_catalog.pg_advisory_xact_lock(${key})::text`, signal);
}

/** Replaces the rows of a table that has more than rows; drops any other one, and copies its privileges. */
async function swap(statements: Statements, [fresh, target]: Swapped, signal: AbortSignal): Promise<void> {
  const { run, select } = statements;
  const existingKind = await findPublished(statements, NAMES, target, signal);
  if (existingKind === null) return rename(statements, [fresh, target], signal);
  if (existingKind === 'table') {
    const belongings = await listBelongings(statements, target, signal);
    if (await isRefillable(statements, [fresh, target], belongings.length > 0, signal)) {
      checkRefill(print(target), belongings);
      return refill(statements, [fresh, target], signal);
    }
    checkLoss(print(target), belongings, 'shape');
    for (const [change] of await select(printRevokes(fresh), signal)) await run(change!, signal);
    for (const [grant] of await select(printGrants(target, fresh), signal)) await run(grant!, signal);
  }
  await withoutViews(target, statements, signal, async () => {
    await run(`DROP ${existingKind} ${print(target)}`, signal);
    await rename(statements, [fresh, target], signal);
  });
}

/** A table that views read, or that has more than rows, is not dropped if its columns stay the same. */
async function isRefillable(
  { select }: Statements,
  [fresh, target]: Swapped,
  hasMore: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  if (!hasMore && (await select(printIsRead(target), signal)).length === 0) return false;
  const [[freshColumns] = []] = await select(printColumns(fresh), signal);
  const [[targetColumns] = []] = await select(printColumns(target), signal);
  return freshColumns === targetColumns;
}

/** Replaces the rows of a table, which stays. */
async function refill({ run }: Statements, [fresh, target]: Swapped, signal: AbortSignal): Promise<void> {
  await run(`DELETE FROM ${print(target)}`, signal);
  await run(`INSERT INTO ${print(target)} SELECT * FROM ${print(fresh)}`, signal);
  await run(`DROP TABLE ${print(fresh)}`, signal);
}

async function rename(
  { run, select }: Statements,
  [fresh, target]: Swapped,
  signal: AbortSignal,
): Promise<void> {
  await run(`ALTER TABLE ${print(fresh)} RENAME TO ${quoteName(target.name)}`, signal);
  for (const [statement] of await select(printRenameKey(target), signal)) await run(statement!, signal);
}

/** Creates a view, or replaces one, whose options, rights and comments stay. */
async function createView(
  statements: Statements,
  target: PublishedName,
  query: string,
  signal: AbortSignal,
): Promise<void> {
  const { around, run, select } = statements;
  const [[options] = []] = await select(printViewOptions(target), signal);
  const view = `VIEW ${print(target)}${options === undefined ? '' : ` WITH (${options})`} AS `;
  await run('SAVEPOINT quern_view', signal);
  try {
    await around([`CREATE OR REPLACE ${view}`, query], signal);
  } catch (error) {
    if (!hasState(error, OTHER_COLUMNS)) throw error;
    await run('ROLLBACK TO SAVEPOINT quern_view', signal);
    checkLoss(print(target), await listViewBelongings(statements, target, signal), 'columns');
    const grants = await select(printGrants(target, target), signal);
    const comments = await select(printViewComments(target), signal);
    await withoutViews(target, statements, signal, async () => {
      await run(`DROP VIEW ${print(target)}`, signal);
      await around([`CREATE ${view}`, query], signal);
    });
    for (const [grant] of grants) await run(grant!, signal);
    const columns = new Set((await select(printViewColumns(target), signal)).flat());
    for (const [comment, column] of comments) {
      if (column === null || columns.has(column!)) await run(comment!, signal);
    }
  }
}

const RULES: TypeRules = {
  untyped: 'unknown',
  text: 'text',
  stateType: 'timestamp without time zone',
  timeDigits: 6,
  // It has any length.
  synonyms: { text: 'varchar' },
  refusesRows: true,
};
/** A type into which a bare NULL can be converted, but hardly any text. */
const RARE = 'pg_catalog.macaddr';

/** The columns of a table and those of a query; `readFields` returns the columns of the last statement. */
async function describeColumns(
  statements: Statements,
  readFields: () => readonly FieldDescription[],
  [target, query]: readonly [target: PublishedName, query: string],
  signal: AbortSignal,
): Promise<ColumnsToFit> {
  const { describe, select } = statements;
  await describe(query, signal);
  const fields = readFields();
  const types = fields.length === 0 ? [] : await select(printTypes(fields), signal);
  const added = fields.map(({ name }, i) => ({ name, type: types[i]![0]! }));
  const stored = (await select(printStored(target), signal)).map(([name, type, isFilled]) => ({
    name: name!,
    type: type!,
    isFilled: isFilled === 'true',
  }));
  const fold = (name: string) => name;
  const columns = { stored, rules: RULES, fold };
  const checked: TypedColumn[] = [];
  for (const [i, column] of added.entries()) {
    const other = stored.find(({ name }) => name === column.name);
    // The server describes a bare NULL as text.
    const mayBeNull =
      column.type === 'text' && other !== undefined && !isLossless(column.type, other.type, RULES);
    const isNull = mayBeNull && (await isBareNull(statements, [query, added, i], signal));
    checked.push(isNull ? { ...column, type: RULES.untyped } : column);
  }
  return { ...columns, added: checked };
}

function printTypes(fields: readonly FieldDescription[]): string {
  const rows = fields.map(({ type, modifier }, i) => `(${i}, ${type}::oid, ${modifier})`).join(', ');
  return `SELECT pg_catalog.format_type(type, modifier) FROM (VALUES ${rows}) AS field (at, type, modifier) ORDER BY at`;
}

/** Columns with their type, which is that of the values of a domain, and whether the server gives them values. */
function printStored(target: PublishedName): string {
  return `WITH RECURSIVE stored (at, name, type, modifier, filled) AS (
      SELECT attnum, attname, atttypid, atttypmod, attidentity <> '' OR attgenerated <> ''
      FROM pg_catalog.pg_attribute WHERE attrelid = ${printId(target)} AND attnum > 0 AND NOT attisdropped
    UNION ALL
      SELECT at, name, typbasetype, typtypmod, filled
      FROM stored JOIN pg_catalog.pg_type ON pg_type.oid = type WHERE typtype = 'd')
    SELECT name::text, pg_catalog.format_type(type, modifier), filled::text
    FROM stored JOIN pg_catalog.pg_type ON pg_type.oid = type WHERE typtype <> 'd' ORDER BY at`;
}

/** Whether a column of a query is a bare NULL: in a UNION, it gets the type of the other query. */
async function isBareNull(
  { around, run }: Statements,
  [query, columns, at]: readonly [query: string, columns: readonly TypedColumn[], at: number],
  signal: AbortSignal,
): Promise<boolean> {
  const nulls = columns.map(({ type }, i) => `NULL::${i === at ? RARE : type}`).join(', ');
  await run('SAVEPOINT quern_null', signal);
  try {
    await around(['SELECT FROM ((', query, `) UNION ALL SELECT ${nulls}) AS quern_query LIMIT 0`], signal);
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== 'sql') throw error;
    await run('ROLLBACK TO SAVEPOINT quern_null', signal);
    return false;
  }
}

/** The belongings of a view that are given to a new one, and those that every view has. */
const KEPT_WITH_VIEWS: ReadonlySet<string> = new Set([
  'comments',
  'storage options',
  'rule "_RETURN"',
  'replica identity',
]);

/** Lists the policies, indexes and other belongings of a table, which would be lost with it. */
async function listBelongings(
  { select }: Statements,
  table: PublishedName,
  signal: AbortSignal,
): Promise<readonly Belonging[]> {
  return toBelongings(await select(printBelongings(table), signal));
}

/** Lists what a view would lose that is dropped and created again with its options, rights and comments. */
async function listViewBelongings(
  statements: Statements,
  view: PublishedName,
  signal: AbortSignal,
): Promise<readonly Belonging[]> {
  const belongings = await listBelongings(statements, view, signal);
  return belongings.filter(({ name }) => !KEPT_WITH_VIEWS.has(name));
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
  const queries = [
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
  return `SELECT name::text, acts::text FROM (${queries.join('\n    UNION ALL ')}) AS own (name, acts) ORDER BY 1`;
}

interface DependentView {
  readonly view: PublishedName;
  readonly definition: string;
  /** Why the view cannot be created again unchanged; null if it can. */
  readonly obstacle: string | null;
}

/**
 * Does some work while no view reads an object: drops the views that read it, directly or indirectly, and creates them
 * again afterwards with their privileges and comments. Must run in a transaction. Rejects with a DatabaseError that names a view
 * which cannot be created again.
 */
async function withoutViews(
  target: PublishedName,
  { run, select }: Statements,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  const views = (await select(printDependents(target), signal)).map((row) => toView(target, row));
  const stuck = views.find(({ obstacle }) => obstacle !== null);
  if (stuck !== undefined) {
    const message = `The columns of ${print(target)} would change, and it is read by ${print(stuck.view)}, which ${stuck.obstacle}: drop that first.`;
    throw new DatabaseError('sql', message);
  }
  const later: string[] = [];
  for (const { view } of views) {
    for (const statement of [printGrants(view, view), printViewComments(view)]) {
      later.push(...(await select(statement, signal)).map(([command]) => command!));
    }
  }
  for (const { view } of views.toReversed()) await run(`DROP VIEW ${print(view)}`, signal);
  await work();
  for (const { view, definition } of views) await recreateView(target, view, definition, run, signal);
  for (const statement of later) await run(statement, signal);
}

async function recreateView(
  target: PublishedName,
  view: PublishedName,
  definition: string,
  run: Run,
  signal: AbortSignal,
): Promise<void> {
  try {
    await run(`CREATE VIEW ${print(view)} AS ${definition}`, signal);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== 'sql') throw error;
    const message = `The view ${print(view)} cannot read the new ${print(target)}: ${error.message}`;
    throw new DatabaseError('sql', message, undefined, { cause: error.cause });
  }
}

function toView(
  target: PublishedName,
  [schema, name, definition, obstacle = null]: readonly (string | null)[],
): DependentView {
  return { view: { ...target, schema: schema!, name: name! }, definition: definition!, obstacle };
}

/** The views that read an object, in the order of their dependencies. */
function printDependents(target: PublishedName): string {
  const reads = `pg_catalog.pg_depend AS own
      JOIN pg_catalog.pg_rewrite AS rule ON rule.oid = own.objid AND own.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass`;
  return `WITH RECURSIVE dependents AS (
      SELECT rule.ev_class AS id, 1 AS depth FROM ${reads}
      WHERE own.refobjid = ${printId(target)} AND rule.ev_class <> own.refobjid
      UNION
      SELECT rule.ev_class, dependents.depth + 1 FROM dependents JOIN (${reads}) ON own.refobjid = dependents.id
      WHERE rule.ev_class <> dependents.id
    )
    SELECT space.nspname::text, view.relname::text, pg_catalog.pg_get_viewdef(view.oid),
      CASE WHEN view.relkind <> 'v' THEN 'is not a plain view'
        WHEN view.relowner <> current_user::pg_catalog.regrole THEN 'belongs to another user'
        WHEN view.reloptions IS NOT NULL THEN 'has view options'
        WHEN view.relhastriggers THEN 'has triggers'
        WHEN EXISTS (SELECT FROM pg_catalog.pg_attribute WHERE attrelid = view.oid AND attacl IS NOT NULL)
          THEN 'has rights in columns'
        WHEN EXISTS (SELECT FROM pg_catalog.pg_attrdef WHERE adrelid = view.oid)
          THEN 'has defaults of columns' END
    FROM (SELECT id, max(depth) AS depth FROM dependents GROUP BY id) AS found
      JOIN pg_catalog.pg_class AS view ON view.oid = found.id
      JOIN pg_catalog.pg_namespace AS space ON space.oid = view.relnamespace
    ORDER BY found.depth, view.relname`;
}
