/**
 * The rules about connections, results and tests of executions (docs/reference/exec.md,
 * docs/reference/results.md#documents).
 */
const ENDPOINTS = {
  'accept chooses': 'Accept chooses JSON, which is the default, CSV or an Arrow stream',
  'result columns': 'result.columns has the name and the type of each column',
  'result data': 'result.data has the values of each row in the order of the columns',
  'execution stats': 'stats has started_at, finished_at and duration_ms, an integer',
  'header of the start': 'X-Service-Execution-Started-At has the start time, as stats do',
  'run a script': 'POST /exec/script runs the script at a path, and answers result and stats',
  'first result set': 'Of several result sets the first is the answer',
  'script params': 'params are names and values for substitution',
  'test suite': 'A script that runs a test suite answers the shape of test results',
  'run a block': 'POST /exec/block runs a named block of a package',
  'block args': 'args are scalars, lists and maps',
  'block params': 'params are for substitution in blocks, too',
  'test block': 'A block that is a test answers the shape of test results',
  'run sql': 'POST /exec/sql runs SQL on a connection, and answers as /exec/script',
  'sql params': 'Names of params carry a $ or $$ prefix',
  'connection overrides': 'connection.overrides has parameters such as database and schema',
  'test fields':
    'A test has package_name, test_name, status, message, started_at, finished_at and duration_ms',
  'test status': 'A status is PASSED or FAILED',
  'failing test': 'The message of a failed test says that it returned a non-empty recordset',
  'test stats': 'stats has tests, passed, failed and times',
} as const;

/** The errors of executions (docs/reference/exec.md#bodies, docs/reference/exec.md#errors). */
const FAILURES = {
  'sql missing': '400 SQL query is required',
  'connection missing': '400 Connection is required',
  'connection name missing': '400 Connection name is required',
  'connection not found': '404 Connection not found: <name>',
  'failed tests are 200': 'Test runs answer 200 when tests fail; clients read stats.failed',
  'exec: status 401': 'No valid token supplied',
  'exec: status 403': 'Token lacks permission',
  'exec: status 404': 'Resource does not exist',
  'exec: status 422': 'Well-formed request with semantic errors',
  'exec: status 502': 'Server-side failure: the database is unavailable',
  'exec: status 503': 'Server-side failure: the engine was restarted',
  'exec: status 429': 'Too many executions wait, of one user or of all; Retry-After says when to try again',
  'exec: own queue':
    'A user’s executions beyond those that may run at once wait, and others do not wait for them',
  'exec: status 504': 'Server-side failure: the deadline',
} as const;

/**
 * The bodies of requests, and messages of tests (docs/reference/exec.md#bodies,
 * docs/reference/testing.md#results-as-json).
 */
const CATALOG = {
  'lost race': '409 for a publication that lost a race',
  'exec: right version': 'project_version is accepted when the manifest has it',
  'exec: wrong version': '404 Project version not found: <version>',
  'exec: version outside the hub': 'Outside of the hub it is ignored',
  'path missing': '400 Path is required',
  'package missing': '400 Package is required',
  'block name missing': '400 Block name is required',
  'default environment': 'A script of a project with a default environment needs no connection',
  'no default environment': '400 Connection is required',
  'overrides on all three': 'overrides are accepted by all three routes',
  'override not allowed': '400 Override not allowed: <key>',
  'usual overrides': 'Every connection allows database and schema unless its settings say otherwise',
  'folder as path': '422 Path must be an asset',
  'unknown block': '404 Block not found: <name>',
  'missing argument': '400 Missing argument: <name>',
  'unknown argument': '400 Unknown argument: <name>',
  'published block': 'A block with a publication answers its rows and publishes nothing',
  'void block': 'A void block answers the empty result',
  'macros and constants': 'They are not blocks: 404',
  'all statements': '/exec/sql runs all statements, and answers the first result set',
  'tests are json': 'The test result is JSON, with any Accept header',
  'test messages': 'Test passed, Test returned a non-empty recordset (N rows), or the text of the database',
  'no result set': 'Empty columns and data, an empty CSV, a schema without fields',
  'insert has no result set': 'The count of INSERT is not a result set',
  'semantic sql':
    'SQL on a semantic connection is answered by its model, or refused with 422 and its position',
  'semantic scripts': 'Scripts, blocks and bundles on a semantic connection run Semantic SQL',
  'semantic tests': 'Tests on a semantic connection pass and fail as on any other',
  'semantic places': 'An error on a semantic connection has its position in the original file',
  'semantic reads':
    '422 before anything runs, for what is not SELECT, EXPLAIN or SHOW on a semantic connection',
  'semantic publications': 'Publications and void blocks run on a semantic connection',
  'semantic rights':
    'Every execution needs READ on the semantic connection, and nothing on the one behind it',
  'semantic log': 'The text that was sent is listed and logged, under the name of the semantic connection',
} as const;

/** Results on a server (docs/reference/results.md, docs/reference/server-sql.md). */
const RESULTS = {
  'unsupported type': '406 for a type that is not available',
  ndjson: 'application/x-ndjson, beyond the interface',
  'late error':
    'An error after the first bytes breaks the body: no client reads a partial result as a complete one',
  'early error': 'An error before the first bytes is an error answer in every format',
  'error of a later statement': 'An error after the first result set is the answer, and no row is sent',
  'empty sql': 'SQL without a statement has no result set',
  'kinds of statements': 'DDL gives nothing; RETURNING, EXPLAIN, SHOW, DESCRIBE and SUMMARIZE give rows',
  'stats after data': 'stats come after data in JSON, with nanoseconds',
  'machine is not for sql': 'SQL reads and writes nothing on the machine except in files/',
  'own database stays': 'SQL cannot destroy its own database',
  'statement gate': 'Statements that are not listed are refused by name, in any position',
  'function gate': 'Functions that change the engine or run texts are refused by name',
  'files folder': 'A relative path in SQL begins in files/',
  'publications through staging': 'Publications are written in staging/ and renamed into publish/',
  'time zone': 'A script that sets the time zone gets an error with the reason',
  'long names and columns': 'Repeated names of columns, and columns without rows, appear in every format',
  numbers: '?numbers=string gives strings for numbers that a double cannot hold',
} as const;

/** Guarantees of a server for all requests (docs/reference/exec.md#responses). */
const PROMISES = {
  'stubborn statement': 'Any statement has ended 5 s after its deadline, and the server works',
  'lost engine': '503 or a broken body when the engine ends, and the next one runs',
  'gone client': 'A client that disconnects ends its query',
  'withdrawn rights': 'A query ends when its user is disabled, or its token deleted',
  'many exports': 'Simultaneous exports are all complete',
  'slow reader': 'A slow reader delays its own query, and uses no memory',
  'no leaks': 'Cancelled requests leave no socket, entry or file behind',
  'cancel by id': 'DELETE /executions/{id} ends a query',
} as const;

/** Every statement about executions, by a descriptive id. */
export const EXEC_ROWS = { ...ENDPOINTS, ...FAILURES, ...CATALOG, ...RESULTS, ...PROMISES } as const;
