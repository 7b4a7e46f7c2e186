/** Where the help of `quern` lists a command. */
type Heading = 'Get started' | 'Run SQL' | 'Build and test' | 'Semantic models' | 'Manage' | 'Serve' | 'More';

/** A word that several commands begin with. */
interface Group {
  readonly summary: string;
  /** Another word for it, which help does not list. */
  readonly alias?: string;
}

/** The first words of commands of two and three words. */
export const COMMAND_GROUPS: Readonly<Record<string, Group>> = {
  catalog: { summary: 'manage scripts and folders of the catalog' },
  connection: { summary: 'manage connections to databases', alias: 'connections' },
  user: { summary: 'manage users', alias: 'users' },
  group: { summary: 'manage groups of users', alias: 'groups' },
  token: { summary: 'manage personal access tokens', alias: 'tokens' },
  grant: { summary: 'manage permissions', alias: 'grants' },
  sso: { summary: 'manage single sign-on' },
  saml: { summary: 'manage sign-in by SAML 2.0' },
  semantic: { summary: 'query and manage semantic models' },
  config: { summary: 'show and change settings' },
  admin: { summary: 'back up, check and audit a home' },
};

/** The heading of each first word. */
export const HEADING_OF: Readonly<Record<string, Heading>> = {
  demo: 'Get started',
  init: 'Get started',
  load: 'Get started',
  exec: 'Run SQL',
  'exec-block': 'Run SQL',
  sql: 'Run SQL',
  repl: 'Run SQL',
  compile: 'Run SQL',
  build: 'Build and test',
  plan: 'Build and test',
  ls: 'Build and test',
  lineage: 'Build and test',
  test: 'Build and test',
  check: 'Build and test',
  doctor: 'Build and test',
  semantic: 'Semantic models',
  catalog: 'Manage',
  connection: 'Manage',
  user: 'Manage',
  group: 'Manage',
  token: 'Manage',
  grant: 'Manage',
  sso: 'Manage',
  config: 'Manage',
  admin: 'Manage',
  serve: 'Serve',
  ui: 'Serve',
  ps: 'Serve',
  kill: 'Serve',
  completion: 'More',
  docs: 'More',
  help: 'More',
};
