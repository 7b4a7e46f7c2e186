import { checkLoss } from '../../contract/belongings.ts';
import { checkKey, checkNoNull } from '../../contract/check-key.ts';
import type { TableChanges, TypedColumn, WidenedColumn } from '../../contract/column-changes.ts';
import { DatabaseError, type PublishedName, type Publishing } from '../../contract/connection.ts';
import type { Run } from '../../contract/run-inner.ts';
import { findPublished, ServerPublishing } from '../../server/publishing.ts';
import {
  type PublishingPlatform,
  printStaged,
  type StagedRows,
  type Statements,
} from '../../server/publishing-platform.ts';
import { ASIDE, type LeftObject } from '../relations/scratch-schema.ts';
import { describeTypes } from '../relations/typed-query.ts';
import { createAbilities } from './abilities.ts';
import { readView } from './definitions.ts';
import {
  hashTarget,
  NAMES,
  print,
  printAllStates,
  printAlter,
  printHistory,
  printMerge,
  printMerged,
  printNames,
  printNullKey,
  printSchema,
  printTakenKey,
  quoteName,
  quoteText,
  TYPE_RULES,
} from './publishing-sql.ts';
import { createHidden, type Hidden, Tables } from './tables.ts';

interface TrinoPublishingOptions {
  readonly run: Run;
  /** Runs statements while a statement of the session runs. */
  readonly aside: Run;
  readonly state: { readonly catalog: string | null; readonly schema: string | null };
}

/**
 * Publishes where each statement is a transaction and nothing can be locked: a catalog that can replace a table does so
 * in one statement; in others, a filled table takes the name of the target. The names of hidden objects tell their
 * owner, so that those of a killed process are dropped.
 */
export function createTrinoPublishing({ run, aside, state }: TrinoPublishingOptions): Publishing {
  return new ServerPublishing(run, (statements) => describePlatform(statements, { run, aside, state }));
}

function describePlatform(
  statements: Statements,
  { run: runAny, aside, state }: TrinoPublishingOptions,
): PublishingPlatform {
  const { run, select } = statements;
  const hidden = createHidden(aside);
  const abilities = createAbilities(statements, (target) => hidden.name(target, 'probe'));
  const tables = new Tables(statements, { runAny, hidden, abilities });
  return {
    names: NAMES,
    // The connection may name them in any case.
    readCurrent: async () => [state.catalog, state.schema].map((name) => name && NAMES.fold(name, null)),
    check: abilities.check,
    replaceAtOnce: (target, query, signal) => tables.replaceAtOnce(target, query, signal),
    async exclusively(target, _signal, work) {
      try {
        return await work();
      } finally {
        await hidden.placeOf(target).end();
      }
    },
    async createSchema(target, signal) {
      await run(`CREATE SCHEMA IF NOT EXISTS ${printSchema(target)}`, signal);
    },
    nameFresh: (target) => hidden.name(target, 'new'),
    fill: (fresh, { query }, signal) => tables.fill(fresh, query, signal),
    addPrimaryKey: (fresh, { name }, primary, signal) =>
      checkRows(statements, [fresh, name], primary, signal),
    swap: (fresh, target, signal) => tables.swap(fresh, target, signal),
    replaceView: (target, query, signal) =>
      replaceByView(statements, { hidden, tables }, [target, query], signal),
    readViewOptions: null,
    async describeColumns(target, query, signal) {
      const added = await describeTypes(runAny, query, signal);
      const stored = await tables.listColumns(target, signal);
      return { stored, added, rules: TYPE_RULES, fold: (name) => NAMES.fold(name, null) };
    },
    stateType: TYPE_RULES.stateType,
    alter: (fresh, target, changes, signal) => alter(statements, tables, [fresh, target], changes, signal),
    async stage(fresh, target, rows, signal) {
      await hidden.placeOf(fresh).holdName(fresh.name, signal);
      await stage(statements, [fresh, target], rows, signal);
    },
    async checkPrimaryKey(fresh, target, { primary, key }, signal) {
      await checkRows(statements, [fresh, target.name], primary, signal);
      const [takenKey] = await select(printTakenKey(fresh, target, primary, key), signal);
      if (takenKey !== undefined) throw createTakenError(target, primary, takenKey[0]!);
    },
    transact: (_signal, work) => work(),
    async prepareMerge(source, target, merge, columns, signal) {
      const hasNull = (await select(printNullKey(source, merge.key), signal)).length > 0;
      const rows = { ...merge, source, target, columns, hasNull };
      if (await abilities.merges(target, signal)) return [printMerge(rows)];
      await tables.rebuild(target, printMerged(rows, await tables.listColumns(target, signal)), signal);
      return [];
    },
    async prepareStates(states, target, signal) {
      if (await abilities.merges(target, signal)) return [printHistory(states)];
      await tables.rebuild(target, printAllStates(states, await tables.listColumns(target, signal)), signal);
      return [];
    },
    leftovers: {
      async clear(target, signal) {
        const leftObjects = await hidden.placeOf(target).sweep(signal);
        await restore(statements, leftObjects, target, signal);
      },
      // The end of the exclusive work drops them.
      dropFresh: async () => {},
      dropStaged: async () => {},
    },
  };
}

