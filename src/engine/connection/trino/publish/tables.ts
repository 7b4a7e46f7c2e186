import { randomBytes } from 'node:crypto';
import { type Belonging, checkLoss } from '../../contract/belongings.ts';
import { DatabaseError, type PublishedName } from '../../contract/connection.ts';
import type { Run } from '../../contract/run-inner.ts';
import { findPublished } from '../../server/publishing.ts';
import type { Statements, StoredRows } from '../../server/publishing-platform.ts';
import { ASIDE, ScratchSchema } from '../relations/scratch-schema.ts';
import { typeNullColumns, typeTexts } from '../relations/typed-query.ts';
import type { Abilities } from './abilities.ts';
import {
  hasColumnsOf,
  listBelongings,
  listColumnBelongings,
  printCopy,
  printOptions,
  readTable,
  type TableDefinition,
} from './definitions.ts';
import { hasErrorName } from './error-names.ts';
import { hashTarget, NAMES, print, printColumns, printReplaceRows } from './publishing-sql.ts';

const never = new AbortController().signal;

interface TableTools {
  readonly runAny: Run;
  readonly hidden: Hidden;
  readonly abilities: Abilities;
}

/** Fills tables and swaps them with their targets, with everything that belongs to these. */
export class Tables {
  readonly #statements: Statements;
  readonly #runAny: Run;
  readonly #hidden: Hidden;
  readonly #abilities: Abilities;

  constructor(statements: Statements, { runAny, hidden, abilities }: TableTools) {
    this.#statements = statements;
    this.#runAny = runAny;
    this.#hidden = hidden;
    this.#abilities = abilities;
  }

