import { checkKey, type KeyDialect } from '../contract/check-key.ts';
import {
  DatabaseError,
  type FileFormat,
  type Merge,
  type PublishedName,
  type Publishing,
  type TableKeys,
} from '../contract/connection.ts';
import { createTransact, type Run, readTexts, runAround, withoutOffsets } from '../contract/run-inner.ts';
import { writeThroughDuckDb } from '../duckdb/write-through-duckdb.ts';
import { describeQuery, NO_ROWS } from './describe-query.ts';
import type { SessionState } from './exchange.ts';
import {
  nameAside,
  print,
  printColumns,
  printFind,
  printFindSchema,
  printLock,
  printLongColumns,
  printLoosen,
  printMerge,
  printNames,
  printSource,
  quoteName,
} from './publishing-sql.ts';
import type { TemporaryTables } from './temporary-tables.ts';

const KEYS: KeyDialect = {
  quoteName,
  printValue: (column) => `IFNULL(CONVERT(${quoteName(column)}, CHAR), 'NULL')`,
};
/** Servers have a single catalog. */
const CATALOG = 'def';
/** Maximum time to wait for another publication of the same target, in seconds. */
const PATIENCE = 31_536_000;

const never = new AbortController().signal;

/**
 * Publishes where DDL ends a transaction: tables and views are created under other names, and replace the existing
 * objects with one atomic rename. Rows are added to tables in one transaction, or in the user's.
 */
export class MysqlPublishing implements Publishing {
  /** The server has already folded names if it ignores case. */
  readonly ignoresCase = false;
  /** For SQL of the user, in which errors have an offset. */
  readonly #runAny: Run;
  readonly #run: Run;
  readonly #state: SessionState;
  readonly #temporary: TemporaryTables;

  constructor(run: Run, state: SessionState, temporary: TemporaryTables) {
    this.#runAny = run;
    this.#run = withoutOffsets(run);
    this.#state = state;
    this.#temporary = temporary;
  }

  async #select(statement: string, signal: AbortSignal): Promise<readonly (readonly (string | null)[])[]> {
    return readTexts(await this.#run(statement, signal));
  }

