import type { DatabaseFunction } from './database-function.ts';

/** A row of the answer of a database. */
export type FunctionRow = readonly (string | null)[];

/** A function with one of its signatures. */
interface Overload {
  readonly name: string;
  readonly kind: string;
  readonly args: string;
  readonly result: string | null;
  readonly description: string | null;
}

/** How a database lists its functions: a statement, and how to read a row of its result. */
interface FunctionQuery {
  readonly sql: string;
  readonly toRow: (cells: FunctionRow) => Overload;
}

const toOverload: FunctionQuery['toRow'] = ([name, kind, args, result = null, description = null]) => ({
  name: name ?? '',
  kind: kind ?? '',
  args: args ?? '',
  result,
  description,
});

/** The functions that DuckDB lists as aggregates, but calls only with OVER. */
const WINDOWS =
  "'row_number', 'rank', 'rank_dense', 'dense_rank', 'percent_rank', 'cume_dist', 'ntile', 'lag', 'lead', 'first_value', 'last_value', 'nth_value', 'fill'";

/** Operators are functions of DuckDB, too; their names are not names of SQL. */
const DUCKDB = `SELECT function_name,
  CASE WHEN function_type LIKE '%table%' THEN 'table' WHEN function_type = 'macro' THEN 'scalar'
    WHEN function_name IN (${WINDOWS}) THEN 'window' ELSE function_type END AS kind,
  array_to_string(list_transform(coalesce(parameters, []),
    lambda name, nth: trim(name || ' ' || coalesce(parameter_types[nth], ''))), ', ')
    || CASE WHEN varargs IS NULL THEN '' ELSE ', ...' END AS args,
  return_type, description
FROM duckdb_functions()
WHERE function_type IN ('scalar', 'aggregate', 'macro', 'table', 'table_macro')
  AND regexp_full_match(function_name, '[a-z][a-z0-9_]*')
ORDER BY ALL`;

/** Functions that SQL can call: none of those that the server itself calls with its inner types. */
const POSTGRESQL = `SELECT p.proname::text AS name,
  CASE WHEN p.prokind = 'a' THEN 'aggregate' WHEN p.prokind = 'w' THEN 'window'
    WHEN p.proretset THEN 'table' ELSE 'scalar' END AS kind,
  pg_get_function_arguments(p.oid) AS args, pg_get_function_result(p.oid) AS result,
  obj_description(p.oid, 'pg_proc') AS description
FROM pg_catalog.pg_proc AS p
WHERE p.prokind <> 'p' AND pg_function_is_visible(p.oid) AND has_function_privilege(p.oid, 'EXECUTE')
  AND NOT EXISTS (
    SELECT 1 FROM pg_catalog.pg_type AS t
    WHERE (t.oid = p.prorettype OR t.oid = ANY (p.proargtypes::oid[])) AND t.typtype = 'p'
      AND t.typname NOT LIKE 'any%' AND t.typname NOT IN ('record', 'void'))
ORDER BY 1, 2, 3`;

const QUERIES: Readonly<Record<string, FunctionQuery>> = {
  duckdb: { sql: DUCKDB, toRow: toOverload },
  postgresql: { sql: POSTGRESQL, toRow: toOverload },
  trino: {
    sql: 'SHOW FUNCTIONS',
    toRow: ([name, result, args, kind, _isDeterministic, description]) =>
      toOverload([name ?? null, kind ?? null, args ?? null, result ?? null, description ?? null]),
  },
};

/** The statement that lists the functions of a kind of database; null for one that has no list. */
export function findFunctionQuery(kind: string): FunctionQuery | null {
  return QUERIES[kind] ?? null;
}

const KINDS: ReadonlySet<string> = new Set<DatabaseFunction['kind']>([
  'scalar',
  'aggregate',
  'window',
  'table',
]);
const isKind = (kind: string): kind is DatabaseFunction['kind'] => KINDS.has(kind);

/** The overloads that a function shows at most; more differ in their types alone. */
const MAX_SIGNATURES = 30;

/** Functions, each with its signatures. */
export function groupSignatures(overloads: readonly Overload[]): readonly DatabaseFunction[] {
  const found = new Map<string, DatabaseFunction & { readonly signatures: string[] }>();
  for (const { name, kind, args, result, description } of overloads) {
    if (!isKind(kind)) continue;
    const key = `${kind} ${name}`;
    const known = found.get(key) ?? { name, kind, signatures: [], description };
    found.set(key, known);
    const signature = `(${args})${result === null ? '' : ` -> ${result}`}`;
    if (known.signatures.length < MAX_SIGNATURES && !known.signatures.includes(signature)) {
      known.signatures.push(signature);
    }
  }
  return [...found.values()];
}
