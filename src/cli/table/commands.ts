import { SETTINGS } from '../../settings/table.ts';
import type { Command, Options } from '../context/command.ts';
import type { CliContext } from '../context/context.ts';
import type { ExitCode } from '../context/exit-codes.ts';
import { ACCOUNT_COMMANDS } from './account-commands.ts';
import { ADMIN_COMMANDS } from './admin-commands.ts';
import { CONFIG_COMMANDS } from './config-commands.ts';
import { GRANT_COMMANDS } from './grant-commands.ts';
import { SEMANTIC_COMMANDS } from './semantic-commands.ts';
import { SETTING_OPTIONS } from './setting-options.ts';
import {
  CONNECTION,
  ENVIRONMENT,
  IF_MATCH,
  JSON_OPTION,
  OVERRIDE,
  PROJECT,
  RUN_OPTIONS,
  SCRIPT_OPTIONS,
  TIMEOUT,
  YES,
} from './shared-options.ts';
import { SSO_COMMANDS } from './sso-commands.ts';

/** Every built-in command, in the order in which help shows them. */
export const COMMANDS = [
  {
    name: 'demo',
    summary: 'write a sample project with real data, load it, run it, and say what to try next',
    args: [{ name: '[dir]', summary: 'folder of the sample (default: quern-demo)' }],
    options: [],
  },
  {
    name: 'init',
    summary: 'make a home in DIR/.quern and a project in DIR',
    args: [{ name: '[dir]', summary: 'folder (default: the current one)' }],
    options: [
      { flags: '--empty', summary: 'make the home alone, without a project' },
      { flags: '--admin <name>', summary: "the first administrator's user name (default: admin)" },
      {
        flags: '--admin-email <email>',
        summary: 'and e-mail address (default: the name, if it is one, else admin@localhost)',
      },
    ],
  },
  {
    name: 'load',
    summary: 'load csv, parquet or json files into a table and show the types found',
    args: [
      {
        name: '<files...>',
        summary: 'files, folders, patterns, pipes, or - for standard input; several become one table',
      },
    ],
    options: [
      { flags: '--table <name>', summary: "table to make: name or schema.name (default: the file's name)" },
      { flags: '--replace', summary: 'replace a table that is there' },
      {
        flags: '--type <type>',
        summary: 'csv, parquet or json (default: as the name says, or the first bytes of a pipe)',
      },
      { flags: '--delimiter <text>', summary: 'what separates the columns of csv, such as ; or \\t' },
      { flags: '--quote <character>', summary: "what encloses values of csv; '' takes quotes as text" },
      { flags: '--header', summary: 'the first line of csv has the names of the columns' },
      { flags: '--no-header', summary: 'the first line of csv is a row' },
      {
        flags: '--encoding <name>',
        summary: 'encoding of csv or json, such as windows-1252 (default: utf-8)',
      },
      {
        flags: '--null <text>',
        summary: 'text of csv that stands for NULL, besides the empty one; may be repeated',
        reader: 'list',
      },
      {
        flags: '--types <column=type>',
        summary: 'types of columns of csv or json, as in id=VARCHAR,price=DECIMAL(9,2); may be repeated',
        reader: 'list',
      },
      { flags: '--union-by-name', summary: 'take the columns of all files, with NULL where a file has none' },
      { flags: '--connection <name>', summary: 'connection to load into (default: duckdb)' },
      JSON_OPTION,
    ],
  },
  {
    name: 'catalog ls',
    summary: 'list a folder of the catalog, or its namespaces',
    args: [{ name: '[path]', summary: 'folder, such as @Shared' }],
    options: [{ flags: '-l, --long', summary: 'with type and time of the last change' }, JSON_OPTION],
  },
  {
    name: 'catalog get',
    summary: "print a script's text",
    args: [{ name: '<path>', summary: 'path of the asset' }],
    options: [{ flags: '--json', summary: 'print the whole record, with its revision' }],
  },
  {
    name: 'catalog put',
    summary: 'store a file as an asset, new or in place of what is there',
    args: [
      { name: '<file>', summary: 'file to store, or - for standard input' },
      { name: '<path>', summary: "path of the asset, or a folder to store it in under the file's name" },
    ],
    options: [IF_MATCH, { flags: '--description <text>', summary: 'what the asset is for' }, JSON_OPTION],
  },
  {
    name: 'catalog mkdir',
    summary: 'make a folder',
    args: [{ name: '<path>', summary: 'path of the new folder' }],
    options: [
      { flags: '-p, --parents', summary: 'make missing folders above it, and accept one that is there' },
      { flags: '--project', summary: 'make a project folder' },
      JSON_OPTION,
    ],
  },
  {
    name: 'catalog mv',
    summary: 'rename or move a folder or an asset',
    args: [
      { name: '<path>', summary: 'what to move' },
      { name: '<newpath>', summary: 'its new path, or a folder to move it into' },
    ],
    options: [IF_MATCH, JSON_OPTION],
  },
  {
    name: 'catalog rm',
    summary: 'delete an asset or an empty folder',
    args: [{ name: '<path>', summary: 'what to delete' }],
    options: [IF_MATCH, { flags: '-r, --recursive', summary: 'delete a folder with everything in it' }, YES],
  },
  {
    name: 'connections ls',
    summary: 'list the connections',
    args: [],
    options: [JSON_OPTION],
  },
  {
    name: 'connections add',
    summary: 'name a database, with what is needed to open it',
    args: [{ name: '<name>', summary: 'name of the connection' }],
    options: [
      { flags: '--kind <kind>', summary: 'duckdb, postgresql, mysql or semantic' },
      {
        flags: '--set <key=value>',
        summary: 'an option of the kind (`quern connections describe KIND` lists them); may be repeated',
        reader: 'list',
      },
      {
        flags: '--secret <key>',
        summary:
          'a secret one, asked for or read from standard input; key=env:VARIABLE takes it from the environment',
        reader: 'list',
      },
      {
        flags: '--allow-override <key>',
        summary: 'runs may override this and nothing else; may be repeated (default: as the kind says)',
        reader: 'list',
      },
      { flags: '--no-overrides', summary: 'runs may override nothing' },
      {
        flags: '--timeout <seconds>',
        summary: 'stop runs on it after this long, unless they say otherwise',
        reader: 'positive',
      },
      {
        flags: '--max-sessions <number>',
        summary: 'open so many sessions at once (default: as the kind says)',
        reader: 'positive',
      },
      { flags: '--description <text>', summary: 'what it is for' },
      { flags: '--replace', summary: 'replace one of that name, secrets and all' },
      JSON_OPTION,
    ],
  },
  {
    name: 'connections test',
    summary: 'open a connection and ask its database for its version',
    args: [{ name: '<name>', summary: 'name of the connection' }],
    options: [TIMEOUT, JSON_OPTION],
  },
  {
    name: 'connections describe',
    summary: 'show a connection without its secrets, or the options of a kind',
    args: [
      { name: '<name>', summary: 'name of the connection, or a kind: duckdb, postgresql, mysql, semantic' },
    ],
    options: [JSON_OPTION],
  },
  {
    name: 'connections rm',
    summary: 'delete a connection and its secrets; its database stays',
    args: [{ name: '<name>', summary: 'name of the connection' }],
    options: [YES],
  },
  ...ACCOUNT_COMMANDS,
  ...GRANT_COMMANDS,
  ...SSO_COMMANDS,
  {
    name: 'exec',
    summary: 'run a script of the catalog or a file',
    args: [{ name: '<script>', summary: 'catalog path (it begins with @), a file, or - for standard input' }],
    options: [
      ...RUN_OPTIONS,
      ENVIRONMENT,
      PROJECT,
      { flags: '--dry-run', summary: 'print the SQL that would run, and run nothing' },
    ],
  },
  {
    name: 'exec-block',
    summary: 'run one block or test of a package',
    args: [
      { name: '<package>', summary: 'folder of the catalog (it begins with @) or on disk, or import path' },
      { name: '<block>', summary: 'name of the block' },
    ],
    options: [
      { flags: '--arg <name=json>', summary: 'argument of the block; may be repeated', reader: 'list' },
      ...RUN_OPTIONS,
      ENVIRONMENT,
      PROJECT,
    ],
  },
  {
    name: 'sql',
    summary: 'run SQL',
    args: [{ name: '<sql>', summary: 'the SQL, @FILE for a file, or - for standard input' }],
    options: RUN_OPTIONS,
  },
  {
    name: 'test',
    summary: 'run data tests, which pass when they return no rows',
    args: [
      {
        name: '[selectors...]',
        summary:
          'packages, their folders, package.TestName, or patterns such as "sources/*" (default: all of the project)',
      },
    ],
    options: [
      ...SCRIPT_OPTIONS,
      CONNECTION,
      ENVIRONMENT,
      OVERRIDE,
      { flags: '--exclude <selector>', summary: 'leave these out; may be repeated', reader: 'list' },
      { flags: '--fail-fast', summary: 'stop at the first test that fails' },
      { flags: '--parallel <number>', summary: 'run so many at once', reader: 'positive' },
      {
        flags: '--reporter <name>',
        summary: 'list, dot, tap, github, junit=FILE, json=FILE; may be repeated',
        reader: 'list',
      },
      { flags: '--allow-none', summary: 'succeed when there are no tests' },
      { flags: '--rerun-failed', summary: 'run the tests that failed the last time' },
      TIMEOUT,
    ],
  },
  {
    name: 'compile',
    summary: 'print the SQL that a script becomes, step by step, with the origin of every line',
    args: [{ name: '<script>', summary: 'catalog path (it begins with @), or a file' }],
    options: [
      ...SCRIPT_OPTIONS,
      { flags: '--sql', summary: 'print the SQL alone' },
      { flags: '--json', summary: 'print the steps as JSON' },
    ],
  },
  {
    name: 'check',
    summary: 'find what is wrong in scripts, without running them',
    args: [
      { name: '[paths...]', summary: 'files or folders, or catalog paths (default: the current folder)' },
    ],
    options: [...SCRIPT_OPTIONS, { flags: '--json', summary: 'print the findings as JSON' }],
  },
  ...SEMANTIC_COMMANDS,
  {
    name: 'serve',
    summary: 'serve the home over HTTP until told to stop',
    args: [],
    options: SETTING_OPTIONS,
  },
  {
    name: 'ps',
    summary: 'list what runs and waits on the server of the home',
    args: [],
    options: [{ flags: '--json', summary: 'print the records as JSON' }],
  },
  {
    name: 'kill',
    summary: 'cancel what runs or waits on the server of the home',
    args: [{ name: '<id>', summary: 'its id, as `quern ps` prints it' }],
    options: [],
  },
  ...CONFIG_COMMANDS,
  ...ADMIN_COMMANDS,
  {
    name: 'doctor',
    summary: 'check this installation and the home, or how an identity provider sees a server',
    args: [],
    options: [
      {
        flags: '--scim <url>',
        summary: `check the SCIM interface of a server, with an administrator's token in ${SETTINGS.scimToken.variable}`,
      },
      { flags: '--write', summary: 'with --scim: make, change and delete a user and a group, too' },
      JSON_OPTION,
    ],
  },
] as const satisfies readonly Command[];

/** The name of a command, as it is called. */
export type CommandName = (typeof COMMANDS)[number]['name'];

/** The options that a command is given, by what the table says of them. */
export type OptionsOf<Name extends CommandName> = Options<
  Extract<(typeof COMMANDS)[number], { readonly name: Name }>['options']
>;

/** What a command of the table does. */
export type RunCommand<Name extends CommandName> = (
  context: CliContext,
  input: { readonly args: readonly string[]; readonly options: OptionsOf<Name> },
) => Promise<ExitCode>;
