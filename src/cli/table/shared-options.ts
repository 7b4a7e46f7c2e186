import type { CommandOption, OptionValues } from '../context/command.ts';

export const JSON_OPTION = { flags: '--json', summary: 'print JSON' } as const satisfies CommandOption;
/** Of listings, which show local times on a terminal. */
export const UTC = { flags: '--utc', summary: 'show times in UTC' } as const satisfies CommandOption;
/** Of listings of logs and revisions. */
export const LIST_LIMIT = {
  flags: '--limit <rows>',
  summary: 'return at most this many rows (default: 100; at most 1000)',
  reader: 'positive',
} as const satisfies CommandOption;
/** Of every command that deletes. */
export const YES = {
  flags: '-y, --yes',
  summary: 'do not ask for confirmation',
} as const satisfies CommandOption;
export const OUTPUT = {
  flags: '-o, --output <file>',
  summary: 'write to a file (default: standard output)',
} as const satisfies CommandOption;
const FORMAT = {
  flags: '-f, --format <format>',
  summary:
    'table, json, ndjson, csv, tsv, markdown, arrow, parquet or xlsx (default: table on a terminal, else csv)',
} as const satisfies CommandOption;
export const NO_PAGER = {
  flags: '--no-pager',
  summary: 'do not page output that is larger than the terminal',
} as const satisfies CommandOption;
/** How a result is shown on a terminal. */
const TERMINAL_OPTIONS = [
  { flags: '-x, --expanded', summary: 'print each row of a table as lines of column and value' },
  NO_PAGER,
] as const satisfies readonly CommandOption[];

/** How the result of a run is written. */
export const ANSWER_OPTIONS = [
  FORMAT,
  JSON_OPTION,
  { flags: '--no-header', summary: 'the first line of csv is a row' },
  { flags: '--bom', summary: 'begin csv with a byte order mark, so that Excel reads it as UTF-8' },
  {
    flags: '--escape-formulas',
    summary: "write ' before texts of csv that spreadsheet programs read as formulas",
  },
  {
    flags: '--numbers <form>',
    summary: 'number (default) or string: how json and ndjson write integers that a double cannot represent',
  },
  OUTPUT,
  ...TERMINAL_OPTIONS,
] as const satisfies readonly CommandOption[];

/** Of commands that run one statement. */
export const FILE = {
  flags: '--file <file>',
  summary: 'read the SQL from a file',
} as const satisfies CommandOption;

/** How long a run may take. */
export const TIMEOUT = {
  flags: '--timeout <seconds>',
  summary: 'stop after this many seconds',
  reader: 'positive',
} as const satisfies CommandOption;

/** Of commands that can show the SQL of what they read. */
export const SQL_ONLY = {
  flags: '--sql',
  summary: 'print only the SQL, and run nothing',
} as const satisfies CommandOption;
export const DESCRIPTION = {
  flags: '--description <text>',
  summary: 'text that describes its purpose',
} as const satisfies CommandOption;
/** Of commands that create something under a name. */
export const REPLACE = {
  flags: '--replace',
  summary: 'replace an existing one with the same name',
} as const satisfies CommandOption;

export const IF_MATCH = {
  flags: '--if-match <revision>',
  summary: 'change the item only if it is at this revision',
} as const satisfies CommandOption;
const PARAM = {
  flags: '-p, --param <name=value>',
  summary: 'value of a script parameter; repeatable',
  reader: 'list',
} as const satisfies CommandOption;
const PARAMS_FILE = {
  flags: '--params-file <file>',
  summary: 'JSON object with values of script parameters',
} as const satisfies CommandOption;
/** Of commands that run one statement. */
export const BIND = {
  flags: '--bind <name=value>',
  summary: 'value of a placeholder: 1=… for $1, name=… for $name; repeatable',
  reader: 'list',
} as const satisfies CommandOption;
export const BIND_FILE = {
  flags: '--bind-file <file>',
  summary: 'JSON array or object with values of placeholders',
} as const satisfies CommandOption;
export const CONNECTION = {
  flags: '-c, --connection <name>',
  summary: 'connection to run on (default: duckdb)',
} as const satisfies CommandOption;
export const OVERRIDE = {
  flags: '--override <key=value>',
  summary: 'connection parameter for this run: database or schema; repeatable',
  reader: 'list',
} as const satisfies CommandOption;
export const ENVIRONMENT = {
  flags: '--env <name>',
  summary: 'environment of the project (default: as project.toml says)',
} as const satisfies CommandOption;
export const PROJECT = {
  flags: '--project <dir>',
  summary: 'project on disk to search for dependencies; repeatable',
  reader: 'list',
} as const satisfies CommandOption;
/** Of commands that run text of the catalog. */
export const UNRESTRICTED = {
  flags: '--unrestricted',
  summary: 'run text of the catalog without the restrictions of a server',
} as const satisfies CommandOption;
export const SCRIPT_OPTIONS = [PARAM, PARAMS_FILE, ENVIRONMENT, PROJECT] as const;
export const RUN_OPTIONS = [
  PARAM,
  PARAMS_FILE,
  CONNECTION,
  OVERRIDE,
  ...ANSWER_OPTIONS,
  { flags: '--limit <rows>', summary: 'return at most this many rows', reader: 'count' },
  TIMEOUT,
  UNRESTRICTED,
] as const satisfies readonly CommandOption[];

/** Of an interactive session. */
export const SESSION_OPTIONS = [
  CONNECTION,
  FORMAT,
  JSON_OPTION,
  ...TERMINAL_OPTIONS,
  TIMEOUT,
  UNRESTRICTED,
] as const;

/** The values of options that several commands share. */
export type ScriptOptions = OptionValues<typeof SCRIPT_OPTIONS>;
export type AnswerOptions = OptionValues<readonly [...typeof ANSWER_OPTIONS, typeof TIMEOUT]>;
export type RunOptions = OptionValues<typeof RUN_OPTIONS>;
