import { type Belonging, checkLoss, checkRefill, toBelongings } from '../contract/belongings.ts';
import type { ColumnsToFit } from '../contract/check-columns.ts';
import type { TableChanges } from '../contract/column-changes.ts';
import { DatabaseError, type PublishedName, type Publishing } from '../contract/connection.ts';
import { createTransact, type Run } from '../contract/run-inner.ts';
import { NO_ROWS } from '../server/describe-query.ts';
import { findPublished, ServerPublishing } from '../server/publishing.ts';
import type {
  NewRows,
  PublishingPlatform,
  StagedRows,
  Statements,
  StoredRows,
} from '../server/publishing-platform.ts';
import type { SessionState } from './exchange.ts';
import {
  CURRENT,
  NAMES,
  nameAside,
  print,
  printAlter,
  printColumns,
  printHistory,
  printIsOf,
  printLock,
  printLongColumns,
  printLoosen,
  printMerge,
  printNames,
  printSource,
  printStoredColumns,
  printViewOptions,
  quoteName,
  TYPE_RULES,
} from './publishing-sql.ts';
import type { TemporaryTables } from './temporary-tables.ts';

/** Maximum time to wait for another publication of the same target, in seconds. */
const PATIENCE = 31_536_000;

const never = new AbortController().signal;

/**
 * Publishes where DDL ends a transaction: tables and views are created under other names, and replace the existing
 * objects with one atomic rename. Rows are added to tables in one transaction, or in the user's.
 */
export function createMysqlPublishing(run: Run, state: SessionState, temporary: TemporaryTables): Publishing {
  return new ServerPublishing(run, (statements) => describePlatform(statements, state, temporary));
}

function describePlatform(
  statements: Statements,
  state: SessionState,
  temporary: TemporaryTables,
): PublishingPlatform {
  const { run, select } = statements;
  // The statements that have created the new table have ended the user's transaction.
  const transactAnew = createTransact(run, () => false);
  const dropStaged = async (fresh: PublishedName) => {
    await run(`DROP TEMPORARY TABLE IF EXISTS ${print(fresh)}`, never).catch(() => {});
    temporary.drop(fresh);
  };
  return {
    names: NAMES,
    readCurrent: async (signal) => (await select(CURRENT, signal))[0] ?? [],
    check: null,
    replaceAtOnce: null,
    async exclusively(target, signal, work) {
      checkHidden(temporary, target);
      return withLock(statements, target, signal, work);
    },
    async createSchema(target, signal) {
      await run(`CREATE DATABASE IF NOT EXISTS ${quoteName(target.schema)}`, signal);
    },
    nameFresh: (target) => nameAside(target).fresh,
    fill: (fresh, rows, signal) => fill(statements, fresh, rows, signal),
    addPrimaryKey: null,
    async swap(fresh, target, signal) {
      const columns = await listKept(statements, [fresh, target], signal);
      if (columns === null) return swap(statements, target, signal);
      await transactAnew(signal, () => refill(statements, [fresh, target], columns, signal));
      await dropAll(statements, [fresh], never);
    },
    replaceView: null,
    async readViewOptions(target, signal) {
      const [[security, check] = []] = await select(printViewOptions(target), signal);
      return [security ?? '', check ?? ''];
    },
    describeColumns: (target, query, signal) =>
      describeColumns(statements, [target, query], dropStaged, signal),
    stage: (fresh, target, rows, signal) => stage(statements, [fresh, target], rows, signal),
    stateType: TYPE_RULES.stateType,
    alter: (_fresh, target, changes, signal) => alter(statements, target, changes, signal),
    checkPrimaryKey: null,
    transact: createTransact(run, () => state.inTransaction),
    prepareMerge: async (fresh, target, merge, columns) => printMerge(fresh, target, merge, columns),
    prepareStates: async (states) => printHistory(states),
    leftovers: {
      clear(target, signal) {
        const { fresh, oldObject } = nameAside(target);
        return dropAll(statements, [fresh, oldObject], signal);
      },
      dropFresh: (fresh) => dropAll(statements, [fresh], never).catch(() => {}),
      dropStaged,
    },
  };
}

