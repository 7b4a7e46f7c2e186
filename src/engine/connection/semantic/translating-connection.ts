import type { Warn } from '../../text/diagnostic.ts';
import { untilAborted } from '../../text/finish-in-pieces.ts';
import {
  type Connection,
  DatabaseError,
  type NullTyping,
  type Publishing,
  type Relations,
} from '../contract/connection.ts';
import type { Translate, Translation } from '../contract/translate.ts';

/** Maximum characters that are sent for translation; a longer statement is rejected because of this prefix. */
const MAX_LENGTH = 1024 ** 2 + 1;
/** Number of cached translations: a script is checked before it runs. */
const MAX_KEPT = 1_000;
/** Maximum characters of a cached translation with its statement. */
const MAX_KEPT_LENGTH = 16 * 1024;

const NO_TABLES =
  'a semantic connection has no temporary tables: a block that a statement calls must be one SELECT, and must not be too long for it';

const CLOCK_IN_VIEW =
  'a published view would keep the current time of this run: publish a table, which each run computes again';

/**
 * A session of a physical database that accepts Semantic SQL (docs/reference/semantic-sql-scripts.md). Each statement
 * is translated before the database receives any part of it; called blocks become parts of the statements that call
 * them. Untranslatable statements reject with a DatabaseError `refused`.
 */
export function createTranslatingConnection(
  physical: Connection,
  translate: Translate,
  warn: Warn,
): Connection {
  const translations = new Map<string, Translation>();

  const ask = (statement: string, signal: AbortSignal) => untilAborted(translate(statement, signal), signal);

  async function find(statement: string, signal: AbortSignal): Promise<Translation> {
    const translation = translations.get(statement) ?? (await ask(statement.slice(0, MAX_LENGTH), signal));
    const length = statement.length + (translation.status === 'done' ? translation.sql.length : 0);
    if (translations.size < MAX_KEPT && length <= MAX_KEPT_LENGTH) translations.set(statement, translation);
    return translation;
  }

  async function toSql(statement: string, signal: AbortSignal): Promise<string> {
    const translation = await find(statement, signal);
    if (translation.status === 'refused') throw createError(translation);
    for (const message of translation.warnings) {
      warn({ severity: 'warning', code: 'model', message, suggestion: null });
    }
    return translation.sql;
  }

  async function use<T>(
    statement: string,
    signal: AbortSignal,
    work: (sql: string) => Promise<T>,
  ): Promise<T> {
    const sql = await toSql(statement, signal);
    try {
      return await work(sql);
    } catch (error) {
      throw error instanceof DatabaseError ? withoutPlace(error) : error;
    }
  }

  return {
    physicalConnection: physical,
    get inTransaction() {
      return physical.inTransaction;
    },
    run: (statement, signal) => use(statement, signal, (sql) => physical.run(sql, signal)),
    async checkMeaning(statement, signal, use) {
      const translation = await find(statement, signal);
      if (translation.status === 'refused') throw createError(translation);
      if (use === 'view') refuseClock(translation);
    },
    exportParquet: (query, file, maxRows, signal) =>
      use(query, signal, (sql) => physical.exportParquet(sql, file, maxRows, signal)),
    relations: createRelations(toSql),
    publishing: createPublishing(physical, use, async (query, signal) => {
      const translation = await find(query, signal);
      if (translation.status === 'done') refuseClock(translation);
    }),
    readState: () => physical.readState(),
    close: () => physical.close(),
  };
}

/** Blocks become parts of statements; no rows are stored under names. */
function createRelations(toSql: (query: string, signal: AbortSignal) => Promise<string>): Relations {
  return {
    // A model has no functions whose results change.
    isRepeatable: async () => true,
    nulls: null,
    async createTable(_name, query, signal) {
      await toSql(query, signal);
      throw new DatabaseError('refused', NO_TABLES);
    },
    createView: null,
    runsOnce: 'none',
    insertsAtEnd: false,
    scratch: null,
    listTemporary: async () => [],
    dropTemporary: async () => {},
  };
}

type Use = <T>(statement: string, signal: AbortSignal, work: (sql: string) => Promise<T>) => Promise<T>;

type CheckView = (query: string, signal: AbortSignal) => Promise<void>;

function createPublishing(
  { publishing: physical, relations }: Connection,
  use: Use,
  checkView: CheckView,
): Publishing {
  return {
    ...(physical.refusal === undefined ? {} : { refusal: physical.refusal }),
    resolve: (schema, name, signal) => physical.resolve(schema, name, signal),
    ignoresCase: physical.ignoresCase,
    hasSchema: (target, signal) => physical.hasSchema(target, signal),
    find: (target, signal) => physical.find(target, signal),
    check: physical.check,
    replaceTable: (target, query, keys, signal) =>
      use(query, signal, async (sql) => {
        const typedQuery = await typeNulls(sql, relations.nulls, signal);
        return physical.replaceTable(target, typedQuery, keys, signal);
      }),
    async replaceView(target, query, signal) {
      await checkView(query, signal);
      await use(query, signal, (sql) => physical.replaceView(target, sql, signal));
    },
    compareColumns: (target, query, rows, signal) =>
      use(query, signal, (sql) => physical.compareColumns(target, sql, rows, signal)),
    append: (target, query, rows, signal) =>
      use(query, signal, (sql) => physical.append(target, sql, rows, signal)),
    merge: (target, query, merge, signal) =>
      use(query, signal, (sql) => physical.merge(target, sql, merge, signal)),
    transact: (signal, work) => physical.transact(signal, work),
    startHistory: (target, query, history, signal) =>
      use(query, signal, async (sql) => {
        const typedQuery = await typeNulls(sql, relations.nulls, signal);
        return physical.startHistory(target, typedQuery, history, signal);
      }),
    continueHistory: (target, query, history, signal) =>
      use(query, signal, (sql) => physical.continueHistory(target, sql, history, signal)),
    writeFile: (query, file, format, signal) =>
      use(query, signal, (sql) => physical.writeFile(sql, file, format, signal)),
  };
}

/** A query in which columns of bare NULLs are text. */
async function typeNulls(sql: string, nulls: NullTyping | null, signal: AbortSignal): Promise<string> {
  if (nulls === null || !nulls.mayBeIn(sql)) return sql;
  const enclose = ([before, after]: readonly [string, string]) => `${before}${sql}\n${after}`;
  const columns = await nulls.listColumns(enclose(nulls.printTypes()), signal);
  return columns.length === 0 ? sql : enclose(nulls.printTexts(columns));
}

function createError({ span, message }: Extract<Translation, { status: 'refused' }>): DatabaseError {
  return new DatabaseError('refused', message, span.start, { length: span.end - span.start });
}

/** The SQL of a view would keep the time of the run that made it. */
function refuseClock({ clock }: Extract<Translation, { status: 'done' }>): void {
  if (clock !== null) throw createError({ status: 'refused', span: clock, message: CLOCK_IN_VIEW });
}

/** A position in the generated SQL means nothing to the author. */
function withoutPlace(error: DatabaseError): DatabaseError {
  if (error.offset === undefined) return error;
  return new DatabaseError(error.code, error.message, undefined, { cause: error });
}
