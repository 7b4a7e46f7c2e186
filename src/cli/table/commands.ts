// The command line as data. The parser, the help, the completion and the documentation read this table, and the
// compiler gives each command the types of its options.

import { SETTINGS } from '../../settings/table.ts';
import type { Command, OptionValues } from '../context/command.ts';
import type { CliContext } from '../context/context.ts';
import type { ExitCode } from '../context/exit-codes.ts';
import { ACCOUNT_COMMANDS } from './account-commands.ts';
import { ADMIN_COMMANDS } from './admin-commands.ts';
import { CATALOG_COMMANDS } from './catalog-commands.ts';
import { CONFIG_COMMANDS } from './config-commands.ts';
import { CONNECTION_COMMANDS } from './connection-commands.ts';
import { GRANT_COMMANDS } from './grant-commands.ts';
import { LOAD_COMMAND } from './load-command.ts';
import { PROJECT_COMMANDS } from './project-commands.ts';
import { SAMPLE_FOLDER } from './sample-folder.ts';
import { SEMANTIC_COMMANDS } from './semantic-commands.ts';
import { SETTING_OPTIONS } from './setting-options.ts';
import {
  BIND,
  BIND_FILE,
  ENVIRONMENT,
  FILE,
  JSON_OPTION,
  NO_PAGER,
  PROJECT,
  RUN_OPTIONS,
  SCRIPT_OPTIONS,
  SESSION_OPTIONS,
  SQL_ONLY,
  UTC,
} from './shared-options.ts';
import { SSO_COMMANDS } from './sso-commands.ts';
import { TOPICS } from './topics.ts';