  /** Creates an object; `statement` ends with its name and options. */
  async create(
    statement: string,
    query: string,
    signal: AbortSignal,
    type = typeNullColumns,
  ): Promise<StoredRows> {
    const [before, after] = await type(this.#runAny, query, signal);
    const created = await this.#statements.around([`${statement} AS ${before}`, query, after], signal);
    return { count: created.kind === 'done' ? created.rowsChanged : null };
  }

  async fill(fresh: PublishedName, query: string, signal: AbortSignal): Promise<StoredRows> {
    await this.#hidden.placeOf(fresh).holdName(fresh.name, signal);
    // Catalogs that replace tables, such as those of Iceberg, have no texts of a limited length.
    const hasLengths = !(await this.#abilities.replacesTables(fresh, signal));
    return this.create(
      `CREATE TABLE ${print(fresh)}`,
      query,
      signal,
      hasLengths ? typeTexts : typeNullColumns,
    );
  }

  /** Puts a target aside while `make` creates it again. */
  putInPlace(target: PublishedName, signal: AbortSignal, make: () => Promise<unknown>): Promise<void> {
    const aside = this.#hidden.name(target, ASIDE, randomBytes(2).toString('hex'));
    return replaceByRename(this.#statements, { target, aside, make }, signal);
  }

  /** Replaces a table, or creates one; null if no single statement does that and keeps what belongs to the table. */
  async replaceAtOnce(target: PublishedName, query: string, signal: AbortSignal): Promise<StoredRows | null> {
    const { table, isReplaceable } = await this.#readOld(target, signal);
    const isMore = table !== null && listColumnBelongings(table).length > 0;
    return isReplaceable && !isMore ? this.create(printReplace(target, table), query, signal) : null;
  }

  /** Replaces a target with a filled table. Rejects with a DatabaseError if something would be lost. */
  async swap(fresh: PublishedName, target: PublishedName, signal: AbortSignal): Promise<void> {
    const { run } = this.#statements;
    const { table, isReplaceable } = await this.#readOld(target, signal);
    const belongings = table === null ? [] : listColumnBelongings(table);
    if (isReplaceable && belongings.length === 0) {
      await run(`${printReplace(target, table)} AS SELECT * FROM ${print(fresh)}`, signal);
      return;
    }
    if (table === null) return this.#rename(fresh, target, signal);
    const freshTable = await readTable(this.#statements, fresh, signal);
    if (!hasColumnsOf(freshTable, table)) checkLoss(print(target), belongings, 'shape');
    if (isReplaceable && (await this.#abilities.merges(target, signal))) {
      await run(printReplaceRows(fresh, target, freshTable.columns), signal);
      return;
    }
    const replacement =
      listBelongings(table, freshTable).length === 0
        ? fresh
        : await this.#remake(fresh, target, table, signal);
    await this.#rename(replacement, target, signal);
  }

  #rename(replacement: PublishedName, target: PublishedName, signal: AbortSignal): Promise<void> {
    return this.putInPlace(target, signal, () => rename(this.#statements, replacement, target, never));
  }

  /** Moves rows to a table with everything that belongs to the table of the target. */
  async #remake(
    fresh: PublishedName,
    target: PublishedName,
    table: TableDefinition,
    signal: AbortSignal,
  ): Promise<PublishedName> {
    const replacement = this.#hidden.name(target, 'made');
    await this.#hidden.placeOf(replacement).holdName(replacement.name, signal);
    for (const statement of printCopy(table, replacement, fresh))
      await this.#statements.run(statement, signal);
    return replacement;
  }

  /** What a table has that another one with the same columns would not have. */
  async listBelongings(target: PublishedName, signal: AbortSignal): Promise<readonly Belonging[]> {
    const plain = this.#hidden.name(target, 'plain');
    await this.#hidden.placeOf(plain).holdName(plain.name, signal);
    const rows = `SELECT * FROM ${print(target)} WITH NO DATA`;
    await this.#statements.run(`CREATE TABLE ${print(plain)} AS ${rows}`, signal);
    const plainTable = await readTable(this.#statements, plain, signal);
    return listBelongings(await readTable(this.#statements, target, signal), plainTable);
  }

  /** The definition of a target that is a table, and whether one statement replaces the target. */
  async #readOld(
    target: PublishedName,
    signal: AbortSignal,
  ): Promise<{ readonly table: TableDefinition | null; readonly isReplaceable: boolean }> {
    const existingKind = await findPublished(this.#statements, NAMES, target, signal);
    const table = existingKind === 'table' ? await readTable(this.#statements, target, signal) : null;
    const isReplaceable = existingKind !== 'view' && (await this.#abilities.replacesTables(target, signal));
    return { table, isReplaceable };
  }

  async listColumns(
    target: PublishedName,
    signal: AbortSignal,
  ): Promise<readonly { readonly name: string; readonly type: string }[]> {
    const columns = await this.#statements.select(printColumns(target), signal);
    return columns.map(([name, type]) => ({ name: name!, type: type! }));
  }

  /** For catalogs without MERGE: builds the table with all the rows of a query, and swaps it. */
  async rebuild(target: PublishedName, query: string, signal: AbortSignal): Promise<void> {
    const merged = this.#hidden.name(target, 'all');
    await this.fill(merged, query, signal);
    await this.swap(merged, target, signal);
  }
}

/** The start of a statement that replaces a table with one that has the same comment and properties. */
function printReplace(target: PublishedName, table: TableDefinition | null): string {
  return `CREATE OR REPLACE TABLE ${print(target)}${table === null ? '' : printOptions(table)}`;
}

/** A target, which is called `aside` while `make` creates another object of its name. */
interface Swapped {
  readonly target: PublishedName;
  readonly aside: PublishedName;
  readonly make: () => Promise<unknown>;
}

/**
 * Replaces a target, which is missing for a moment. If the new object cannot be created, the old one gets its name back.
 * Rejects with a DatabaseError, `conflict` if others have changed the target at the same time.
 */
async function replaceByRename(
  statements: Statements,
  { target, aside, make }: Swapped,
  signal: AbortSignal,
): Promise<void> {
  if ((await findPublished(statements, NAMES, target, signal)) === null) {
    await make();
    return;
  }
  await rename(statements, target, aside, signal);
  try {
    await make();
  } catch (error) {
    // If that fails, another publication has given the name to something newer.
    await rename(statements, aside, target, never).catch(() => drop(statements, aside));
    throw error;
  }
  await drop(statements, aside);
}

/** Renames a table or view. Rejects with a DatabaseError, `conflict` if others have changed one of the names. */
async function rename(
  statements: Statements,
  from: PublishedName,
  to: PublishedName,
  signal: AbortSignal,
): Promise<void> {
  const type = await findPublished(statements, NAMES, from, signal);
  try {
    await statements.run(`ALTER ${type ?? 'table'} ${print(from)} RENAME TO ${print(to)}`, signal);
  } catch (error) {
    if (!hasErrorName(error, 'TABLE_NOT_FOUND', 'TABLE_ALREADY_EXISTS')) throw error;
    throw new DatabaseError('conflict', 'Another publication has replaced the target.', undefined, {
      cause: error,
    });
  }
}

async function drop(statements: Statements, name: PublishedName): Promise<void> {
  const existingKind = await findPublished(statements, NAMES, name, never);
  if (existingKind !== null) await statements.run(`DROP ${existingKind} ${print(name)}`, never);
}

/** The hidden objects of a session, in the schemas of its targets. */
export interface Hidden {
  placeOf(target: PublishedName): ScratchSchema;
  /** The name of a hidden object for a target; `what` and `suffix` are words. */
  name(target: PublishedName, what: string, suffix?: string): PublishedName;
}

export function createHidden(aside: Run): Hidden {
  const schemas = new Map<string, ScratchSchema>();
  const placeOf = ({ database, schema }: PublishedName) => {
    const key = JSON.stringify([database, schema]);
    const scratchSchema = schemas.get(key) ?? new ScratchSchema(aside, { catalog: database, schema });
    schemas.set(key, scratchSchema);
    return scratchSchema;
  };
  return {
    placeOf,
    name(target, what, suffix = '') {
      const purpose = [what, hashTarget(target), suffix].filter((part) => part !== '').join('_');
      return { ...target, name: placeOf(target).nameOf(purpose) };
    },
  };
}
