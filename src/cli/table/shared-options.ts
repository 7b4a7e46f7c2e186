import type { CommandOption, Options } from '../context/command.ts';

export const JSON_OPTION = {
  flags: '--json',
  summary: 'print the record as JSON',
} as const satisfies CommandOption;
/** Of every command that deletes. */
export const YES = {
  flags: '-y, --yes',
  summary: 'delete without a question',
} as const satisfies CommandOption;
/** How the answer of a run is written. */
export const ANSWER_OPTIONS = [
  {
    flags: '--format <format>',
    summary: 'table, json, ndjson, csv, markdown, arrow, parquet (default: table on a terminal, else csv)',
  },
  {
    flags: '--numbers <form>',
    summary: 'number, or string for long numbers in json and ndjson of which a reader may lose digits',
  },
  { flags: '--output <file>', summary: 'write the result to a file, which appears only when all went well' },
] as const satisfies readonly CommandOption[];

/** When a run is given up. */
export const TIMEOUT = {
  flags: '--timeout <seconds>',
  summary: 'stop after this long',
  reader: 'positive',
} as const satisfies CommandOption;

export const IF_MATCH = {
  flags: '--if-match <revision>',
  summary: 'only when the item is still at this revision',
} as const satisfies CommandOption;
const PARAM = {
  flags: '--param <name=value>',
  summary: 'value of a script parameter; may be repeated',
  reader: 'list',
} as const satisfies CommandOption;
const PARAMS_FILE = {
  flags: '--params-file <file>',
  summary: 'a JSON object with values of parameters',
} as const satisfies CommandOption;
export const CONNECTION = {
  flags: '--connection <name>',
  summary: 'connection to run on (default: duckdb)',
} as const satisfies CommandOption;
export const OVERRIDE = {
  flags: '--override <key=value>',
  summary: 'connection parameter for this run: database, schema',
  reader: 'list',
} as const satisfies CommandOption;
export const ENVIRONMENT = {
  flags: '--env <name>',
  summary: "environment of the project to run in (default: the project's own)",
} as const satisfies CommandOption;
export const PROJECT = {
  flags: '--project <dir>',
  summary: 'a project on disk in which dependencies are looked for; may be repeated',
  reader: 'list',
} as const satisfies CommandOption;
export const SCRIPT_OPTIONS = [PARAM, PARAMS_FILE, PROJECT] as const;
export const RUN_OPTIONS = [
  PARAM,
  PARAMS_FILE,
  CONNECTION,
  OVERRIDE,
  ...ANSWER_OPTIONS,
  { flags: '--limit <rows>', summary: 'stop after this many rows', reader: 'count' },
  TIMEOUT,
] as const satisfies readonly CommandOption[];

/** What commands that share them are given by these. */
export type ScriptOptions = Options<typeof SCRIPT_OPTIONS>;
export type AnswerOptions = Options<readonly [...typeof ANSWER_OPTIONS, typeof TIMEOUT]>;
export type RunOptions = Options<typeof RUN_OPTIONS>;
