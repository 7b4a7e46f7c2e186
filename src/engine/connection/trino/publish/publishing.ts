import { randomBytes } from 'node:crypto';
import { checkKey } from '../../contract/check-key.ts';
import { DatabaseError, type PublishedName, type Publishing } from '../../contract/connection.ts';
import type { Run } from '../../contract/run-inner.ts';
import { findPublished, ServerPublishing } from '../../server/publishing.ts';
import type { PublishingPlatform, Statements, StoredRows } from '../../server/publishing-platform.ts';
import { ASIDE, type LeftObject, ScratchSchema } from '../relations/scratch-schema.ts';
import { describeTypes, typeNulls, typeTexts } from '../relations/typed-query.ts';
import { type Abilities, createAbilities } from './abilities.ts';
import {
  hashTarget,
  type MergedRows,
  NAMES,
  print,
  printColumns,
  printMerge,
  printMerged,
  printNames,
  printNullKey,
  printSchema,
  printTakenKey,
  quoteName,
  TYPE_RULES,
} from './publishing-sql.ts';
import { rename, replaceByRename } from './swap.ts';

const never = new AbortController().signal;

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
  const tables = createTables(statements, { runAny, hidden, abilities });
  return {
    names: NAMES,
    // The connection may name them in any case.
    readCurrent: async () => [state.catalog, state.schema].map((name) => name && NAMES.fold(name, null)),
    check: abilities.check,
    async replaceAtOnce(target, query, signal) {
      if (!(await tables.isReplaceable(target, signal))) return null;
      return tables.create('CREATE OR REPLACE TABLE', target, query, signal);
    },
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
    swap: tables.swap,
    async replaceView(target, query, signal) {
      if ((await findPublished(statements, NAMES, target, signal)) !== 'table') {
        await tables.create('CREATE OR REPLACE VIEW', target, query, signal);
        return;
      }
      // A view that cannot be created must not cost the table.
      const fresh = hidden.name(target, 'view');
      await tables.create('CREATE VIEW', fresh, query, signal);
      await run(`DROP VIEW ${print(fresh)}`, signal);
      await tables.putInPlace(target, signal, () => tables.create('CREATE VIEW', target, query, never));
    },
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
      const [taken] = await select(printTakenKey(fresh, target, primary, key), signal);
      if (taken !== undefined) throw createTakenError(target, primary, taken[0]!);
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
        const left = await hidden.placeOf(target).sweep(signal);
        await restore(statements, left, target, signal);
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

/** The hidden objects of a session, in the schemas of its targets. */
interface Hidden {
  placeOf(target: PublishedName): ScratchSchema;
  /** The name of a hidden object for a target; `what` and `suffix` are words. */
  name(target: PublishedName, what: string, suffix?: string): PublishedName;
}

function createHidden(aside: Run): Hidden {
  const places = new Map<string, ScratchSchema>();
  const placeOf = ({ database, schema }: PublishedName) => {
    const key = JSON.stringify([database, schema]);
    const place = places.get(key) ?? new ScratchSchema(aside, { catalog: database, schema });
    places.set(key, place);
    return place;
  };
  return {
    placeOf,
    name(target, what, suffix = '') {
      const rest = [what, hashTarget(target), suffix].filter((part) => part !== '').join('_');
      return { ...target, name: placeOf(target).nameOf(rest) };
    },
  };
}

interface TableTools {
  readonly runAny: Run;
  readonly hidden: Hidden;
  readonly abilities: Abilities;
}

/** Fills tables and swaps them with their targets. */
function createTables(statements: Statements, { runAny, hidden, abilities }: TableTools) {
  const { around, run, select } = statements;

  async function create(
    statement: string,
    name: PublishedName,
    query: string,
    signal: AbortSignal,
    type = typeNulls,
  ): Promise<StoredRows> {
    const [before, after] = await type(runAny, query, signal);
    const created = await around([`${statement} ${print(name)} AS ${before}`, query, after], signal);
    return { count: created.kind === 'done' ? created.rowsChanged : null };
  }

  async function fill(fresh: PublishedName, query: string, signal: AbortSignal): Promise<StoredRows> {
    await hidden.placeOf(fresh).holdName(fresh.name, signal);
    // Catalogs that replace tables, such as those of Iceberg, have no texts of a limited length.
    const hasLengths = !(await abilities.replacesTables(fresh, signal));
    return create('CREATE TABLE', fresh, query, signal, hasLengths ? typeTexts : typeNulls);
  }

  /** Puts a target aside while `make` creates it again. */
  function putInPlace(
    target: PublishedName,
    signal: AbortSignal,
    make: () => Promise<unknown>,
  ): Promise<void> {
    return replaceByRename(
      statements,
      { target, aside: hidden.name(target, ASIDE, randomBytes(2).toString('hex')), make },
      signal,
    );
  }

  /** Whether one statement replaces a target, which is a table or does not exist. */
  async function isReplaceable(target: PublishedName, signal: AbortSignal): Promise<boolean> {
    const found = await findPublished(statements, NAMES, target, signal);
    return found !== 'view' && abilities.replacesTables(target, signal);
  }

  async function swap(fresh: PublishedName, target: PublishedName, signal: AbortSignal): Promise<void> {
    const statement = `CREATE OR REPLACE TABLE ${print(target)} AS SELECT * FROM ${print(fresh)}`;
    if (await isReplaceable(target, signal)) await run(statement, signal);
    else await putInPlace(target, signal, () => rename(statements, fresh, target, never));
  }

  async function listColumns(target: PublishedName, signal: AbortSignal) {
    const columns = await select(printColumns(target), signal);
    return columns.map(([name, type]) => ({ name: name!, type: type! }));
  }

  /** For catalogs without MERGE: builds the table with all its rows, and swaps it. */
  async function rebuild(rows: MergedRows, signal: AbortSignal): Promise<void> {
    const { target } = rows;
    const merged = hidden.name(target, 'all');
    await fill(merged, printMerged(rows, await listColumns(target, signal)), signal);
    await swap(merged, target, signal);
  }

  return { create, fill, isReplaceable, listColumns, putInPlace, rebuild, swap };
}

/** Gives a target its name back if a process was killed after it had put it aside. */
async function restore(
  statements: Statements,
  left: readonly LeftObject[],
  target: PublishedName,
  signal: AbortSignal,
): Promise<void> {
  const own = left.find(({ rest }) => rest.startsWith(`${ASIDE}_${hashTarget(target)}`));
  if (own === undefined) return;
  const { type } = own;
  const isMissing = (await findPublished(statements, NAMES, target, signal)) === null;
  const name = print({ ...target, name: own.name });
  await statements.run(
    isMissing ? `ALTER ${type} ${name} RENAME TO ${print(target)}` : `DROP ${type} ${name}`,
    signal,
  );
}
