/** Tests that a change can break although they do not import it. */
export interface Area {
  /** A folder, a file, or the beginning of several paths. */
  readonly changed: string;
  /** Tests below `test`, as `changed` names files, or pages of the documentation. */
  readonly tests: readonly string[];
}

const area = (changed: string, ...tests: readonly string[]): Area => ({ changed, tests });

const CATALOG: readonly Area[] = [
  area('src/catalog/', 'acceptance/cli/catalog', 'acceptance/http/change.', 'acceptance/http/reading'),
  area('src/catalog/change', 'acceptance/http/change'),
  area('src/catalog/check-', 'acceptance/http/change-refusals', 'acceptance/http/revisions'),
  area('src/catalog/contents/', 'acceptance/http/history', 'acceptance/http/durability'),
  area('src/catalog/create', 'acceptance/http/creation'),
  area('src/catalog/history/', 'acceptance/http/history', 'acceptance/cli/history'),
  area('src/errors/if-match', 'acceptance/http/revisions', 'acceptance/http/connection-changes'),
  area('src/connections/change-connection', 'acceptance/http/connection-changes'),
  area('src/catalog/path', 'acceptance/http/paths'),
  area('src/catalog/store', 'acceptance/http/revisions', 'acceptance/http/concurrency'),
  area('src/connections/', 'acceptance/cli/connections', 'docs/reference/connections.md'),
];

const COMMAND_LINE: readonly Area[] = [
  area('src/cli/', 'acceptance/cli/running', 'acceptance/cli/mistyped', 'bin/launcher'),
  area('src/cli/actions/', 'acceptance/cli/home', 'acceptance/cli/deleting', 'acceptance/cli/testing'),
  area('src/cli/commands/', 'docs/troubleshooting'),
  area('src/cli/completion/', 'acceptance/cli/completion'),
  area('src/cli/lineage/', 'acceptance/lineage/'),
  area('src/cli/options/', 'acceptance/cli/params', 'acceptance/cli/load-settings'),
  area('src/cli/print/', 'acceptance/cli/listings', 'acceptance/cli/scripts', 'acceptance/cli/terminal'),
  area('src/cli/repl/', 'acceptance/cli/repl'),
  area('src/cli/reporters/', 'acceptance/cli/junit', 'acceptance/cli/run-reports', 'acceptance/cli/testing'),
  area('src/cli/table/', 'acceptance/cli/examples', 'acceptance/cli/aliases', 'docs/generated-parts'),
  area('src/cli/terminal/', 'acceptance/cli/terminal', 'acceptance/cli/listings', 'docs/terminal-picture'),
  area('src/documentation/', 'acceptance/cli/docs', 'acceptance/server/documentation'),
];

const ENGINE: readonly Area[] = [
  area('src/engine/', 'acceptance/cli/running', 'acceptance/http/exec-endpoints'),
  area('src/engine/connection/', 'docs/driver-table', 'execution/in-thread/'),
  area('src/engine/connection/duckdb/copy/', 'acceptance/cli/publishing', 'acceptance/http/disk-quota'),
  area('src/engine/connection/duckdb/gate/', 'acceptance/http/exec-sandbox', 'docs/reference/server-sql.md'),
  area('src/engine/connection/duckdb/instance/', 'acceptance/http/exec-memory', 'acceptance/http/disk-quota'),
  area('src/engine/connection/duckdb/publish/', 'acceptance/cli/publishing', 'docs/reference/publishing.md'),
  area('src/engine/connection/mysql/', 'acceptance/cli/mariadb', 'acceptance/http/exec-servers'),
  area('src/engine/connection/postgresql/', 'acceptance/cli/postgresql', 'acceptance/http/exec-servers'),
  area(
    'src/engine/connection/semantic/',
    'acceptance/cli/semantic-scripts',
    'acceptance/http/semantic-scripts',
  ),
  area('src/engine/connection/server/', 'engine/connection/postgresql/', 'engine/connection/mysql/'),
  area('src/engine/connection/trino/', 'acceptance/trino/'),
  area('src/engine/project/', 'acceptance/cli/scripts', 'docs/reference/projects.md'),
  area('src/engine/result/', 'acceptance/http/exec-answers', 'acceptance/http/recorded-runs'),
  area('src/engine/run/', 'acceptance/cli/run-reports', 'acceptance/cli/testing'),
  area('src/engine/run/publish/', 'acceptance/cli/publishing', 'docs/reference/publishing.md'),
  area('src/engine/script/', 'engine/script/golden', 'acceptance/cli/scripts', 'docs/language-pages'),
  area('src/engine/script/check/', 'docs/guides/script-language.md'),
  area('src/engine/script/params/', 'acceptance/cli/params', 'docs/reference/parameters.md'),
  area('src/engine/script/syntax/', 'web/language/', 'docs/reference/language.md'),
  area('src/engine/script/values/', 'docs/reference/library.md'),
  area('src/engine/text/', 'acceptance/cli/scripts', 'acceptance/cli/params', 'web/language/'),
];

