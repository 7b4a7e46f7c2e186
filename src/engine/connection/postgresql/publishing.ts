import { randomUUID } from 'node:crypto';
import { quoteName, quoteText } from '../../text/sql-quote.ts';
import { checkKey, type KeyDialect } from '../contract/check-key.ts';
import {
  DatabaseError,
  type FileFormat,
  type Merge,
  type PublishedName,
  type Publishing,
  type TableKeys,
} from '../contract/connection.ts';
import {
  createTransact,
  type Run,
  readTexts,
  runAround,
  type Transact,
  withoutOffsets,
} from '../contract/run-inner.ts';
import { writeThroughDuckDb } from '../duckdb/write-through-duckdb.ts';
import { type Select, withoutViews } from './dependent-views.ts';
import { hasState } from './errors.ts';
import {
  fold,
  matchColumns,
  print,
  printColumns,
  printFind,
  printFindSchema,
  printGrants,
  printIsRead,
  printMerge,
  printNames,
  printNullKey,
  printRenameKey,
} from './publishing-sql.ts';

const KEYS: KeyDialect = {
  quoteName,
  printValue: (column) => `coalesce(${quoteName(column)}::text, 'NULL')`,
};
/** SQLSTATE of a view that would lose or change columns. */
const OTHER_COLUMNS = '42P16';

/** Publishes in one transaction each, so that other users see all of it or nothing. */
export class PostgresqlPublishing implements Publishing {
  /** Names have already been folded. */
  readonly ignoresCase = false;
  /** For SQL of the user, in which errors have an offset. */
  readonly #runAny: Run;
  readonly #run: Run;
  readonly #select: Select;
  readonly #transact: Transact;

  /** `isInTransaction` returns whether the user has started a transaction. */
  constructor(run: Run, isInTransaction: () => boolean) {
    this.#runAny = run;
    this.#run = withoutOffsets(run);
    this.#select = async (statement, signal) => readTexts(await this.#run(statement, signal));
    this.#transact = createTransact(this.#run, isInTransaction);
  }

