import { SQL_DIALECT } from '../../text/sql-dialect.ts';
import { DatabaseError, type Relations } from '../contract/connection.ts';
import { type Run, readTexts, runAround } from '../contract/run-inner.ts';
import { describeQuery } from '../server/describe-query.ts';
import { defineTexts } from './define-texts.ts';
import { isGrouped, isRepeatableText, listReads, type ReadName } from './repeatable.ts';
import type { TableName, TemporaryTables } from './temporary-tables.ts';

const { quoteName, quoteText } = SQL_DIALECT.mysql;
const STRICT = 'ONLY_FULL_GROUP_BY';

/**
 * Stores rows in temporary tables; a query with repeatable rows is inserted into the statement itself. There are no
 * temporary views.
 */
export function createRelations(run: Run, temporary: TemporaryTables): Relations {
  const select = async (statement: string, signal: AbortSignal) => readTexts(await run(statement, signal));

  async function createTable(name: string, query: string, signal: AbortSignal): Promise<void> {
    const texts = await defineTexts(run, query, signal);
    const definitions = texts.length === 0 ? '' : `(${texts.join(', ')}) `;
    await runAround(run, [`CREATE TEMPORARY TABLE ${name} ${definitions}AS `, query], signal);
  }

  /** Checks a query and all views that it reads, directly or indirectly. */
  async function judge(query: string, signal: AbortSignal): Promise<boolean> {
    const seen = new Set<string>();
    for (let texts: readonly string[] = [query]; texts.length > 0; ) {
      if (!texts.every(isRepeatableText)) return false;
      const [[mode] = [], ...views] = await select(printViews(texts.flatMap(listReads)), signal);
      if (!mode!.includes(STRICT) && !(await areStrict(texts, signal))) return false;
      const fresh = views.filter(([, view]) => !seen.has(view!));
      for (const [, view] of fresh) seen.add(view!);
      // The definition of a view is empty for users without the right to see it.
      if (fresh.some(([definition]) => !definition)) return false;
      texts = fresh.map(([definition]) => definition!);
    }
    return true;
  }

  /** Whether all queries with groups select only aggregates and grouping columns. */
  async function areStrict(queries: readonly string[], signal: AbortSignal): Promise<boolean> {
    const strictly: Run = (statement, own) =>
      run(`SET STATEMENT sql_mode = CONCAT(@@sql_mode, ',${STRICT}') FOR ${statement}`, own);
    try {
      for (const query of queries.filter(isGrouped)) await describeQuery(strictly, query, signal);
      return true;
    } catch (error) {
      if (isSqlError(error)) return false;
      throw error;
    }
  }

  /** The known tables that still exist. */
  async function listThere(tables: readonly TableName[], signal: AbortSignal): Promise<readonly TableName[]> {
    const there: TableName[] = [];
    for (const table of tables) {
      if (await isTemporary(run, table, signal)) there.push(table);
      else temporary.drop(table);
    }
    return there;
  }

  return {
    isRepeatable: judge,
    nulls: null,
    createTable,
    createView: null,
    // Servers do not guarantee this: MariaDB runs a query once for each reference.
    runsOnce: 'none',
    insertsAtEnd: false,
    scratch: null,
    async listTemporary(signal) {
      const there = await listThere(temporary.all, signal);
      return there.map(({ name }) => ({ type: 'table', name }));
    },
    async dropTemporary(objects, signal) {
      const names = new Set(objects.map(({ name }) => name));
      for (const table of temporary.all.filter(({ name }) => names.has(name))) {
        await run(`DROP TEMPORARY TABLE IF EXISTS ${printTable(table)}`, signal);
        temporary.drop(table);
      }
    },
  };
}

async function isTemporary(run: Run, table: TableName, signal: AbortSignal): Promise<boolean> {
  try {
    const [row] = await readTexts(await run(`SHOW CREATE TABLE ${printTable(table)}`, signal));
    return /^CREATE TEMPORARY/.test(row?.[1] ?? '');
  } catch (error) {
    if (isSqlError(error)) return false;
    throw error;
  }
}

function isSqlError(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === 'sql';
}

function printTable({ schema, name }: TableName): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}

/** The SQL mode of the session, followed by the definitions of the views among the names. */
function printViews(names: readonly ReadName[]): string {
  const views = names.map(({ schema, name }) => {
    const place = schema === null ? 'DATABASE()' : quoteText(schema);
    return `SELECT view_definition, CONCAT(table_schema, '.', table_name) FROM information_schema.views
      WHERE table_schema = ${place} AND table_name = ${quoteText(name)}`;
  });
  return ["SELECT @@sql_mode, ''", ...views].join(' UNION ALL ');
}