const EXECUTION: readonly Area[] = [
  area('src/execution/', 'acceptance/http/exec-endpoints', 'acceptance/server/executions'),
  area('src/server/local/', 'acceptance/server/command-line', 'acceptance/server/executions'),
  area('src/execution/engine-process/', 'acceptance/http/exec-queue', 'acceptance/http/exec-promises'),
  area('src/execution/frames/', 'execution/engine-process/', 'server/local/'),
  area(
    'src/execution/in-thread/',
    'acceptance/cli/interrupting',
    'acceptance/cli/running',
    'acceptance/cli/repl',
  ),
  area('src/execution/registry/', 'acceptance/http/exec-queue', 'acceptance/server/limits'),
  area('src/execution/results/', 'acceptance/http/kept-executions', 'acceptance/http/recorded-runs'),
  area('src/provider-log/', 'server/saml/', 'server/scim/', 'server/manage/'),
  area('src/query-log/', 'acceptance/cli/queries', 'server/exec/query-log', 'server/manage/'),
];

const IDENTITY: readonly Area[] = [
  area('src/identity/', 'acceptance/http/permissions', 'acceptance/cli/users'),
  area('src/identity/audit/', 'acceptance/cli/audit'),
  area('src/identity/grants/', 'acceptance/cli/grants', 'acceptance/server/attacks'),
  area('src/identity/passwords/', 'acceptance/console/profile', 'docs/reference/passwords.md'),
  area('src/identity/saml/', 'acceptance/cli/sso-', 'acceptance/console/single-sign-on', 'acceptance/sso/'),
  area(
    'src/identity/scim/',
    'acceptance/http/scim-users',
    'acceptance/http/scim-groups',
    'acceptance/http/scim-lists',
  ),
  area('src/identity/secrets/', 'acceptance/cli/connections', 'acceptance/server/secrets'),
  area('src/identity/sessions/', 'acceptance/console/sessions'),
  area('src/identity/sign-on/', 'acceptance/console/single-sign-on', 'acceptance/sso/'),
  area('src/identity/tokens/', 'acceptance/cli/tokens', 'acceptance/console/tokens'),
];

const SEMANTIC: readonly Area[] = [
  area(
    'src/semantic/',
    'acceptance/cli/semantic-query',
    'acceptance/cli/semantic.',
    'acceptance/http/semantic-layer',
  ),
  area('src/semantic/export/', 'acceptance/cli/semantic-import'),
  area('src/semantic/import/', 'acceptance/cli/semantic-import', 'docs/guides/semantic-import.md'),
  area('src/semantic/sql/', 'semantic/dialects', 'semantic/compiler-rows', 'docs/functions-table'),
  area('src/semantic/syntax/', 'semantic/translate/', 'docs/statements'),
  area('src/semantic/tests/', 'acceptance/cli/model-tests'),
  area(
    'src/semantic/translate/',
    'acceptance/cli/semantic-scripts',
    'docs/statements',
    'docs/functions-table',
  ),
];