  async resolve(schema: string | null, name: string, signal: AbortSignal): Promise<PublishedName> {
    const [[current, folds] = []] = await this.#select(
      "SELECT DATABASE(), IF(@@lower_case_table_names = 0, '', 'yes')",
      signal,
    );
    const found = schema ?? current;
    if (!found) {
      throw new DatabaseError('sql', 'The session has no current database: say which one in `:schema`.');
    }
    const fold = (own: string) => (folds === '' ? own : own.toLowerCase());
    return { database: CATALOG, schema: fold(found), name: fold(name) };
  }

  async hasSchema(target: PublishedName, signal: AbortSignal): Promise<boolean> {
    const rows = await this.#select(printFindSchema(target), signal);
    // Name lists are compared ignoring case.
    return rows.some(([schema]) => schema === target.schema);
  }

  async find(target: PublishedName, signal: AbortSignal): Promise<'table' | 'view' | null> {
    const rows = await this.#select(printFind(target), signal);
    const row = rows.find(([, schema, name]) => schema === target.schema && name === target.name);
    if (row === undefined) return null;
    return row[0]!.endsWith('VIEW') ? 'view' : 'table';
  }

  replaceTable(target: PublishedName, query: string, keys: TableKeys, signal: AbortSignal): Promise<void> {
    const { primary, unique } = keys;
    return this.#replace(target, signal, async (fresh) => {
      const [before, after] = NO_ROWS;
      await runAround(this.#runAny, [`CREATE TABLE ${print(fresh)} AS ${before}`, query, after], signal);
      const columns = await this.#select(printColumns(fresh), signal);
      await this.#run(printLoosen(fresh, columns, primary), signal);
      await runAround(this.#runAny, [`INSERT INTO ${print(fresh)} `, query], signal);
      if (unique.length > 0) await this.#checkKey(fresh, target, unique, signal);
    });
  }

  replaceView(target: PublishedName, query: string, signal: AbortSignal): Promise<void> {
    return this.#replace(target, signal, async (fresh) => {
      await runAround(this.#runAny, [`CREATE VIEW ${print(fresh)} AS `, query], signal);
    });
  }

  append(target: PublishedName, query: string, signal: AbortSignal): Promise<void> {
    return this.#publish(target, signal, async () => {
      const columns = await describeQuery(this.#runAny, query, signal);
      const names = printNames(columns.map(({ name }) => name));
      await runAround(this.#runAny, [`INSERT INTO ${print(target)} (${names}) `, query], signal);
    });
  }

  merge(target: PublishedName, query: string, merge: Merge, signal: AbortSignal): Promise<void> {
    const { fresh } = nameAside(target);
    return this.#publish(target, signal, async () => {
      try {
        await this.#merge(target, query, merge, signal);
      } finally {
        await this.#run(`DROP TEMPORARY TABLE IF EXISTS ${print(fresh)}`, never).catch(() => {});
        this.#temporary.drop(fresh);
      }
    });
  }

  async #merge(target: PublishedName, query: string, merge: Merge, signal: AbortSignal): Promise<void> {
    const { fresh } = nameAside(target);
    const columns = (await describeQuery(this.#runAny, query, signal)).map(({ name }) => name);
    const long = await this.#select(printLongColumns(target), signal);
    const longNames = new Set(long.map(([name]) => name!.toLowerCase()));
    await this.#run(printSource(fresh, target, columns, merge.key, longNames), signal);
    await runAround(this.#runAny, [`INSERT INTO ${print(fresh)} (${printNames(columns)}) `, query], signal);
    await this.#checkKey(fresh, target, merge.key, signal);
    await createTransact(this.#run, () => this.#state.inTransaction)(signal, async () => {
      for (const statement of printMerge(fresh, target, merge, columns)) await this.#run(statement, signal);
    });
  }

  async writeFile(query: string, file: string, format: FileFormat, signal: AbortSignal): Promise<void> {
    await writeThroughDuckDb(await this.#runAny(query, signal), file, format, signal);
  }

  /** Publications of the same target wait for one another, in this process and others. */
  async #publish(target: PublishedName, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    this.#checkHidden(target);
    const lock = printLock(target);
    const [[got] = []] = await this.#select(`SELECT CONCAT(GET_LOCK(${lock}, ${PATIENCE}))`, signal);
    if (got !== '1') throw new DatabaseError('sql', `The server gives no lock to publish ${print(target)}.`);
    try {
      await work();
    } finally {
      await this.#select(`SELECT CONCAT(RELEASE_LOCK(${lock}))`, never).catch(() => {});
    }
  }

  /** A temporary table would hide the target. */
  #checkHidden({ schema, name }: PublishedName): void {
    const isHiding = this.#temporary.all.some((own) => own.schema === schema && own.name === name);
    if (!isHiding) return;
    const message = `The temporary table ${quoteName(name)} hides what is published: give one of them another name.`;
    throw new DatabaseError('sql', message);
  }

  /** Replaces the target with what `make` creates under the given name. */
  #replace(
    target: PublishedName,
    signal: AbortSignal,
    make: (fresh: PublishedName) => Promise<void>,
  ): Promise<void> {
    const { fresh, gone } = nameAside(target);
    return this.#publish(target, signal, async () => {
      if (!(await this.hasSchema(target, signal))) {
        await this.#run(`CREATE DATABASE IF NOT EXISTS ${quoteName(target.schema)}`, signal);
      }
      await this.#dropAll([fresh, gone], signal);
      try {
        await make(fresh);
        await this.#swap(target, signal);
      } catch (error) {
        await this.#dropAll([fresh], never).catch(() => {});
        throw error;
      }
    });
  }

  async #swap(target: PublishedName, signal: AbortSignal): Promise<void> {
    const { fresh, gone } = nameAside(target);
    const found = await this.find(target, signal);
    if (found === null) return this.#rename([[fresh, target]], signal);
    await this.#rename(
      [
        [target, gone],
        [fresh, target],
      ],
      signal,
    );
    try {
      // The new object may have read the old one, which other sessions may still lock.
      await this.#select(`SELECT '' FROM ${print(target)} LIMIT 0`, never);
      await this.#dropAll([gone], never);
    } catch (error) {
      await this.#rename(
        [
          [target, fresh],
          [gone, target],
        ],
        never,
      );
      throw error;
    }
  }

  async #rename(
    pairs: readonly (readonly [from: PublishedName, to: PublishedName])[],
    signal: AbortSignal,
  ): Promise<void> {
    const renamed = pairs.map(([from, to]) => `${print(from)} TO ${print(to)}`);
    await this.#run(`RENAME TABLE ${renamed.join(', ')}`, signal);
  }

  async #dropAll(names: readonly PublishedName[], signal: AbortSignal): Promise<void> {
    for (const name of names) {
      const found = await this.find(name, signal);
      if (found !== null) await this.#run(`DROP ${found} ${print(name)}`, signal);
    }
  }

  #checkKey(source: PublishedName, { name }: PublishedName, key: readonly string[], signal: AbortSignal) {
    return checkKey(this.#run, KEYS, { source: print(source), name, key }, signal);
  }
}
