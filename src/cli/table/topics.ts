import { KIND_NAMES } from '../../engine/connection/contract/kind.ts';

/** A concept that `quern help TOPIC` explains. */
interface Topic {
  readonly name: string;
  readonly summary: string;
  readonly text: string;
  /** The page of the documentation that says more. */
  readonly page: string;
}

/** The topics in the order of the help; each text ends with a line break. */
export const TOPICS: readonly Topic[] = [
  {
    name: 'homes',
    summary: 'where Quern keeps data',
    page: 'reference/command-line',
    text: `A home is a folder that holds the catalog, the DuckDB database, settings and logs. Its name is \`.quern\`.
A command uses the first home that it finds:
  1. --home DIR
  2. the variable QUERN_HOME
  3. the nearest .quern in the current folder or its parents
  4. ~/.quern
\`quern init\` creates a home. A command acts as the first administrator of the home; --as USER acts as another user.
`,
  },
  {
    name: 'scripts',
    summary: 'the script language',
    page: 'reference/language',
    text: `A script is SQL with directives. A plain SQL file is a script, too.
  #+src sql Orders(status="open")   declares a block: a query with a name and parameters
  #+begin ... #+end                 the body of a block
  {{ Orders(status="closed") }}     calls a block, or inserts a value
  #+if, #+for, #+macro, #+const     conditions, loops, macros, constants
  #+import "shop/base"              imports a package: a folder of scripts
  #+test                            declares a data test
\`quern check\` checks scripts, \`quern compile\` prints their SQL, \`quern exec\` runs them.
`,
  },
  {
    name: 'parameters',
    summary: 'how a script receives values',
    page: 'guides/running-sql',
    text: `\`$name\` in SQL or a script is replaced by the value of the parameter before it runs. Quern adds no quotes and
escapes nothing: write '$name' where the SQL needs a string, and do not pass values that you do not trust.
  quern exec report.sql --param year=2027
  quern sql 'SELECT $n::INT * 2' --param n=21
  quern exec report.sql --params-file params.json
--params-file reads a JSON object. --param takes precedence over it.
`,
  },
  {
    name: 'connections',
    summary: 'the databases that scripts run on',
    page: 'reference/connections',
    text: `A connection is a named database. Each home has the connection \`duckdb\`, its own DuckDB database.
  quern connection create shop --kind duckdb --set file=shop.duckdb
  quern connection show postgresql     lists the options of a kind
A run uses --connection, else the environment of the project (--env), else \`duckdb\`.
Kinds: ${KIND_NAMES.join(', ')}. Secrets are stored encrypted.
`,
  },
  {
    name: 'catalog',
    summary: 'scripts in a home, shared by its users',
    page: 'reference/catalog',
    text: `The catalog keeps scripts and folders in a home. A catalog path starts with \`@\`:
  @Shared/finance/report      visible to all users, unless restricted
  @Personal/notes             visible only to you
Every command that takes a file also takes a catalog path, such as \`quern exec @Shared/finance/report\`.
Every asset has a revision. --if-match REVISION refuses a change of an asset that someone else has changed.
`,
  },
  {
    name: 'tests',
    summary: 'data tests',
    page: 'reference/testing',
    text: `A data test is a query that finds wrong rows. It passes if it returns no rows.
  quern test                    runs all tests of the project
  quern test sources            runs the tests of one package
  quern test 'sources/*' --fail-fast --reporter junit=tests.xml
A test passes, fails, errors or is skipped. The exit code is 1 if a test failed.
`,
  },
  {
    name: 'semantic',
    summary: 'semantic models and queries',
    page: 'guides/semantic-asking',
    text: `A semantic model names entities, dimensions, measures and relationships of tables.
A semantic query asks for measures by dimensions; Quern generates the SQL for the platform.
  quern semantic explore
  quern semantic query --dimensions airports.state --measures flights.flights
  quern semantic sql 'SELECT state, MEASURE(airports) FROM airports GROUP BY state'
A result is correct or the query is refused: joins cannot inflate a measure.
`,
  },
  {
    name: 'formats',
    summary: 'output formats',
    page: 'reference/results',
    text: `--format selects the output format of a result:
  table      for people; the default on a terminal
  csv        the default when output is piped
  json       result, columns and statistics in one object
  ndjson     one object per row
  markdown   a Markdown table
  arrow      Apache Arrow IPC stream
  parquet    Apache Parquet
--output FILE selects the format by the ending of the file name. The file appears only if the run succeeds.
`,
  },
  {
    name: 'exit-codes',
    summary: 'what exit codes mean',
    page: 'reference/command-line',
    text: `  0    success
  1    the command ran, and something failed: a test, a check, an item that does not exist
  2    wrong usage or configuration
  3    a script or SQL has an error
  4    not signed in, or not allowed
  5    unreachable, locked by another process, or timed out
  70   internal error
  130  interrupted
`,
  },
];