const SERVER: readonly Area[] = [
  area('src/server/', 'acceptance/http/general', 'acceptance/http/methods', 'acceptance/server/starting'),
  area('src/server/auth/', 'acceptance/http/permissions', 'acceptance/server/attacks'),
  area(
    'src/server/catalog/',
    'acceptance/http/change',
    'acceptance/http/creation',
    'acceptance/http/reading',
  ),
  area(
    'src/server/console/',
    'acceptance/console/pages',
    'acceptance/console/sessions',
    'acceptance/console/profile',
  ),
  area('src/server/documentation/', 'acceptance/server/documentation'),
  area('src/server/exec/', 'acceptance/http/exec-', 'acceptance/http/kept-executions'),
  area('src/server/fields/', 'acceptance/http/bodies'),
  area('src/server/http/', 'acceptance/http/bodies', 'acceptance/http/paths', 'acceptance/server/limits'),
  area('src/server/log/', 'acceptance/server/failing-log', 'docs/guides/server-logs.md'),
  area('src/server/manage/', 'acceptance/http/history', 'acceptance/http/permissions'),
  area('src/server/openapi/', 'acceptance/http/clients'),
  area('src/server/saml/', 'acceptance/console/single-sign-on', 'acceptance/sso/'),
  area('src/server/scim/', 'acceptance/http/scim-', 'acceptance/server/doctor-scim'),
  area('src/server/semantic-layer/', 'acceptance/http/semantic-'),
  area('src/server/tls/', 'acceptance/server/tls'),
];

const BASE: readonly Area[] = [
  area('src/bodies/', 'server/openapi/', 'acceptance/http/general'),
  area('src/errors/', 'acceptance/http/general', 'docs/troubleshooting'),
  area('src/settings/', 'acceptance/cli/config', 'acceptance/server/starting', 'docs/generated-parts'),
  area(
    'src/store/',
    'acceptance/http/durability',
    'acceptance/cli/backup',
    'acceptance/cli/compact',
    'acceptance/cli/read-only-home',
  ),
  area(
    'src/store/migrations/',
    'store/',
    'identity/sessions/',
    'identity/accounts/',
    'acceptance/server/starting',
  ),
  area('src/workspace/', 'acceptance/cli/running', 'acceptance/server/command-line'),
  area('src/workspace/backup/', 'acceptance/cli/backup', 'acceptance/server/backup'),
  area('src/workspace/home/', 'acceptance/cli/home', 'acceptance/server/starting'),
  area('src/workspace/limits/', 'acceptance/server/limits'),
  area(
    'src/workspace/load/',
    'acceptance/cli/loading',
    'acceptance/cli/pipes',
    'acceptance/cli/load-settings',
  ),
  area('src/workspace/models/', 'acceptance/cli/semantic.', 'acceptance/http/semantic-layer'),
  area('src/workspace/runs/', 'acceptance/http/exec-endpoints', 'acceptance/cli/scripts'),
  area('src/workspace/setup/', 'acceptance/cli/home'),
  area('src/workspace/sign-on/', 'acceptance/console/single-sign-on'),
];

const CONSOLE: readonly Area[] = [
  area('web/', 'acceptance/console/pages', 'acceptance/console/shell'),
  area('web/api/', 'acceptance/console/access', 'acceptance/console/browser'),
  area('web/api/catalog/', 'acceptance/console/catalog/'),
  area('web/api/editor/', 'acceptance/console/editor/'),
  area('web/api/runs/', 'acceptance/console/results/', 'acceptance/console/editor/run'),
  area('web/components/', 'acceptance/console/access', 'acceptance/console/tokens'),
  area('web/components/catalog/', 'acceptance/console/catalog/'),
  area('web/components/chart/', 'acceptance/console/results/chart'),
  area('web/components/editor/', 'acceptance/console/editor/'),
  area('web/components/palette/', 'acceptance/console/palette'),
  area('web/components/profile/', 'acceptance/console/access'),
  area('web/components/results/', 'acceptance/console/results/', 'acceptance/console/editor/run'),
  area('web/language/', 'acceptance/console/editor/language', 'web/language/'),
  area('web/lineage/', 'acceptance/lineage/'),
  area('web/pages/', 'acceptance/console/access', 'acceptance/console/tokens'),
  area('web/pages/catalog/', 'acceptance/console/catalog/', 'acceptance/console/editor/edit'),
  area('web/pages/runs/', 'acceptance/console/results/'),
  area('web/pages/sql/', 'acceptance/console/results/', 'acceptance/console/editor/run'),
];

