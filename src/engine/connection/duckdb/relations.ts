import { quoteName, quoteText } from '../../text/sql-quote.ts';
import type { Relations, TemporaryObject } from '../connection.ts';
import { isRepeatable, mayBeUntyped } from './is-repeatable.ts';
import { type Run, readTexts, runAround } from './run-inner.ts';

/** Aggregates whose answer does not depend on which row comes first, nor on how sums are rounded. */
const STABLE_AGGREGATES = [
  'count',
  'count_star',
  'min',
  'max',
  'bool_and',
  'bool_or',
  'bit_and',
  'bit_or',
  'bit_xor',
];
const STABLE_FUNCTIONS = `
  SELECT lower(function_name) FROM duckdb_functions() GROUP BY ALL
  HAVING bool_and(internal)
    AND bool_and(coalesce(stability IN ('CONSISTENT', 'CONSISTENT_WITHIN_QUERY'), false))
    AND (NOT bool_or(function_type = 'aggregate') OR lower(function_name) IN (${STABLE_AGGREGATES.map(quoteText).join(', ')}))`;
const VIEWS = `
  SELECT lower(view_name), sql FROM duckdb_views()
  WHERE NOT internal AND NOT (temporary AND regexp_matches(view_name, '^quern_[0-9a-f]{8}_[0-9]+'))`;
const TEMPORARY = `
  SELECT 'table', table_name FROM duckdb_tables() WHERE temporary
  UNION ALL SELECT 'view', view_name FROM duckdb_views() WHERE temporary AND NOT internal`;
const UNTYPED = '"NULL"';

/**
 * `readVersion` counts the user's statements. Temporary views where a query gives the same rows as often as it is asked, so that nothing is written and
 * filters reach its tables; else temporary tables.
 */
export function createRelations(run: Run, readVersion: () => number): Relations {
  let known: {
    readonly version: number;
    readonly stable: Set<string>;
    readonly volatile: Set<string>;
  } | null = null;

  async function select(statement: string, signal: AbortSignal) {
    return readTexts(await run(statement, signal));
  }

  /** What there is to know of the functions and views of now; a statement of the user's may change it. */
  async function learn(signal: AbortSignal) {
    if (known !== null && known.version === readVersion()) return known;
    const version = readVersion();
    const stable = new Set((await select(STABLE_FUNCTIONS, signal)).map(([name]) => name!));
    const volatile = findVolatile(await select(VIEWS, signal), stable);
    known = { version, stable, volatile };
    return known;
  }

  async function isView(query: string, signal: AbortSignal): Promise<boolean> {
    const { stable, volatile } = await learn(signal);
    return isRepeatable(query, stable, volatile);
  }

  return {
    async create(name, query, mode, signal) {
      if (mode === 'any' && (await isView(query, signal))) {
        await runAround(run, [`CREATE TEMP VIEW ${name} AS `, query], signal);
        return 'view';
      }
      await createTable(run, name, query, signal);
      return 'table';
    },
    async freeze(names, signal) {
      for (const name of names) {
        await run(`CREATE TEMP TABLE ${name}_table AS FROM ${name}`, signal);
        await run(`DROP VIEW ${name}`, signal);
        await run(`ALTER TABLE ${name}_table RENAME TO ${name}`, signal);
      }
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
async function createTable(run: Run, name: string, query: string, signal: AbortSignal): Promise<void> {
  const untyped = mayBeUntyped(query) ? await listUntyped(run, name, query, signal) : [];
  const casts = untyped.map((column) => `${quoteName(column)}::VARCHAR AS ${quoteName(column)}`);
  const parts: readonly [string, string, string?] =
    casts.length === 0
      ? [`CREATE TEMP TABLE ${name} AS `, query]
      : [`CREATE TEMP TABLE ${name} AS SELECT * REPLACE (${casts.join(', ')}) FROM (`, query, ')'];
  await runAround(run, parts, signal);
}

async function listUntyped(
  run: Run,
  name: string,
  query: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const view = `${name}_source`;
  await runAround(run, [`CREATE TEMP VIEW ${view} AS `, query], signal);
  try {
    // One row for the types of all columns, the last of which is not the query's.
    const described = await run(
      `SELECT typeof(COLUMNS(*)) FROM (SELECT * FROM ${view} LIMIT 0) RIGHT JOIN (SELECT 1 AS one) ON true`,
      signal,
    );
    const columns = described.kind === 'rows' ? described.columns.slice(0, -1) : [];
    const [types = []] = await readTexts(described);
    return columns.filter((_, i) => types[i] === UNTYPED).map((column) => column.name);
  } finally {
    await run(`DROP VIEW IF EXISTS ${view}`, signal).catch(() => {});
  }
}

/** Views that may give other rows the next time: by what they call, or by another view that they read. */
function findVolatile(
  views: readonly (readonly (string | null)[])[],
  stable: ReadonlySet<string>,
): Set<string> {
  const names = new Set<string>();
  for (let size = -1; size !== names.size; ) {
    size = names.size;
    for (const [name, sql] of views) {
      if (!isRepeatable(readDefinition(sql!), stable, names)) names.add(name!);
    }
  }
  return names;
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
