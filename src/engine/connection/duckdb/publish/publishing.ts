import { randomUUID } from 'node:crypto';
import { quoteName, quoteText } from '../../../text/sql-quote.ts';
import { type Belonging, checkLoss } from '../../contract/belongings.ts';
import { compareColumns } from '../../contract/check-columns.ts';
import { checkNoNull } from '../../contract/check-key.ts';
import {
  DatabaseError,
  type FileFormat,
  type PublishedName,
  type Publishing,
  type StatementResult,
  type TableKeys,
} from '../../contract/connection.ts';
import { startHistory } from '../../contract/history.ts';
import type { TypeRules } from '../../contract/lossless.ts';
import { readTypes } from '../../contract/read-types.ts';
import {
  type CheckQuery,
  createTransact,
  type Run,
  readTexts,
  runAround,
  type Transact,
  withoutOffsets,
} from '../../contract/run-inner.ts';
import { checkUnique, createAdding, KEY_DIALECT, printTarget } from './add-rows.ts';
import { findObject, hasShapeOf, listBelongings, type NamedObject } from './belongings.ts';
import { type Describe, writeParquet } from './parquet.ts';
import { explainUnquoted, printChecked } from './unquoted-csv.ts';

const never = new AbortController().signal;

const TYPE_RULES: TypeRules = {
  untyped: '"NULL"',
  text: 'VARCHAR',
  stateType: 'TIMESTAMP',
  timeDigits: 6,
  refusesRows: true,
};

/** What publishing knows of its session. */
interface SessionState {
  /** Whether the user has started a transaction. */
  readonly isInTransaction: boolean;
  /** Changes with each statement that may select another database or schema. */
  readonly placeVersion: number;
  /** Changes with each statement of users and of publishing. */
  readonly statementVersion: number;
}

/** Publishes in one transaction each. */
export function createPublishing(
  runAny: Run,
  check: CheckQuery,
  readState: () => SessionState,
  describe: Describe,
): Publishing {
  const run = withoutOffsets(runAny);
  const around = async (parts: Parameters<typeof runAround>[1], signal: AbortSignal) => {
    await check(parts[1], signal);
    return runAround(runAny, parts, signal);
  };
  const transact = createTransact(run, () => readState().isInTransaction);
  const names = createNames(run, () => readState().statementVersion);
  const replacing = { run, around, transact, names };
  const replace = createReplace(replacing);
  /** Compares new rows with the target. Rejects like `around`. */
  const compare: Publishing['compareColumns'] = async (target, query, rows, signal) => {
    const read = async (text: string) => {
      const columns = await describe(text, signal);
      const types = await readTypes(runAny, [text, columns.length], signal);
      return columns.map(({ name }, i) => ({ name, type: types[i]! }));
    };
    await check(query, signal);
    const [added, stored] = [await read(query), await read(`FROM ${printTarget(target)}`)];
    const fold = (name: string) => name.toLowerCase();
    return compareColumns({ stored, added, rules: TYPE_RULES, fold }, rows, (names) => names);
  };
  const replaceTable = createReplaceTable(replacing, replace);
  const readPlace = createPlaceReader(run, () => readState().placeVersion);

  return {
    async resolve(schema, name, signal) {
      const { database, schema: current } = await readPlace(signal);
      return { database, schema: schema ?? current, name };
    },
    ignoresCase: true,
    check: null,
    find: names.find,
    hasSchema: names.hasSchema,
    replaceTable,
    async replaceView(target, query, signal) {
      const comments = await listViewComments(run, target, signal);
      const replaceOwn = () => replace(target, 'view', query, signal);
      if (comments.length === 0) await replaceOwn();
      else {
        await transact(signal, async () => {
          await replaceOwn();
          await writeViewComments(run, target, comments, signal);
        });
      }
    },
    ...createAdding({ run, around, transact }, compare),
    async startHistory(target, query, history, signal) {
      await check(query, signal);
      const names = (await describe(query, signal)).map(({ name }) => name);
      return startHistory(replaceTable, [target, query, names], history, TYPE_RULES.stateType, signal);
    },
    transact,
    writeFile: createWriteFile([runAny, check, describe]),
  };
}

function createWriteFile([run, check, describe]: readonly [
  Run,
  CheckQuery,
  Describe,
]): Publishing['writeFile'] {
  return async (query, file, format, signal) => {
    const options = printCopyOptions(format);
    await check(query, signal);
    if (format.type === 'parquet') {
      const job = { query, file, options, maxRows: Number.POSITIVE_INFINITY };
      await writeParquet([run, describe], job, signal);
      return;
    }
    const [before, after] = printChecked(await describe(query, signal), format);
    const copy = [`COPY (${before}`, query, `${after}) TO ${quoteText(file)} (${options})`] as const;
    await runAround(run, copy, signal).catch((error: unknown) => {
      throw explainUnquoted(error);
    });
  };
}

