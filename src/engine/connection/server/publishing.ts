import { type ColumnsToFit, fitColumns, listLongTexts } from '../contract/check-columns.ts';
import { checkKey } from '../contract/check-key.ts';
import {
  DatabaseError,
  type FileFormat,
  type Merge,
  type PublishedName,
  type Publishing,
  type TableKeys,
} from '../contract/connection.ts';
import { type Run, readTexts, runAround, withoutOffsets } from '../contract/run-inner.ts';
import { writeThroughDuckDb } from '../duckdb/write-through-duckdb.ts';
import { describeQuery } from './describe-query.ts';
import type {
  NamePrinter,
  PublishingNames,
  PublishingPlatform,
  QueryGuard,
  StagedRows,
  Statements,
  StoredRows,
} from './publishing-platform.ts';

/**
 * Publishes on a server, so that other users see all of a publication or nothing: tables are filled under another name
 * and then swapped with the target; new rows are stored in a table, checked, and merged in one transaction.
 */
export class ServerPublishing implements Publishing {
  /** Names have already been folded. */
  readonly ignoresCase = false;
  /** For SQL of the user, in which errors have an offset. */
  readonly #runAny: Run;
  readonly #statements: Statements;
  readonly #platform: PublishingPlatform;
  readonly #printer: NamePrinter;
  readonly check: Publishing['check'];

  constructor(run: Run, describePlatform: (statements: Statements) => PublishingPlatform) {
    this.#runAny = run;
    this.#statements = createStatements(run);
    this.#platform = describePlatform(this.#statements);
    this.#printer = this.#platform.names.printer;
    this.check = this.#platform.check;
  }

  async resolve(schema: string | null, name: string, signal: AbortSignal): Promise<PublishedName> {
    const { names, readCurrent } = this.#platform;
    const [database = null, current, folding = null] = await readCurrent(signal);
    const schemaName = schema === null ? current : names.fold(schema, folding);
    if (database === null && names.noDatabase !== null) throw new DatabaseError('sql', names.noDatabase);
    if (!schemaName) {
      const message = `The session has no current ${names.schemaWord}: say which one in \`:schema\`.`;
      throw new DatabaseError('sql', message);
    }
    return { database: database ?? '', schema: schemaName, name: names.fold(name, folding) };
  }

  async hasSchema(target: PublishedName, signal: AbortSignal): Promise<boolean> {
    const rows = await this.#statements.select(this.#platform.names.printFindSchema(target), signal);
    return rows.some(([schema]) => schema === target.schema);
  }

