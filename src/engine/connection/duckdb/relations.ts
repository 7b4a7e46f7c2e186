import { quoteName } from '../../text/sql-quote.ts';
import type { Relations, TemporaryObject } from '../connection.ts';
import { isRepeatable } from './is-repeatable.ts';
import { type Run, readTexts, runAround } from './run-inner.ts';

const STABLE_FUNCTIONS = `
  SELECT function_name FROM duckdb_functions() WHERE internal
  GROUP BY function_name HAVING bool_and(coalesce(stability IN ('CONSISTENT', 'CONSISTENT_WITHIN_QUERY'), false))`;
const VIEWS = 'SELECT view_name, sql FROM duckdb_views() WHERE NOT internal AND NOT temporary';
const TEMPORARY = `
  SELECT 'table', table_name FROM duckdb_tables() WHERE temporary
  UNION ALL SELECT 'view', view_name FROM duckdb_views() WHERE temporary AND NOT internal`;
const UNTYPED = '"NULL"';

/**
 * Temporary views where a query gives the same rows as often as it is asked, so that nothing is written and
 * filters reach its tables; else temporary tables.
 */
export function createRelations(run: Run): Relations {
  let stable: ReadonlySet<string> | null = null;

  async function select(statement: string, signal: AbortSignal) {
    return readTexts(await run(statement, signal));
  }

  async function listStable(signal: AbortSignal): Promise<ReadonlySet<string>> {
    stable ??= new Set((await select(STABLE_FUNCTIONS, signal)).map(([name]) => name!.toLowerCase()));
    return stable;
  }

  async function listVolatileViews(known: ReadonlySet<string>, signal: AbortSignal): Promise<Set<string>> {
    const views = await select(VIEWS, signal);
    const volatile = views.filter(([, sql]) => !isRepeatable(readDefinition(sql!), known, new Set()));
    const names = new Set(volatile.map(([name]) => name!.toLowerCase()));
    // A view may read another one.
    for (let size = -1; size !== names.size; ) {
      size = names.size;
      for (const [name, sql] of views) {
        if (!isRepeatable(readDefinition(sql!), known, names)) names.add(name!.toLowerCase());
      }
    }
    return names;
  }

  async function isView(query: string, signal: AbortSignal): Promise<boolean> {
    const known = await listStable(signal);
    return isRepeatable(query, known, await listVolatileViews(known, signal));
  }

  return {
    async create(name, query, mode, signal) {
      if (mode === 'any' && (await isView(query, signal))) {
        await runAround(run, [`CREATE TEMP VIEW ${name} AS `, query], signal);
        return 'view';
      }
      if (/\bnull\b/i.test(query)) await createTyped(run, name, query, signal);
      else await runAround(run, [`CREATE TEMP TABLE ${name} AS `, query], signal);
      return 'table';
    },
    async drop(names, signal) {
      const own = new Set(names);
      const objects = await listTemporary(signal);
      await dropTemporary(
        run,
        objects.filter(({ name }) => own.has(name)),
        signal,
      );
    },
    listTemporary,
    dropTemporary: (objects, signal) => dropTemporary(run, objects, signal),
  };

  async function listTemporary(signal: AbortSignal): Promise<readonly TemporaryObject[]> {
    const rows = await select(TEMPORARY, signal);
    return rows.map(([type, name]) => ({ type: type === 'view' ? 'view' : 'table', name: name! }));
  }
}

/** A table whose columns of bare NULLs are of text (language 5). */
async function createTyped(run: Run, name: string, query: string, signal: AbortSignal): Promise<void> {
  const view = `${name}_source`;
  await runAround(run, [`CREATE TEMP VIEW ${view} AS `, query], signal);
  // One row for the types of all columns, the last of which is not the query's.
  const described = await run(
    `SELECT typeof(COLUMNS(*)) FROM (SELECT * FROM ${view} LIMIT 0) RIGHT JOIN (SELECT 1 AS one) ON true`,
    signal,
  );
  const columns = described.kind === 'rows' ? described.columns.slice(0, -1) : [];
  const [types = []] = await readTexts(described);
  const untyped = columns.filter((_, i) => types[i] === UNTYPED);
  const casts = untyped.map((column) => `${quoteName(column.name)}::VARCHAR AS ${quoteName(column.name)}`);
  const list = casts.length === 0 ? '*' : `* REPLACE (${casts.join(', ')})`;
  await run(`CREATE TEMP TABLE ${name} AS SELECT ${list} FROM ${view}`, signal);
  await run(`DROP VIEW ${view}`, signal);
}

async function dropTemporary(
  run: Run,
  objects: readonly TemporaryObject[],
  signal: AbortSignal,
): Promise<void> {
  const views = objects.filter(({ type }) => type === 'view');
  for (const { type, name } of [...views, ...objects.filter((own) => !views.includes(own))]) {
    await run(`DROP ${type} IF EXISTS temp.${quoteName(name)}`, signal);
  }
}

/** The query of a view, of which the engine keeps the whole statement. */
function readDefinition(sql: string): string {
  return sql.replace(/^.*?\bAS\b/is, '');
}