  async resolve(schema: string | null, name: string, signal: AbortSignal): Promise<PublishedName> {
    const [[database, current] = []] = await this.#select(
      'SELECT current_database(), current_schema()',
      signal,
    );
    const found = schema === null ? current : fold(schema);
    if (!found) {
      throw new DatabaseError('sql', 'The session has no current schema: say which one in `:schema`.');
    }
    return { database: database!, schema: found, name: fold(name) };
  }

  async hasSchema(target: PublishedName, signal: AbortSignal): Promise<boolean> {
    return (await this.#select(printFindSchema(target), signal)).length > 0;
  }

  async find(target: PublishedName, signal: AbortSignal): Promise<'table' | 'view' | null> {
    const [row] = await this.#select(printFind(target), signal);
    return row === undefined ? null : (row[0] as 'table' | 'view');
  }

  replaceTable(target: PublishedName, query: string, keys: TableKeys, signal: AbortSignal): Promise<void> {
    return this.#publish(target, signal, async () => {
      const aside = await this.#fill(target, query, signal);
      const columns = await this.#listColumns(aside, signal);
      const primary = matchColumns(keys.primary, columns);
      const unique = matchColumns(keys.unique, columns);
      if (unique.length > 0) await this.#checkKey(aside, target, unique, signal);
      if (primary.length > 0) {
        await this.#run(`ALTER TABLE ${print(aside)} ADD PRIMARY KEY (${printNames(primary)})`, signal);
      }
      const found = await this.find(target, signal);
      if (found === 'table') return this.#swap(aside, target, signal);
      if (found === null) return this.#rename(aside, target, signal);
      await this.#withoutViews(target, signal, async () => {
        await this.#run(`DROP VIEW ${print(target)}`, signal);
        await this.#rename(aside, target, signal);
      });
    });
  }

  replaceView(target: PublishedName, query: string, signal: AbortSignal): Promise<void> {
    return this.#publish(target, signal, async () => {
      if ((await this.find(target, signal)) !== 'table') return this.#createView(target, query, signal);
      await this.#withoutViews(target, signal, async () => {
        await this.#run(`DROP TABLE ${print(target)}`, signal);
        await this.#createView(target, query, signal);
      });
    });
  }

  append(target: PublishedName, query: string, signal: AbortSignal): Promise<void> {
    return this.#publish(target, signal, async () => {
      const columns = await listColumns(this.#runAny, query, signal);
      await runAround(
        this.#runAny,
        [`INSERT INTO ${print(target)} (${printNames(columns)}) `, query],
        signal,
      );
    });
  }

  merge(target: PublishedName, query: string, merge: Merge, signal: AbortSignal): Promise<void> {
    return this.#publish(target, signal, async () => {
      const source = await this.#fill(target, query, signal);
      const columns = await this.#listColumns(source, signal);
      const key = matchColumns(merge.key, columns);
      const changes = merge.changes && matchColumns(merge.changes, columns);
      await this.#checkKey(source, target, key, signal);
      await this.#run(`LOCK TABLE ${print(target)} IN SHARE ROW EXCLUSIVE MODE`, signal);
      const hasNull = await this.#select(printNullKey(source, key), signal);
      for (const statement of printMerge(source, target, { key, changes }, columns, hasNull.length > 0)) {
        await this.#run(statement, signal);
      }
      await this.#run(`DROP TABLE ${print(source)}`, signal);
    });
  }

  async writeFile(query: string, file: string, format: FileFormat, signal: AbortSignal): Promise<void> {
    await writeThroughDuckDb(await this.#runAny(query, signal), file, format, signal);
  }

  /** Publications of the same target wait for one another, in this process and others. */
  #publish(target: PublishedName, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    return this.#transact(signal, async () => {
      await this.#lock(`quern publishes ${print(target)}`, signal);
      if (!(await this.hasSchema(target, signal))) await this.#createSchema(target, signal);
      await work();
    });
  }

  /** Waits for an advisory lock, and keeps it until the transaction ends. */
  async #lock(name: string, signal: AbortSignal): Promise<void> {
    const key = `pg_catalog.hashtext(${quoteText(name)})`;
    await this.#select(`SELECT pg_catalog.pg_advisory_xact_lock(${key})::text`, signal);
  }

  async #createSchema(target: PublishedName, signal: AbortSignal): Promise<void> {
    await this.#lock(`quern makes ${quoteName(target.schema)}`, signal);
    // Another session may have created it meanwhile.
    if (await this.hasSchema(target, signal)) return;
    await this.#run(`CREATE SCHEMA ${quoteName(target.schema)}`, signal);
  }

  /** Creates a table next to the target, with the rows of a query. */
  async #fill(target: PublishedName, query: string, signal: AbortSignal): Promise<PublishedName> {
    const aside = { ...target, name: `quern_${randomUUID().slice(0, 8)}` };
    await runAround(this.#runAny, [`CREATE TABLE ${print(aside)} AS `, query], signal);
    return aside;
  }

  #checkKey(source: PublishedName, { name }: PublishedName, key: readonly string[], signal: AbortSignal) {
    return checkKey(this.#run, KEYS, { source: print(source), name, key }, signal);
  }

  #listColumns(table: PublishedName, signal: AbortSignal): Promise<readonly string[]> {
    return listColumns(this.#run, `SELECT * FROM ${print(table)}`, signal);
  }

  /** Replaces an old table with a filled one, and copies its privileges. */
  async #swap(aside: PublishedName, target: PublishedName, signal: AbortSignal): Promise<void> {
    const isRead = (await this.#select(printIsRead(target), signal)).length > 0;
    if (isRead && (await this.#haveSameColumns(aside, target, signal))) {
      return this.#refill(aside, target, signal);
    }
    for (const [grant] of await this.#select(printGrants(target, aside), signal)) {
      await this.#run(grant!, signal);
    }
    await this.#withoutViews(target, signal, async () => {
      await this.#run(`DROP TABLE ${print(target)}`, signal);
      await this.#rename(aside, target, signal);
    });
  }

  async #haveSameColumns(one: PublishedName, other: PublishedName, signal: AbortSignal): Promise<boolean> {
    const [[own] = []] = await this.#select(printColumns(one), signal);
    const [[old] = []] = await this.#select(printColumns(other), signal);
    return own === old;
  }

  #withoutViews(target: PublishedName, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    return withoutViews(target, { run: this.#run, select: this.#select }, signal, work);
  }

  /** A table that views read is not dropped if its columns stay the same; its rows are replaced. */
  async #refill(aside: PublishedName, target: PublishedName, signal: AbortSignal): Promise<void> {
    await this.#run(`DELETE FROM ${print(target)}`, signal);
    await this.#run(`INSERT INTO ${print(target)} SELECT * FROM ${print(aside)}`, signal);
    await this.#run(`DROP TABLE ${print(aside)}`, signal);
  }

  async #rename(aside: PublishedName, target: PublishedName, signal: AbortSignal): Promise<void> {
    await this.#run(`ALTER TABLE ${print(aside)} RENAME TO ${quoteName(target.name)}`, signal);
    for (const [statement] of await this.#select(printRenameKey(target), signal)) {
      await this.#run(statement!, signal);
    }
  }

  async #createView(target: PublishedName, query: string, signal: AbortSignal): Promise<void> {
    await this.#run('SAVEPOINT quern_view', signal);
    try {
      await runAround(this.#runAny, [`CREATE OR REPLACE VIEW ${print(target)} AS `, query], signal);
    } catch (error) {
      if (!hasState(error, OTHER_COLUMNS)) throw error;
      await this.#run('ROLLBACK TO SAVEPOINT quern_view', signal);
      const grants = await this.#select(printGrants(target, target), signal);
      await this.#withoutViews(target, signal, async () => {
        await this.#run(`DROP VIEW ${print(target)}`, signal);
        await runAround(this.#runAny, [`CREATE VIEW ${print(target)} AS `, query], signal);
      });
      for (const [grant] of grants) await this.#run(grant!, signal);
    }
  }
}

async function listColumns(run: Run, query: string, signal: AbortSignal): Promise<readonly string[]> {
  const before = 'SELECT * FROM (';
  const result = await run(`${before}${query}\n) AS quern_query LIMIT 0`, signal);
  if (result.kind === 'done') return [];
  for await (const _ of result.chunks);
  return result.columns.map(({ name }) => name);
}