interface Names extends Pick<Publishing, 'find' | 'hasSchema'> {
  /** The target as `find` has just found it, or after another statement as it is now. */
  readonly recall: (target: PublishedName, signal: AbortSignal) => Promise<NamedObject | null>;
}

/** Finds schemas and objects, which lists all of them. */
function createNames(run: Run, readVersion: () => number): Names {
  let last: { readonly version: number; readonly target: string; readonly found: NamedObject | null } | null =
    null;
  const look = async (target: PublishedName, signal: AbortSignal) => {
    const finding = findObject(run, target, signal);
    const version = readVersion();
    const found = await finding;
    last = { version, target: printTarget(target), found };
    return found;
  };
  return {
    find: async (target, signal) => (await look(target, signal))?.kind ?? null,
    recall: async (target, signal) =>
      last?.version === readVersion() && last.target === printTarget(target)
        ? last.found
        : look(target, signal),
    hasSchema: async (target, signal) =>
      (await readTexts(await run(printFindSchema(target), signal))).length > 0,
  };
}

/** Reads the current database and schema, again only when `readVersion` returns another number. */
function createPlaceReader(run: Run, readVersion: () => number) {
  let cachedPlace: { readonly version: number; readonly database: string; readonly schema: string } | null =
    null;
  return async (signal: AbortSignal): Promise<Pick<PublishedName, 'database' | 'schema'>> => {
    const version = readVersion();
    if (cachedPlace?.version === version) return cachedPlace;
    const rows = await readTexts(await run('SELECT current_catalog, current_schema', signal));
    const [[database, schema] = []] = rows;
    cachedPlace = { version, database: database!, schema: schema! };
    return cachedPlace;
  };
}

interface Replacing {
  readonly run: Run;
  readonly around: (parts: Parameters<typeof runAround>[1], signal: AbortSignal) => Promise<StatementResult>;
  readonly transact: Transact;
  readonly names: Names;
}

/**
 * Creates or replaces an object with one statement, which is a transaction by itself. The statement fails before it runs
 * the query if the schema is missing or an object of the other kind has the name; only then these are looked for.
 * Resolves with the number of rows of a table, if the database reports it.
 */
function createReplace({ run, around, transact, names }: Replacing) {
  return async (target: PublishedName, kind: 'table' | 'view', query: string, signal: AbortSignal) => {
    const replaceOwn = async (): Promise<number | null> => {
      const result = await around([`CREATE OR REPLACE ${kind} ${printTarget(target)} AS `, query], signal);
      return result.kind === 'done' ? (result.rowsStored ?? null) : null;
    };
    try {
      return await replaceOwn();
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== 'sql') throw error;
      // An error of the query can have ended the user's transaction: then neither is found.
      const existingKind = await names.find(target, signal).catch(() => null);
      const isOther = existingKind !== null && existingKind !== kind;
      if (!isOther && (await names.hasSchema(target, signal).catch(() => true))) throw error;
      const schema = [target.database, target.schema].map(quoteName).join('.');
      return transact(signal, async () => {
        await run(`CREATE SCHEMA IF NOT EXISTS ${schema}`, signal);
        if (existingKind === 'table')
          checkLoss(printTarget(target), await listBelongings(run, target, signal), 'view');
        if (isOther) await run(`DROP ${existingKind} ${printTarget(target)}`, signal);
        return replaceOwn();
      });
    }
  };
}

/** Creates or replaces a table; of one that has more than rows, only the rows are replaced. */
function createReplaceTable(
  replacing: Replacing,
  replace: ReturnType<typeof createReplace>,
): Publishing['replaceTable'] {
  const { run, transact, names } = replacing;
  return async (target, query, keys, signal) => {
    const { primary, unique } = keys;
    const found = await names.recall(target, signal);
    const belongings = found === null || found.isPlain ? [] : await listBelongings(run, target, signal);
    if (belongings.length > 0) {
      return transact(signal, () => refill(replacing, [target, belongings], query, keys, signal));
    }
    if (primary.length + unique.length === 0) return replace(target, 'table', query, signal);
    return transact(signal, async () => {
      const rows = await replace(target, 'table', query, signal);
      if (unique.length > 0) await checkUnique(run, [printTarget(target), target], keys, signal);
      if (primary.length === 0) return rows;
      // The engine would accept NULL in the primary key of a table that has rows.
      const rowsOfKey = { source: printTarget(target), name: target.name, key: primary };
      await checkNoNull(run, KEY_DIALECT, rowsOfKey, 'primary key', signal);
      const columns = primary.map(quoteName).join(', ');
      await run(`ALTER TABLE ${printTarget(target)} ADD PRIMARY KEY (${columns})`, signal);
      return rows;
    });
  };
}