  find(target: PublishedName, signal: AbortSignal): Promise<'table' | 'view' | null> {
    return findPublished(this.#statements, this.#platform.names, target, signal);
  }

  async replaceTable(
    target: PublishedName,
    query: string,
    keys: TableKeys,
    signal: AbortSignal,
  ): Promise<number | null> {
    if (keys.primary.length + keys.unique.length === 0) {
      const replaced = await this.#replaceAtOnce(target, query, signal);
      if (replaced !== null) return replaced.count;
    }
    let storedRows: StoredRows = { count: null };
    await this.#replace(target, signal, async (fresh) => {
      storedRows = await this.#platform.fill(fresh, { query, key: keys.primary }, signal);
      const { primary, unique } = await this.#matchKeys(fresh, keys, signal);
      if (unique.length > 0) await this.#checkKey(fresh, target, unique, signal);
      if (primary.length > 0) await this.#platform.addPrimaryKey?.(fresh, target, primary, signal);
    });
    return storedRows.count;
  }

  replaceView(target: PublishedName, query: string, signal: AbortSignal): Promise<void> {
    const { exclusively, readViewOptions, replaceView } = this.#platform;
    if (replaceView === null) {
      return this.#replace(target, signal, async (fresh) => {
        const [before, after] = (await readViewOptions?.(target, signal)) ?? ['', ''];
        const create = `CREATE ${before} VIEW ${this.#printer.print(fresh)} AS `;
        await this.#statements.around([create, query, after], signal);
      });
    }
    return exclusively(target, signal, async () => {
      await this.#makeSchema(target, signal);
      await replaceView(target, query, signal);
    });
  }

  append(
    target: PublishedName,
    query: string,
    primary: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const { print, printNames } = this.#printer;
    const { checkPrimaryKey, exclusively, leftovers, nameFresh, names, stage } = this.#platform;
    return exclusively(target, signal, async () => {
      const { columns, guard } = await this.#fitColumns(target, query, signal);
      const insert = `INSERT INTO ${print(target)} (${printNames(columns)}) `;
      if (checkPrimaryKey === null || primary.length === 0) {
        await this.#statements.around([insert + guard[0], query, guard[1]], signal);
        return;
      }
      const fresh = nameFresh(target);
      try {
        await stage(fresh, target, { query, key: primary, columns, guard }, signal);
        const keys = { primary: names.matchColumns(primary, columns), key: [] };
        await checkPrimaryKey(fresh, target, keys, signal);
        await this.#statements.run(`${insert}SELECT ${printNames(columns)} FROM ${print(fresh)}`, signal);
      } finally {
        await leftovers?.dropStaged(fresh);
      }
    });
  }

  merge(target: PublishedName, query: string, merge: Merge, signal: AbortSignal): Promise<void> {
    const { exclusively, leftovers, nameFresh } = this.#platform;
    const fresh = nameFresh(target);
    return exclusively(target, signal, async () => {
      try {
        await this.#mergeThrough(fresh, target, query, merge, signal);
      } finally {
        await leftovers?.dropStaged(fresh);
      }
    });
  }

  async #mergeThrough(
    fresh: PublishedName,
    target: PublishedName,
    query: string,
    merge: Merge,
    signal: AbortSignal,
  ): Promise<void> {
    const { checkPrimaryKey, names, prepareMerge, stage, transact } = this.#platform;
    const { columns, guard } = await this.#fitColumns(target, query, signal);
    await stage(fresh, target, { query, key: merge.key, columns, guard }, signal);
    const key = names.matchColumns(merge.key, columns);
    const changes = merge.changes && names.matchColumns(merge.changes, columns);
    await this.#checkKey(fresh, target, key, signal);
    if (merge.primary !== undefined && merge.primary.length > 0) {
      const primary = names.matchColumns(merge.primary, columns);
      await checkPrimaryKey?.(fresh, target, { primary, key }, signal);
    }
    await transact(signal, async () => {
      const statements = await prepareMerge(fresh, target, { key, changes }, columns, signal);
      for (const statement of statements) await this.#statements.run(statement, signal);
    });
  }

  /** The columns of the target that new rows have, in their order. Rejects if the target would change a value. */
  async #fitColumns(
    target: PublishedName,
    query: string,
    signal: AbortSignal,
  ): Promise<Pick<StagedRows, 'columns' | 'guard'>> {
    const described = await this.#platform.describeColumns(target, query, signal);
    const columns = fitColumns({ ...described, table: target.name });
    return { columns, guard: printGuard(described, this.#platform.names) };
  }

  transact<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.#platform.transact(signal, work);
  }

  async writeFile(query: string, file: string, format: FileFormat, signal: AbortSignal): Promise<void> {
    await writeThroughDuckDb(await this.#runAny(query, signal), file, format, signal);
  }

  /** Null if the target cannot be replaced by one statement. */
  async #replaceAtOnce(
    target: PublishedName,
    query: string,
    signal: AbortSignal,
  ): Promise<StoredRows | null> {
    const { exclusively, leftovers, replaceAtOnce } = this.#platform;
    if (replaceAtOnce === null) return null;
    let storedRows: StoredRows | null = null;
    await exclusively(target, signal, async () => {
      await this.#makeSchema(target, signal);
      await leftovers?.clear(target, signal);
      storedRows = await replaceAtOnce(target, query, signal);
    });
    return storedRows;
  }

  /** Replaces the target with what `make` creates under the given name. */
  #replace(
    target: PublishedName,
    signal: AbortSignal,
    make: (fresh: PublishedName) => Promise<void>,
  ): Promise<void> {
    const { exclusively, leftovers, nameFresh, swap } = this.#platform;
    const fresh = nameFresh(target);
    return exclusively(target, signal, async () => {
      await this.#makeSchema(target, signal);
      await leftovers?.clear(target, signal);
      try {
        await make(fresh);
        await swap(fresh, target, signal);
      } catch (error) {
        await leftovers?.dropFresh(fresh);
        throw error;
      }
    });
  }

  async #makeSchema(target: PublishedName, signal: AbortSignal): Promise<void> {
    if (!(await this.hasSchema(target, signal))) await this.#platform.createSchema(target, signal);
  }

  async #matchKeys(table: PublishedName, keys: TableKeys, signal: AbortSignal): Promise<TableKeys> {
    if (keys.primary.length + keys.unique.length === 0) return keys;
    const rows = `SELECT * FROM ${this.#printer.print(table)}`;
    const columns = (await describeQuery(this.#statements.run, rows, signal)).map(({ name }) => name);
    const { matchColumns } = this.#platform.names;
    return { primary: matchColumns(keys.primary, columns), unique: matchColumns(keys.unique, columns) };
  }

  #checkKey(source: PublishedName, { name }: PublishedName, key: readonly string[], signal: AbortSignal) {
    const rows = { source: this.#printer.print(source), name, key };
    return checkKey(this.#statements.run, this.#platform.names, rows, signal);
  }
}

/**
 * Around a query: gives each text that is too long for its column another character than a blank at the end, because the
 * server would store it without its blanks at the end. So it refuses the row.
 */
function printGuard(described: Omit<ColumnsToFit, 'table'>, { quoteName }: PublishingNames): QueryGuard {
  const longTexts = listLongTexts(described);
  if (longTexts.size === 0) return ['', ''];
  const columns = described.added.map(({ name, type }) => {
    // In a sub-query, PostgreSQL gives a bare NULL the type text.
    if (type === described.rules.untyped) return 'NULL';
    const [column, length] = [quoteName(name), longTexts.get(name)];
    if (length === undefined) return column;
    return `CASE WHEN char_length(${column}) > ${length} THEN concat(${column}, '.') ELSE ${column} END`;
  });
  return [`SELECT ${columns.join(', ')} FROM (`, ') AS quern_query'];
}

function createStatements(runAny: Run): Statements {
  const run = withoutOffsets(runAny);
  return {
    around: (parts, signal) => runAround(runAny, parts, signal),
    describe: async (query, signal) => (await describeQuery(runAny, query, signal)).map(({ name }) => name),
    run,
    select: async (statement, signal) => readTexts(await run(statement, signal)),
  };
}

/** The kind of object with this name, ignoring temporary objects. */
export async function findPublished(
  { select }: Statements,
  { printFind }: PublishingNames,
  target: PublishedName,
  signal: AbortSignal,
): Promise<'table' | 'view' | null> {
  const rows = await select(printFind(target), signal);
  const row = rows.find(([, schema, name]) => schema === target.schema && name === target.name);
  if (row === undefined) return null;
  return row[0] === 'view' ? 'view' : 'table';
}
