/** The rules about executions (docs/reference/exec.md, docs/reference/results.md#documents). */
const INTERFACE = {
  'script: result and stats':
    'POST /exec/script answers result.columns, result.data and stats, with the start time in a header',
  'script: first result set': 'Of several result sets, the first is the answer',
  'script: params': 'params are names and values for substitution, with or without $ and $$',
  'script: tests': 'A script that runs a test suite answers the shape of test results',
  'block: args': 'POST /exec/block takes scalars, lists and maps as arguments',
  'block: test': 'A block that is a test answers the shape of test results',
  'sql: sql missing': '400 SQL query is required',
  'sql: connection missing': '400 Connection is required',
  'sql: connection name missing': '400 Connection name is required',
  'sql: connection not found': '404 Connection not found: <name>',
  'connection: overrides': 'Requests may override parameters of the connection',
  'format by Accept': 'Accept chooses JSON, which is the default, CSV or an Arrow stream',
  'header of the start': 'X-Service-Execution-Started-At has the start time, as stats do',
  'failed tests are 200': 'Test runs answer 200, and count what failed',
  'no permission for a connection': "403 You don't have permission to access this connection",
  'no token': '401 without a valid token',
} as const;

/** The bodies of requests and errors (docs/reference/exec.md#bodies, docs/reference/exec.md#errors). */
const CATALOG = {
  'path missing': '400 Path is required',
  'package missing': '400 Package is required',
  'block name missing': '400 Block name is required',
  'default environment': 'A script of a project with a default environment needs no connection',
  'no default environment': '400 Connection is required',
  'override not allowed': '400 Override not allowed: <key>',
  'folder as path': '422 Path must be an asset',
  'unknown block': '404 Block not found: <name>; macros and constants are not blocks',
  'missing argument': '400 Missing argument: <name>',
  'unknown argument': '400 Unknown argument: <name>',
  'project version': 'project_version must be that of the manifest, in the hub; otherwise 404',
  'published block': 'A block with a publication answers its rows and publishes nothing',
  'void block': 'A void block answers the empty result',
  'all statements': 'All statements run; an error in any of them is the answer',
  'tests are JSON': 'Test results are JSON, whatever Accept says',
  'no result set': 'Without a result set: empty columns and data, an empty CSV, a schema without fields',
  'database is down': '502 for an unavailable database before the first byte',
} as const;

/** Responses, SQL on a server (docs/reference/exec.md#responses, docs/reference/server-sql.md), and additions. */
const RESULTS = {
  'unsupported type': '406 for a type that is not available',
  'late error': 'An error after the first bytes breaks the answer in every format',
  'early error': 'An error before the first bytes is an error answer in every format',
  'gone client': 'A client that disconnects ends its execution',
  'slow client': 'A client that reads slowly delays its execution, and uses no memory',
  deadline: '504 past the deadline',
  queue: '429 with Retry-After when too many wait',
  'statement gate': '422 for a statement that a server does not run',
  'hidden scripts':
    '404 Path not found: <path> for scripts that the caller may not view, and no import of them',
  'read-only token': '403 for read-only tokens',
} as const;

/** Every statement about executions that has a case, by a descriptive id. */
export const ROWS = { ...INTERFACE, ...CATALOG, ...RESULTS } as const;

/** The title of a case from the rows that it covers. Throws for a row that does not exist. */
export function covers(...ids: readonly (keyof typeof ROWS)[]): string {
  return ids
    .map((id) => {
      if (!Object.hasOwn(ROWS, id)) throw new Error(`there is no row \`${id}\``);
      return `${id}: ${ROWS[id]}`;
    })
    .join('; ');
}
