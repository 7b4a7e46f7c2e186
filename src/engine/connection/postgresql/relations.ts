import { postgresqlRules } from '../../text/lexical-rules.ts';
import { quoteText } from '../../text/sql-quote.ts';
import { DatabaseError, type Relations } from '../contract/connection.ts';
import { isRepeatable, listNames, STABLE_AGGREGATES } from '../contract/is-repeatable.ts';
import { dropTemporary, type Run, readTexts, runAround, toTemporary } from '../contract/run-inner.ts';

/** The first server version with `AS MATERIALIZED`. */
const FIRST_MATERIALIZED = 12;
const TEMPORARY = `
  SELECT CASE relkind WHEN 'v' THEN 'view' ELSE 'table' END, relname::text FROM pg_catalog.pg_class
  WHERE relnamespace = pg_catalog.pg_my_temp_schema() AND relkind IN ('r', 'p', 'v')`;

/**
 * Stores rows in temporary tables; a query with repeatable rows is inserted into the statement itself. `version` is the
 * server's version number, such as 15.18.
 */
export function createRelations(run: Run, version: number): Relations {
  const select = async (statement: string, signal: AbortSignal) => readTexts(await run(statement, signal));

  /** Checks a query and all views that it reads, directly or indirectly. */
  async function judge(query: string, signal: AbortSignal): Promise<boolean> {
    const seen = new Set<string>();
    for (let texts: readonly string[] = [query]; texts.length > 0; ) {
      const names = [...new Set(texts.flatMap((text) => listNames(text, postgresqlRules)))];
      const stable = new Set((await select(printStable(names), signal)).map(([name]) => name!));
      const knowledge = {
        lexicalRules: postgresqlRules,
        stable,
        volatileViews: new Set<string>(),
        readsFiles: false,
      };
      if (!texts.every((text) => isRepeatable(text, knowledge))) return false;
      const views = (await select(printViews(names), signal)).filter(([id]) => !seen.has(id!));
      for (const [id] of views) seen.add(id!);
      texts = views.map(([, definition]) => definition!);
    }
    return true;
  }

  return {
    async isRepeatable(query, signal) {
      try {
        return await judge(query, signal);
      } catch (error) {
        // Other servers with the same protocol may lack the catalog.
        if (error instanceof DatabaseError && error.code === 'sql') return false;
        throw error;
      }
    },
    nulls: null,
    async createTable(name, query, signal) {
      await runAround(run, [`CREATE TEMP TABLE ${name} AS `, query], signal);
    },
    runsOnce: version >= FIRST_MATERIALIZED ? 'all' : 'none',
    insertsAtEnd: false,
    scratch: null,
    async createView(name, query, signal) {
      await runAround(run, [`CREATE TEMP VIEW ${name} AS `, query], signal);
    },
    listTemporary: async (signal) => toTemporary(await select(TEMPORARY, signal)),
    dropTemporary: (objects, signal) => dropTemporary(run, 'pg_temp', objects, signal),
  };
}

function printStable(names: readonly string[]): string {
  return `SELECT proname::text FROM pg_catalog.pg_proc WHERE proname IN (${printTexts(names)}) GROUP BY proname
    HAVING bool_and(provolatile <> 'v' AND pronamespace = 'pg_catalog'::pg_catalog.regnamespace)
      AND (bool_and(prokind = 'f') OR proname IN (${printTexts(STABLE_AGGREGATES)}))`;
}

function printViews(names: readonly string[]): string {
  return `SELECT oid::text, pg_catalog.pg_get_viewdef(oid) FROM pg_catalog.pg_class
    WHERE relkind = 'v' AND lower(relname) IN (${printTexts(names)})
      AND relnamespace NOT IN ('pg_catalog'::pg_catalog.regnamespace, 'information_schema'::pg_catalog.regnamespace)`;
}

function printTexts(texts: readonly string[]): string {
  return ['', ...texts].map(quoteText).join(', ');
}