const OTHERS: readonly Area[] = [
  area('.ci/', 'acceptance/deploy/ci-files'),
  area('.github/', 'docs/repository-files'),
  area('CONTRIBUTING.md', 'docs/project-pages', 'docs/rules', 'architecture'),
  area('README.md', 'docs/project-pages', 'docs/rules'),
  area('SECURITY.md', 'docs/repository-files', 'docs/rules'),
  area('Dockerfile', 'acceptance/deploy/image'),
  area('action.yml', 'acceptance/deploy/action'),
  area('bench/', 'docs/decisions', 'docs/citations'),
  area('bin/', 'bin/'),
  area('deploy/', 'acceptance/deploy/'),
  area('docs/', 'docs/rules', 'docs/generated-parts', 'documentation/documentation'),
  area('docs/adr/', 'docs/decisions'),
  area('docs/guides/troubleshooting', 'docs/troubleshooting'),
  area('docs/guides/trino', 'acceptance/trino/guide'),
  area('docs/images/', 'docs/terminal-picture', 'docs/project-pages'),
  area('docs/openapi.json', 'server/openapi/', 'acceptance/http/clients'),
  area('docs/reference/drivers', 'docs/driver-table'),
  area('docs/reference/errors', 'errors/error-codes'),
  area('docs/reference/library', 'docs/language-pages'),
  area('docs/reference/publishing', 'docs/language-pages'),
  area('docs/reference/saml', 'identity/saml/documented-checks'),
  area('docs/reference/semantic-sql', 'docs/functions-table', 'docs/statements'),
  area('docs/tutorial/', 'docs/tutorial'),
  area(
    'fixtures/demo/',
    'acceptance/cli/loading',
    'acceptance/cli/semantic-query',
    'docs/guides/first-steps.md',
  ),
  area('fixtures/script/', 'engine/script/golden', 'web/language/'),
  area(
    'fixtures/semantic/',
    'semantic/bad-models',
    'semantic/compiler-rows',
    'semantic/dialects',
    'semantic/oracle',
  ),
  area('fixtures/semantic/import/', 'semantic/import/', 'acceptance/cli/semantic-import'),
  area('fixtures/semantic/statements/', 'semantic/translate/', 'docs/statements'),
  area('fixtures/shop/', 'acceptance/cli/shop'),
  area(
    'fixtures/warehouse/',
    'acceptance/cli/publishing',
    'acceptance/cli/scripts',
    'acceptance/cli/warehouse',
  ),
  area('package', 'architecture', 'docs/project-pages', 'docs/tarball', 'bin/'),
  area('schema/', 'semantic/model/model-schema'),
  area('schema/saml/', 'identity/saml/protocol/'),
  area('scripts/', 'bin/bundle', 'docs/tarball'),
  area('scripts/docs/', 'docs/generated-parts'),
  area('scripts/picture/', 'docs/terminal-picture'),
  area('test/clickhouse/', 'semantic/clickhouse'),
  area('test/clients/', 'acceptance/http/clients', 'acceptance/http/schemathesis'),
  area('test/deploy/', 'acceptance/deploy/'),
  area('test/googlesql/', 'semantic/bigquery'),
  area('test/keycloak/', 'acceptance/sso/keycloak'),
  area('test/openpyxl/', 'acceptance/cli/xlsx-results'),
  area('test/trino/', 'acceptance/trino/', 'engine/connection/trino/driver'),
  area('test/words/', 'words/'),
];

export const AREAS: readonly Area[] = [
  ...CATALOG,
  ...COMMAND_LINE,
  ...ENGINE,
  ...EXECUTION,
  ...IDENTITY,
  ...SEMANTIC,
  ...SERVER,
  ...BASE,
  ...CONSOLE,
  ...OTHERS,
];

/** Tests that read all sources; new code of `src` and `web` breaks them most often. */
export const SOURCE_RULES: readonly string[] = [
  'architecture',
  'casts',
  'module-state',
  'docs/citations',
  'settings/one-place',
  'errors/error-codes',
];

/** The tests and pages that an entry of `tests` names. */
export function listNamed(entry: string, files: readonly string[]): readonly string[] {
  if (entry.endsWith('.md')) return files.filter((file) => file === entry);
  return files.filter((file) => file.endsWith('.test.ts') && file.startsWith(`test/${entry}`));
}

/** The areas of a changed file, the smallest first. */
export function findAreas(file: string, areas: readonly Area[] = AREAS): readonly Area[] {
  return areas
    .filter(({ changed }) => file.startsWith(changed))
    .toSorted((one, other) => other.changed.length - one.changed.length);
}