/** Every built-in command, in the order of the help. */
export const COMMANDS = [
  {
    name: 'demo',
    summary: 'create a sample project with data, run it, and show what to try next',
    args: [{ name: '[dir]', summary: `folder of the sample project (default: ${SAMPLE_FOLDER})` }],
    options: [],
    examples: ['quern demo', 'quern demo flights'],
  },
  {
    name: 'init',
    summary: 'create a home in DIR/.quern and a project in DIR',
    args: [{ name: '[dir]', summary: 'folder (default: the current one)' }],
    options: [
      { flags: '--empty', summary: 'create only the home, without a project' },
      { flags: '--admin <name>', summary: 'user name of the first administrator (default: admin)' },
      {
        flags: '--admin-email <email>',
        summary:
          'e-mail address of the first administrator (default: the user name if it is one, else admin@localhost)',
      },
    ],
    examples: ['quern init shop', 'quern init home --empty --admin ada --admin-email ada@example.org'],
  },
  LOAD_COMMAND,
  {
    name: 'exec',
    summary: 'run a script from the catalog or a file',
    args: [{ name: '<script>', summary: 'catalog path (starts with @), a file, or - for standard input' }],
    options: [
      ...RUN_OPTIONS,
      ENVIRONMENT,
      PROJECT,
      { flags: '--dry-run', summary: 'print the SQL without running it' },
    ],
    examples: [
      'quern exec report.sql --param year=2027',
      'quern exec @Shared/flights/busiest_routes -p origin=ORD --format json --output routes.json',
    ],
  },
  {
    name: 'exec-block',
    summary: 'run one block or test of a package',
    args: [
      { name: '<package>', summary: 'folder of the catalog (starts with @) or on disk, or import path' },
      { name: '<block>', summary: 'name of the block' },
    ],
    options: [
      { flags: '--arg <name=json>', summary: 'argument of the block; repeatable', reader: 'list' },
      ...RUN_OPTIONS,
      ENVIRONMENT,
      PROJECT,
    ],
    examples: [`quern exec-block shop Orders --arg status='"open"'`],
  },
  {
    name: 'sql',
    summary: 'run a SQL statement',
    args: [{ name: '[sql]', summary: 'SQL, or - for standard input (default without a terminal)' }],
    options: [FILE, BIND, BIND_FILE, ...RUN_OPTIONS],
    examples: [
      "quern sql 'SELECT 42 AS answer'",
      'quern sql --file report.sql --param year=2027 --format csv',
      "echo 'SELECT 1' | quern sql",
      "quern sql 'SELECT $name AS name' --bind name=\"O'Brien\"",
    ],
  },
  {
    name: 'repl',
    summary: 'start an interactive SQL session',
    args: [],
    options: SESSION_OPTIONS,
    examples: ['quern repl', 'quern repl --connection duckdb --expanded'],
  },
  {
    name: 'compile',
    summary: 'print the SQL of a script, step by step, with the origin of each line',
    args: [{ name: '<script>', summary: 'catalog path (starts with @), or a file' }],
    options: [...SCRIPT_OPTIONS, SQL_ONLY, JSON_OPTION],
    examples: ['quern compile report.sql --param year=2027'],
  },
  ...PROJECT_COMMANDS,
  {
    name: 'check',
    summary: 'check scripts without running them',
    args: [
      { name: '[paths...]', summary: 'files or folders, or catalog paths (default: the current folder)' },
    ],
    options: [...SCRIPT_OPTIONS, JSON_OPTION],
    examples: ['quern check', 'quern check shop report.sql'],
  },
  {
    name: 'doctor',
    summary: 'check the installation, the home, or the SCIM interface of a server',
    args: [],
    options: [
      {
        flags: '--scim <url>',
        summary: `check the SCIM interface of a server; ${SETTINGS.scimToken.variable} has a token of an administrator`,
      },
      { flags: '--write', summary: 'with --scim: also create, change and delete a user and a group' },
      JSON_OPTION,
    ],
    examples: ['quern doctor'],
  },
  ...SEMANTIC_COMMANDS,
  ...CATALOG_COMMANDS,
  ...CONNECTION_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...GRANT_COMMANDS,
  ...SSO_COMMANDS,
  ...CONFIG_COMMANDS,
  ...ADMIN_COMMANDS,
  {
    name: 'serve',
    summary: 'start the HTTP server',
    args: [],
    options: SETTING_OPTIONS,
    examples: ['quern serve', 'quern serve --host 0.0.0.0 --port 8443 --tls-cert cert.pem --tls-key key.pem'],
  },
  {
    name: 'ui',
    summary: "sign in to the console in a browser as the home's owner; start a server if none runs",
    args: [
      {
        name: '[script]',
        summary: `script of the catalog to open and run (default: the setting ${SETTINGS.uiScript.key})`,
      },
    ],
    options: [
      { flags: '--no-open', summary: 'print the file to open, and open no browser' },
      ...SETTING_OPTIONS,
    ],
    examples: ['quern ui', 'quern ui @Shared/reports/monthly', 'quern ui --no-open --port 8090'],
  },
  {
    name: 'ps',
    summary: 'list running and queued executions of the server',
    args: [],
    options: [UTC, JSON_OPTION],
    examples: ['quern ps'],
  },
  {
    name: 'kill',
    summary: 'cancel a running or queued execution of the server',
    args: [{ name: '<id>', summary: 'ID of the execution; `quern ps` lists them' }],
    options: [],
    examples: ['quern kill 0197a1b2-c3d4-7000-8000-000000000001'],
  },
  {
    name: 'completion',
    summary: 'print the completion code of a shell',
    args: [
      { name: '<shell>', summary: 'bash, zsh or fish' },
      { name: '[line]', summary: 'used by the completion code' },
    ],
    options: [],
    examples: ['source <(quern completion bash)', 'quern completion fish > quern.fish'],
  },
  {
    name: 'docs',
    summary: 'show a page of the documentation, or list all pages',
    args: [{ name: '[page...]', summary: 'name of a page, or words of its name or title, such as backups' }],
    options: [{ flags: '--search <words>', summary: 'list the sections that contain these words' }, NO_PAGER],
    examples: ['quern docs', 'quern docs backups', "quern docs --search 'full refresh'"],
  },
  {
    name: 'help',
    summary: 'show help for a command or a topic',
    args: [
      { name: '[words...]', summary: `command, or topic: ${TOPICS.map(({ name }) => name).join(', ')}` },
    ],
    options: [],
    examples: ['quern help sql', 'quern help exit-codes'],
  },
] as const satisfies readonly Command[];

/** The name of a command, as it is called. */
export type CommandName = (typeof COMMANDS)[number]['name'];

/** The options that a command is given, by what the table says of them. */
export type OptionsOf<Name extends CommandName> = OptionValues<
  Extract<(typeof COMMANDS)[number], { readonly name: Name }>['options']
>;

/** What a command of the table does. */
export type RunCommand<Name extends CommandName> = (
  context: CliContext,
  input: { readonly args: readonly string[]; readonly options: OptionsOf<Name> },
) => Promise<ExitCode>;