/** A temporary table would hide the target. */
function checkHidden(temporary: TemporaryTables, { schema, name }: PublishedName): void {
  const isHiding = temporary.all.some((table) => table.schema === schema && table.name === name);
  if (!isHiding) return;
  const message = `The temporary table ${quoteName(name)} hides what is published: give one of them another name.`;
  throw new DatabaseError('sql', message);
}

async function withLock<T>(
  { select }: Statements,
  target: PublishedName,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const lock = printLock(target);
  const [[got] = []] = await select(`SELECT CONCAT(GET_LOCK(${lock}, ${PATIENCE}))`, signal);
  if (got !== '1') throw new DatabaseError('sql', `The server gives no lock to publish ${print(target)}.`);
  try {
    return await work();
  } finally {
    await select(`SELECT CONCAT(RELEASE_LOCK(${lock}))`, never).catch(() => {});
  }
}

/** Creates an empty table first, and completes its columns so that they can store all rows. */
async function fill(
  { around, run, select }: Statements,
  fresh: PublishedName,
  { query, key }: NewRows,
  signal: AbortSignal,
): Promise<StoredRows> {
  const [before, after] = NO_ROWS;
  await around([`CREATE TABLE ${print(fresh)} AS ${before}`, query, after], signal);
  const columns = await select(printColumns(fresh), signal);
  await run(printLoosen(fresh, columns, key), signal);
  const inserted = await around([`INSERT INTO ${print(fresh)} `, query], signal);
  return { count: inserted.kind === 'done' ? inserted.rowsChanged : null };
}

/** Stores new rows in a temporary table with the column types of the target. */
async function stage(
  { around, run, select }: Statements,
  [fresh, target]: Swapped,
  rows: StagedRows,
  signal: AbortSignal,
): Promise<void> {
  const long = await select(printLongColumns(target), signal);
  const longNames = new Set(long.map(([name]) => name!.toLowerCase()));
  await run(printSource(fresh, target, rows, longNames), signal);
  const names = printNames(rows.changes.written.map(({ table }) => table));
  const [before, after] = rows.guard;
  await around([`INSERT INTO ${print(fresh)} (${names}) ${before}`, rows.query, after], signal);
}

/** Changes the columns of a table with one statement, which ends the user's transaction. */
async function alter(
  { run, select }: Statements,
  target: PublishedName,
  changes: TableChanges,
  signal: AbortSignal,
): Promise<void> {
  const [[, definition] = []] = await select(`SHOW CREATE TABLE ${print(target)}`, signal);
  const lines = definition!.split('\n').map((line) => line.trim().replace(/,$/, ''));
  await run(printAlter(target, changes, lines), signal);
}

/** A temporary table tells the types that a table of new rows would have. */
async function describeColumns(
  { around, select }: Statements,
  [target, query]: readonly [target: PublishedName, query: string],
  drop: (fresh: PublishedName) => Promise<void>,
  signal: AbortSignal,
): Promise<ColumnsToFit> {
  const { fresh } = nameAside(target);
  const [before, after] = NO_ROWS;
  const storedRows = await select(printStoredColumns(target), signal);
  const stored = storedRows.map(([name, type, extra]) => ({
    name: name!,
    type: type!,
    isFilled: /generated|auto_increment/i.test(extra ?? ''),
  }));
  try {
    await around([`CREATE TEMPORARY TABLE ${print(fresh)} AS ${before}`, query, after], signal);
    const rows = await select(`SHOW FULL COLUMNS FROM ${print(fresh)}`, signal);
    const added = rows.map(([name, type, collation = null]) => ({ name: name!, type: type!, collation }));
    const rules = { ...TYPE_RULES, refusesRows: storedRows[0]?.[3] === 'strict' };
    return { stored, added, rules, fold: (name) => name.toLowerCase() };
  } finally {
    await drop(fresh);
  }
}

