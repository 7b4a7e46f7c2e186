import { randomUUID } from 'node:crypto';
import { quoteName, quoteText } from '../../text/sql-quote.ts';
import { checkLoss, checkRefill } from '../contract/belongings.ts';
import type { PublishedName, Publishing } from '../contract/connection.ts';
import { createTransact, type Run } from '../contract/run-inner.ts';
import { findPublished, ServerPublishing } from '../server/publishing.ts';
import type { PublishingPlatform, Statements } from '../server/publishing-platform.ts';
import { listBelongings, listViewBelongings } from './belongings.ts';
import { withoutViews } from './dependent-views.ts';
import { hasState } from './errors.ts';
import type { FieldDescription } from './messages.ts';
import { describeColumns } from './published-columns.ts';
import {
  CURRENT,
  NAMES,
  print,
  printColumns,
  printGrants,
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
        await work();
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
      const found = await findPublished(statements, NAMES, target, signal);
      if (found !== 'table') return createView(statements, target, query, signal);
      checkLoss(print(target), await listBelongings(statements, target, signal), 'view');
      await withoutViews(target, statements, signal, async () => {
        await run(`DROP TABLE ${print(target)}`, signal);
        await createView(statements, target, query, signal);
      });
    },
    readViewOptions: null,
    describeColumns: (target, query, signal) =>
      describeColumns(statements, readFields, [target, query], signal),
    async stage(fresh, target, { query, columns }, signal) {
      const names = printNames(columns);
      await run(`CREATE TABLE ${print(fresh)} AS SELECT ${names} FROM ${print(target)} WITH NO DATA`, signal);
      await around([`INSERT INTO ${print(fresh)} (${names}) `, query], signal);
    },
    checkPrimaryKey: null,
    transact,
    async prepareMerge(fresh, target, merge, columns, signal) {
      await run(`LOCK TABLE ${print(target)} IN SHARE ROW EXCLUSIVE MODE`, signal);
      const hasNull = (await select(printNullKey(fresh, merge.key), signal)).length > 0;
      return [...printMerge(fresh, target, merge, columns, hasNull), `DROP TABLE ${print(fresh)}`];
    },
    leftovers: null,
  };
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
  const found = await findPublished(statements, NAMES, target, signal);
  if (found === null) return rename(statements, [fresh, target], signal);
  if (found === 'table') {
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
    await run(`DROP ${found} ${print(target)}`, signal);
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
  const [[own] = []] = await select(printColumns(fresh), signal);
  const [[old] = []] = await select(printColumns(target), signal);
  return own === old;
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