/** Changes the columns of a table, to types that its catalog stores: those of the table with the new rows. */
async function alter(
  { run }: Statements,
  tables: Tables,
  [fresh, target]: readonly [fresh: PublishedName, target: PublishedName],
  { added, widened, dropped }: TableChanges,
  signal: AbortSignal,
): Promise<void> {
  const types = new Map((await tables.listColumns(fresh, signal)).map(({ name, type }) => [name, type]));
  const toStored = <T extends TypedColumn>(column: T): T => ({
    ...column,
    type: types.get(column.name) ?? column.type,
  });
  // A catalog may refuse a wider type, so this comes first.
  for (const column of widened.map(toStored)) {
    const [statement] = printAlter(target, { added: [], widened: [column], dropped: [] });
    await run(statement!, signal).catch((error: unknown) => {
      throw explainType(error, column);
    });
  }
  const changes = { added: added.map(toStored), widened: [], dropped };
  for (const statement of printAlter(target, changes)) await run(statement, signal);
}

/** Iceberg reports a type that it cannot change as a conflict. */
function explainType(error: unknown, { name, from, type }: WidenedColumn): unknown {
  if (!(error instanceof DatabaseError) || (error.code !== 'sql' && error.code !== 'conflict')) return error;
  const advice = 'cast it to the type of the table, or build the table again with `fullRefresh=true`';
  const message = `the catalog cannot change \`${name}\` from ${from} to ${type} (${error.message}): ${advice}`;
  return new DatabaseError('sql', message, undefined, { cause: error });
}

/** Stores new rows in a table. */
async function stage(
  { around, run }: Statements,
  [fresh, target]: readonly [fresh: PublishedName, target: PublishedName],
  rows: StagedRows,
  signal: AbortSignal,
): Promise<void> {
  const columns = printStaged(rows, quoteName);
  await run(`CREATE TABLE ${print(fresh)} AS SELECT ${columns} FROM ${print(target)} WITH NO DATA`, signal);
  const names = printNames(rows.changes.written.map(({ table }) => table));
  const [before, after] = rows.guard;
  await around([`INSERT INTO ${print(fresh)} (${names}) ${before}`, rows.query, after], signal);
}

/** Checks the primary key of new rows. Rejects with a DatabaseError. */
async function checkRows(
  { run }: Statements,
  [fresh, name]: readonly [fresh: PublishedName, name: string],
  primary: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const rows = { source: print(fresh), name, key: primary };
  await checkNoNull(run, NAMES, rows, 'primary key', signal);
  await checkKey(run, NAMES, rows, signal);
}

function createTakenError({ name }: PublishedName, primary: readonly string[], value: string): DatabaseError {
  const message = `A new row of ${quoteName(name)} has the primary key ${value} of another row (${primary.join(', ')}).`;
  return new DatabaseError('sql', message);
}

/** Gives a target its name back if a process was killed after it had put it aside. */
async function restore(
  statements: Statements,
  leftObjects: readonly LeftObject[],
  target: PublishedName,
  signal: AbortSignal,
): Promise<void> {
  const asideObject = leftObjects.find(({ purpose }) => purpose.startsWith(`${ASIDE}_${hashTarget(target)}`));
  if (asideObject === undefined) return;
  const { type } = asideObject;
  const isMissing = (await findPublished(statements, NAMES, target, signal)) === null;
  const name = print({ ...target, name: asideObject.name });
  await statements.run(
    isMissing ? `ALTER ${type} ${name} RENAME TO ${print(target)}` : `DROP ${type} ${name}`,
    signal,
  );
}

const never = new AbortController().signal;

interface ViewTools {
  readonly hidden: Hidden;
  readonly tables: Tables;
}

/** Replaces any object with a view. Rejects with a DatabaseError if something would be lost with a table. */
async function replaceByView(
  statements: Statements,
  { hidden, tables }: ViewTools,
  [target, query]: readonly [target: PublishedName, query: string],
  signal: AbortSignal,
): Promise<void> {
  const existingKind = await findPublished(statements, NAMES, target, signal);
  if (existingKind === 'view') return replaceView(statements, tables, [target, query], signal);
  if (existingKind === null) {
    await tables.create(`CREATE OR REPLACE VIEW ${print(target)}`, query, signal);
    return;
  }
  checkLoss(print(target), await tables.listBelongings(target, signal), 'view');
  // A view that cannot be created must not cost the table.
  const fresh = hidden.name(target, 'view');
  await tables.create(`CREATE VIEW ${print(fresh)}`, query, signal);
  await statements.run(`DROP VIEW ${print(fresh)}`, signal);
  const create = () => tables.create(`CREATE VIEW ${print(target)}`, query, never);
  await tables.putInPlace(target, signal, create);
}

/** Gives a view another query; its comments and its security stay. */
async function replaceView(
  statements: Statements,
  tables: Tables,
  [target, query]: readonly [target: PublishedName, query: string],
  signal: AbortSignal,
): Promise<void> {
  const { options, comments } = await readView(statements, target, signal);
  await tables.create(`CREATE OR REPLACE VIEW ${print(target)} ${options}`, query, signal);
  if (comments.size === 0) return;
  for (const { name } of await tables.listColumns(target, never)) {
    const comment = comments.get(name);
    if (comment === undefined) continue;
    const column = `${print(target)}.${quoteName(name)}`;
    await statements.run(`COMMENT ON COLUMN ${column} IS ${quoteText(comment)}`, never);
  }
}
