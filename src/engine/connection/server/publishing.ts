import { type ColumnsToFit, checkChanges, compareColumns, listLongTexts } from '../contract/check-columns.ts';
import { checkKey, checkNoNull } from '../contract/check-key.ts';
import { type ColumnChanges, listMerged } from '../contract/column-changes.ts';
import {
  type AddedRows,
  DatabaseError,
  type FileFormat,
  type HistoryRows,
  type Merge,
  type PublishedName,
  type Publishing,
  type TableKeys,
} from '../contract/connection.ts';
import { checkStates, listCompared, startHistory } from '../contract/history.ts';
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
      if (keys.isWhole === true) await this.#checkNoNull(fresh, target, unique, signal);
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

  async compareColumns(
    target: PublishedName,
    query: string,
    rows: AddedRows | Merge | HistoryRows,
    signal: AbortSignal,
  ): Promise<ColumnChanges> {
    return (await this.#compare([target, query], rows, signal)).changes;
  }

  append(target: PublishedName, query: string, rows: AddedRows, signal: AbortSignal): Promise<ColumnChanges> {
    const { print, printNames } = this.#printer;
    const { checkPrimaryKey, exclusively, names } = this.#platform;
    return exclusively(target, signal, async () => {
      const fitting = await this.#fit([target, query], rows, signal);
      const { changes, guard } = fitting;
      const columns = changes.written.map(({ table }) => table);
      const insert = `INSERT INTO ${print(target)} (${printNames(columns)}) `;
      const { primary = [] } = rows;
      const isChecked = checkPrimaryKey !== null && primary.length > 0;
      if (!isChecked && changes.added.length + changes.widened.length + changes.dropped.length === 0) {
        await this.#statements.around([insert + guard[0], query, guard[1]], signal);
        return changes;
      }
      await this.#addStaged([target, query], fitting, signal, {
        key: primary,
        columns,
        check: async (fresh) => {
          const keys = { primary: names.matchColumns(primary, columns), key: [] };
          if (isChecked) await checkPrimaryKey(fresh, target, keys, signal);
        },
        add: async (fresh) => {
          await this.#statements.run(`${insert}SELECT ${printNames(columns)} FROM ${print(fresh)}`, signal);
        },
      });
      return changes;
    });
  }

  merge(target: PublishedName, query: string, merge: Merge, signal: AbortSignal): Promise<ColumnChanges> {
    const { checkPrimaryKey, exclusively, names, prepareMerge } = this.#platform;
    return exclusively(target, signal, async () => {
      const fitting = await this.#fit([target, query], merge, signal);
      const columns = listMerged(fitting.changes);
      const key = names.matchColumns(merge.key, columns);
      const changes = merge.changes && names.matchColumns(merge.changes, columns);
      await this.#addStaged([target, query], fitting, signal, {
        key: merge.key,
        columns,
        check: async (fresh) => {
          await this.#checkKey(fresh, target, key, signal);
          if (merge.primary === undefined || merge.primary.length === 0) return;
          const primary = names.matchColumns(merge.primary, columns);
          await checkPrimaryKey?.(fresh, target, { primary, key }, signal);
        },
        add: (fresh) =>
          this.#transact(() => prepareMerge(fresh, target, { key, changes }, columns, signal), signal),
      });
      return fitting.changes;
    });
  }

  async startHistory(
    target: PublishedName,
    query: string,
    history: HistoryRows,
    signal: AbortSignal,
  ): Promise<number | null> {
    const names = await this.#statements.describe(query, signal);
    const replaceTable: Publishing['replaceTable'] = (...args) => this.replaceTable(...args);
    return startHistory(replaceTable, [target, query, names], history, this.#platform.stateType, signal);
  }

  continueHistory(
    target: PublishedName,
    query: string,
    history: HistoryRows,
    signal: AbortSignal,
  ): Promise<ColumnChanges> {
    const { exclusively, names, prepareStates } = this.#platform;
    return exclusively(target, signal, async () => {
      const fitting = await this.#fit([target, query], history, signal);
      const columns = fitting.changes.written.map(({ table }) => table);
      const key = names.matchColumns(history.key, columns);
      const compared = history.changes && names.matchColumns(history.changes, columns);
      const listStates = (fresh: PublishedName) => ({
        ...listCompared(fitting.changes, key, compared),
        source: this.#printer.print(fresh),
        target: this.#printer.print(target),
        time: history.time,
      });
      await this.#addStaged([target, query], fitting, signal, {
        key,
        columns,
        check: (fresh) => checkStates(this.#statements.run, names, [listStates(fresh), target], signal),
        add: (fresh) => this.#transact(() => prepareStates(listStates(fresh), target, signal), signal),
      });
      return fitting.changes;
    });
  }

  /**
   * Stores new rows in a table, checks them, and adds them to the target. Its columns change after all checks; a column is
   * dropped last, so that nothing is lost if the rows cannot be added.
   */
  async #addStaged(
    [target, query]: readonly [target: PublishedName, query: string],
    { changes, guard }: FittingRows,
    signal: AbortSignal,
    { key, columns, check, add }: StagedWork,
  ): Promise<void> {
    const { alter, leftovers, nameFresh, stage } = this.#platform;
    const { added, widened, dropped } = changes;
    const fresh = nameFresh(target);
    try {
      const rows = { query, key, columns, guard, changes };
      await stage(fresh, target, rows, signal);
      await check(fresh);
      if (added.length + widened.length > 0) await alter(fresh, target, { ...changes, dropped: [] }, signal);
      await add(fresh);
      if (dropped.length > 0) await alter(fresh, target, { added: [], widened: [], dropped }, signal);
    } finally {
      await leftovers?.dropStaged(fresh);
    }
  }

  #transact(prepare: () => Promise<readonly string[]>, signal: AbortSignal): Promise<void> {
    return this.#platform.transact(signal, async () => {
      for (const statement of await prepare()) await this.#statements.run(statement, signal);
    });
  }

  async #compare(
    [target, query]: readonly [target: PublishedName, query: string],
    rows: AddedRows | Merge | HistoryRows,
    signal: AbortSignal,
  ): Promise<{ readonly described: ColumnsToFit; readonly changes: ColumnChanges }> {
    const { describeColumns, names } = this.#platform;
    const described = await describeColumns(target, query, signal);
    return { described, changes: compareColumns(described, rows, names.matchColumns) };
  }

  /** The changes of the target that new rows need. Rejects if the target would change a value. */
  async #fit(
    named: readonly [target: PublishedName, query: string],
    rows: AddedRows | Merge | HistoryRows,
    signal: AbortSignal,
  ): Promise<FittingRows> {
    const { described, changes } = await this.#compare(named, rows, signal);
    checkChanges(named[0].name, changes, rows);
    return { changes, guard: printGuard(described, changes, this.#platform.names) };
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
    return exclusively(target, signal, async () => {
      await this.#makeSchema(target, signal);
      await leftovers?.clear(target, signal);
      return replaceAtOnce(target, query, signal);
    });
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
    return {
      ...keys,
      primary: matchColumns(keys.primary, columns),
      unique: matchColumns(keys.unique, columns),
    };
  }

  #checkKey(source: PublishedName, { name }: PublishedName, key: readonly string[], signal: AbortSignal) {
    const rows = { source: this.#printer.print(source), name, key };
    return checkKey(this.#statements.run, this.#platform.names, rows, signal);
  }

  #checkNoNull(source: PublishedName, { name }: PublishedName, key: readonly string[], signal: AbortSignal) {
    const rows = { source: this.#printer.print(source), name, key };
    return checkNoNull(this.#statements.run, this.#platform.names, rows, 'key', signal);
  }
}

/** New rows that a table can store after its changes. */
interface FittingRows extends Pick<StagedRows, 'guard'> {
  readonly changes: ColumnChanges;
}

/** What happens with staged rows. */
interface StagedWork {
  /** As people write it. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly check: (fresh: PublishedName) => Promise<void>;
  readonly add: (fresh: PublishedName) => Promise<void>;
}

/**
 * Around a query: selects the columns that are stored, and gives each text that is too long for its column another
 * character than a blank at the end, because the server would store it without its blanks at the end. So it refuses the row.
 */
function printGuard(
  described: ColumnsToFit,
  changes: ColumnChanges,
  { quoteName }: PublishingNames,
): QueryGuard {
  const longTexts = listLongTexts(described, changes);
  if (longTexts.size + changes.ignored.length === 0) return ['', ''];
  const types = new Map(described.added.map(({ name, type }) => [name, type]));
  const columns = changes.written.map(({ query: name }) => {
    // In a sub-query, PostgreSQL gives a bare NULL the type text.
    if (types.get(name) === described.rules.untyped) return 'NULL';
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
