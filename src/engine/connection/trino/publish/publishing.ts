import { checkLoss } from '../../contract/belongings.ts';
import { checkKey } from '../../contract/check-key.ts';
import { DatabaseError, type PublishedName, type Publishing } from '../../contract/connection.ts';
import type { Run } from '../../contract/run-inner.ts';
import { findPublished, ServerPublishing } from '../../server/publishing.ts';
import type { PublishingPlatform, Statements } from '../../server/publishing-platform.ts';
import { ASIDE, type LeftObject } from '../relations/scratch-schema.ts';
import { describeTypes } from '../relations/typed-query.ts';
import { createAbilities } from './abilities.ts';
import { readView } from './definitions.ts';
import {
  hashTarget,
  NAMES,
  print,
  printMerge,
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
  const { around, run, select } = statements;
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
        await work();
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
    async stage(fresh, target, { query, columns }, signal) {
      const names = printNames(columns);
      await hidden.placeOf(fresh).holdName(fresh.name, signal);
      await run(`CREATE TABLE ${print(fresh)} AS SELECT ${names} FROM ${print(target)} WITH NO DATA`, signal);
      await around([`INSERT INTO ${print(fresh)} (${names}) `, query], signal);
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
      await tables.rebuild(rows, signal);
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

/** Checks the primary key of new rows. Rejects with a DatabaseError. */
async function checkRows(
  { run, select }: Statements,
  [fresh, name]: readonly [fresh: PublishedName, name: string],
  primary: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const hasNull = (await select(printNullKey(fresh, primary), signal)).length > 0;
  if (!hasNull) return checkKey(run, NAMES, { source: print(fresh), name, key: primary }, signal);
  const message = `The new rows of ${quoteName(name)} have no value in the primary key (${primary.join(', ')}).`;
  throw new DatabaseError('sql', message);
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