/** An object, and the target that it replaces. */
type Swapped = readonly [fresh: PublishedName, target: PublishedName];

/**
 * The columns of a table that must stay, because it has more than rows; null if it may be dropped. Rejects with a
 * DatabaseError if something would be lost.
 */
async function listKept(
  statements: Statements,
  [fresh, target]: Swapped,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const { select } = statements;
  if ((await findPublished(statements, NAMES, target, signal)) !== 'table') return null;
  const belongings = await listBelongings(statements, [fresh, target], signal);
  if (belongings.length === 0) return null;
  const isView = (await findPublished(statements, NAMES, fresh, signal)) === 'view';
  if (isView) checkLoss(print(target), belongings, 'view');
  const columns = await select(printColumns(fresh), signal);
  const old = await select(printColumns(target), signal);
  if (JSON.stringify(columns) !== JSON.stringify(old)) checkLoss(print(target), belongings, 'shape');
  const isTransactional = (await select(printIsTransactional(target), signal)).length > 0;
  if (!isTransactional) checkLoss(print(target), belongings, 'engine');
  checkRefill(print(target), belongings);
  return columns.map(([name]) => name!);
}

/** Replaces the rows of a table, which stays. */
async function refill(
  { run }: Statements,
  [fresh, target]: Swapped,
  columns: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const names = printNames(columns);
  await run(`DELETE FROM ${print(target)}`, signal);
  await run(`INSERT INTO ${print(target)} (${names}) SELECT ${names} FROM ${print(fresh)}`, signal);
}

async function swap(statements: Statements, target: PublishedName, signal: AbortSignal): Promise<void> {
  const { fresh, oldObject } = nameAside(target);
  const existingKind = await findPublished(statements, NAMES, target, signal);
  if (existingKind === null) return rename(statements, [[fresh, target]], signal);
  const forth = [
    [target, oldObject],
    [fresh, target],
  ] as const;
  await rename(statements, forth, signal);
  try {
    // The new object may have read the old one, which other sessions may still lock.
    await statements.select(`SELECT '' FROM ${print(target)} LIMIT 0`, never);
    await dropAll(statements, [oldObject], never);
  } catch (error) {
    const back = [
      [target, fresh],
      [oldObject, target],
    ] as const;
    await rename(statements, back, never);
    throw error;
  }
}

async function rename(
  { run }: Statements,
  pairs: readonly (readonly [from: PublishedName, to: PublishedName])[],
  signal: AbortSignal,
): Promise<void> {
  const renamed = pairs.map(([from, to]) => `${print(from)} TO ${print(to)}`);
  await run(`RENAME TABLE ${renamed.join(', ')}`, signal);
}

async function dropAll(
  statements: Statements,
  names: readonly PublishedName[],
  signal: AbortSignal,
): Promise<void> {
  for (const name of names) {
    const existingKind = await findPublished(statements, NAMES, name, signal);
    if (existingKind !== null) await statements.run(`DROP ${existingKind} ${print(name)}`, signal);
  }
}

/**
 * Lists the indexes, triggers and other belongings of a table, which would be lost with it. A new object has some of
 * them, too, because it copies defaults and comments of the columns that it reads.
 */
async function listBelongings(
  { select }: Statements,
  [fresh, table]: readonly [fresh: PublishedName, table: PublishedName],
  signal: AbortSignal,
): Promise<readonly Belonging[]> {
  const rows = await select(printBelongings(table), signal);
  if (rows.length === 0) return [];
  const freshRows = (await select(printBelongings(fresh), signal)).map((row) => JSON.stringify(row));
  return toBelongings(rows.filter((row) => !freshRows.includes(JSON.stringify(row))));
}

/** A row if the rows of a table can be replaced in one transaction. */
function printIsTransactional(table: PublishedName): string {
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
  const queries = [
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
  return `${queries.join('\n    UNION ')} ORDER BY 1`;
}
