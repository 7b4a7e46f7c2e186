import { duckdbRules } from '../../text/lexical-rules.ts';
import { quoteName, quoteText } from '../../text/sql-quote.ts';
import type { Relations } from '../contract/connection.ts';
import { isRepeatable, mayHaveBareNull, STABLE_AGGREGATES } from '../contract/is-repeatable.ts';
import {
  type CheckQuery,
  dropTemporary,
  type Run,
  readTexts,
  runAround,
  toTemporary,
} from '../contract/run-inner.ts';

const STABLE_FUNCTIONS = `
  SELECT lower(function_name) FROM duckdb_functions() GROUP BY ALL
  HAVING bool_and(internal)
    AND bool_and(coalesce(stability IN ('CONSISTENT', 'CONSISTENT_WITHIN_QUERY'), false))
    AND (NOT bool_or(function_type = 'aggregate') OR lower(function_name) IN (${STABLE_AGGREGATES.map(quoteText).join(', ')}))`;
const VIEWS = `SELECT lower(view_name), sql FROM duckdb_views() WHERE NOT internal`;
const TEMPORARY = `
  SELECT 'table', table_name FROM duckdb_tables() WHERE temporary
  UNION ALL SELECT 'view', view_name FROM duckdb_views() WHERE temporary AND NOT internal`;
const DUCKDB = { lexicalRules: duckdbRules, readsFiles: true };
const UNTYPED = '"NULL"';

/** Number of statements that the user has run, and of those that may have changed functions or other objects. */
export interface Versions {
  readonly statements: number;
  readonly definitions: number;
}

export function createRelations(run: Run, check: CheckQuery, readVersions: () => Versions): Relations {
  let hasCreated = false;

  async function create(what: string, query: string, signal: AbortSignal): Promise<void> {
    await check(query, signal);
    hasCreated = true;
    await runAround(run, [`CREATE TEMP ${what} AS `, query], signal);
  }

  let functions: { readonly version: number; readonly stable: Set<string> } | null = null;
  let views: { readonly version: number; readonly volatile: Set<string> } | null = null;

  async function select(statement: string, signal: AbortSignal) {
    return readTexts(await run(statement, signal));
  }

  /** A new session has no temporary objects, and only definitions create some. Listing them is slow. */
  const canHaveTemporary = () => hasCreated || readVersions().definitions > 0;

  async function learnFunctions(signal: AbortSignal): Promise<Set<string>> {
    const version = readVersions().definitions;
    if (functions?.version === version) return functions.stable;
    const stable = new Set((await select(STABLE_FUNCTIONS, signal)).map(([name]) => name!));
    functions = { version, stable };
    return stable;
  }

  /** Finds the views whose rows may change; other sessions may change them, too. */
  async function learnViews(stable: Set<string>, signal: AbortSignal): Promise<Set<string>> {
    const version = readVersions().statements;
    if (views?.version === version) return views.volatile;
    const volatile = findVolatile(await select(VIEWS, signal), stable);
    views = { version, volatile };
    return volatile;
  }

  return {
    async isRepeatable(query, signal) {
      const stable = await learnFunctions(signal);
      const volatileViews = await learnViews(stable, signal);
      return isRepeatable(query, { ...DUCKDB, stable, volatileViews });
    },
    nulls: {
      mayBeIn: (query) => mayHaveBareNull(query, duckdbRules),
      // One row with the types of all columns; an additional last column is not part of the query.
      printTypes: () => [
        'SELECT typeof(COLUMNS(*)) FROM (SELECT * FROM (',
        ') LIMIT 0) RIGHT JOIN (SELECT 1 AS one) ON true',
      ],
      async listColumns(types, signal) {
        await check(types, signal);
        const described = await run(types, signal);
        const columns = described.kind === 'rows' ? described.columns.slice(0, -1) : [];
        const [texts = []] = await readTexts(described);
        return columns.filter((_, i) => texts[i] === UNTYPED).map((column) => column.name);
      },
      printTexts(columns) {
        const casts = columns.map((column) => `${quoteName(column)}::VARCHAR AS ${quoteName(column)}`);
        return [`SELECT * REPLACE (${casts.join(', ')}) FROM (`, ')'];
      },
    },
    createTable: (name, query, signal) => create(`TABLE ${name}`, query, signal),
    runsOnce: 'all',
    insertsAtEnd: false,
    scratch: null,
    createView: (name, query, signal) => create(`VIEW ${name}`, query, signal),
    listTemporary: async (signal) => (canHaveTemporary() ? toTemporary(await select(TEMPORARY, signal)) : []),
    dropTemporary: (objects, signal) => dropTemporary(run, 'temp', objects, signal),
  };
}

/** Views whose rows may change, because of a function that they call, or of another view. */
function findVolatile(
  views: readonly (readonly (string | null)[])[],
  stable: ReadonlySet<string>,
): Set<string> {
  const names = new Set<string>();
  for (let size = -1; size !== names.size; ) {
    size = names.size;
    for (const [name, sql] of views) {
      const knowledge = { ...DUCKDB, stable, volatileViews: names };
      if (!isRepeatable(readDefinition(sql!), knowledge)) names.add(name!);
    }
  }
  return names;
}

/** The query of a view; the engine stores the complete statement. */
function readDefinition(sql: string): string {
  return sql.replace(/^.*?\bAS\b/is, '');
}