/**
 * Replaces the rows of a table, which stays. Resolves with the number of rows. Rejects with a DatabaseError if its
 * columns or its primary key would change.
 */
async function refill(
  { run, around }: Replacing,
  [target, belongings]: readonly [target: PublishedName, belongings: readonly Belonging[]],
  query: string,
  keys: TableKeys,
  signal: AbortSignal,
): Promise<number | null> {
  const { primary, unique } = keys;
  const source = `quern_source_${randomUUID().slice(0, 8)}`;
  const result = await around([`CREATE TEMP TABLE ${source} AS `, query], signal);
  try {
    const fits = await hasShapeOf(run, [source, target], primary, signal);
    if (!fits) checkLoss(printTarget(target), belongings, 'shape');
    if (unique.length > 0) await checkUnique(run, [source, target], keys, signal);
    await run(`DELETE FROM ${printTarget(target)}`, signal);
    await run(`INSERT INTO ${printTarget(target)} FROM ${source}`, signal);
  } finally {
    await run(`DROP TABLE IF EXISTS temp.${source}`, never).catch(() => {});
  }
  return result.kind === 'done' ? (result.rowsStored ?? null) : null;
}

function printFindSchema({ database, schema }: PublishedName): string {
  return `SELECT schema_name FROM duckdb_schemas() WHERE lower(database_name) = lower(${quoteText(database)})
    AND lower(schema_name) = lower(${quoteText(schema)})`;
}

/** The options of `COPY … TO`, in parentheses, for a published file (docs/reference/publishing.md#files). */
function printCopyOptions(format: FileFormat): string {
  const compression = `COMPRESSION ${quoteText(format.compression)}`;
  if (format.type === 'parquet') return `FORMAT parquet, ${compression}`;
  const { delimiter, nullValue, quote, header } = format;
  const quoting =
    quote === '' ? "QUOTE '', ESCAPE ''" : `QUOTE ${quoteText(quote)}, ESCAPE ${quoteText(quote)}`;
  return [
    'FORMAT csv',
    `DELIMITER ${quoteText(delimiter)}`,
    `NULLSTR ${quoteText(nullValue)}`,
    quoting,
    `HEADER ${header}`,
    compression,
  ].join(', ');
}

/** The comment of a view, whose column is null, or of one of its columns. */
interface ViewComment {
  readonly column: string | null;
  readonly comment: string;
}

/** Lists the comments of a view, which its replacement would not have; none if there is no such view. */
async function listViewComments(
  run: Run,
  view: PublishedName,
  signal: AbortSignal,
): Promise<readonly ViewComment[]> {
  const from = (list: string, name: string) => `FROM duckdb_${list}() WHERE ${printIsOf(view, name)}`;
  const viewComments = await readTexts(
    await run(`SELECT NULL::VARCHAR, comment ${from('views', 'view_name')}`, signal),
  );
  if (viewComments.length === 0) return [];
  const columns = await run(`SELECT column_name, comment ${from('columns', 'table_name')}`, signal);
  return [...viewComments, ...(await readTexts(columns))].flatMap(([column = null, comment]) =>
    comment === null || comment === undefined ? [] : [{ column, comment }],
  );
}

/** Gives a view its former comments, as far as it still has the columns. */
async function writeViewComments(
  run: Run,
  view: PublishedName,
  comments: readonly ViewComment[],
  signal: AbortSignal,
): Promise<void> {
  const name = [view.database, view.schema, view.name].map(quoteName).join('.');
  const result = await run(
    `SELECT column_name FROM duckdb_columns() WHERE ${printIsOf(view, 'table_name')}`,
    signal,
  );
  // The statement compares the case of the names.
  const columns = new Map(
    (await readTexts(result)).map(([columnName]) => [columnName!.toLowerCase(), columnName!]),
  );
  for (const { column, comment } of comments) {
    const columnName = column === null ? null : columns.get(column.toLowerCase());
    if (columnName === undefined) continue;
    const object = columnName === null ? `VIEW ${name}` : `COLUMN ${name}.${quoteName(columnName)}`;
    await run(`COMMENT ON ${object} IS ${quoteText(comment)}`, signal);
  }
}

function printIsOf({ database, schema, name }: PublishedName, column: string): string {
  return `database_name = ${quoteText(database)} AND lower(schema_name) = lower(${quoteText(schema)})
    AND lower(${column}) = lower(${quoteText(name)})`;
}
