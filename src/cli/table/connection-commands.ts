import { DATABASE_KINDS } from '../../engine/connection/contract/connection.ts';
import { KIND_NAMES } from '../../engine/connection/contract/kind.ts';
import type { Command, CommandOption } from '../context/command.ts';
import { DESCRIPTION, IF_MATCH, JSON_OPTION, REPLACE, TIMEOUT, YES } from './shared-options.ts';

/** Settings of a connection that every kind has. */
const KIND = {
  flags: '--kind <kind>',
  summary: `${DATABASE_KINDS.join(', ')} or semantic`,
} as const satisfies CommandOption;
const SET = {
  flags: '--set <key=value>',
  summary: 'option of the kind; `quern connection show KIND` lists them; repeatable',
  reader: 'list',
} as const satisfies CommandOption;
const SECRET = {
  flags: '--secret <key>',
  summary:
    'secret option, read from a prompt or standard input; key=env:VARIABLE reads it from the environment',
  reader: 'list',
} as const satisfies CommandOption;
const ALLOW_OVERRIDE = {
  flags: '--allow-override <key>',
  summary: 'allow runs to override only this option; repeatable (default: depends on the kind)',
  reader: 'list',
} as const satisfies CommandOption;
const NO_OVERRIDES = {
  flags: '--no-overrides',
  summary: 'do not allow overrides',
} as const satisfies CommandOption;
const RUN_TIMEOUT = {
  flags: '--timeout <seconds>',
  summary: 'default timeout of runs on this connection',
  reader: 'positive',
} as const satisfies CommandOption;
const MAX_SESSIONS = {
  flags: '--max-sessions <number>',
  summary: 'maximum number of concurrent sessions (default: depends on the kind)',
  reader: 'positive',
} as const satisfies CommandOption;
const LIMITS = [ALLOW_OVERRIDE, NO_OVERRIDES, RUN_TIMEOUT, MAX_SESSIONS] as const;

/** The commands about connections, in the order of the help. */
export const CONNECTION_COMMANDS = [
  {
    name: 'connection ls',
    summary: 'list the connections',
    args: [],
    options: [JSON_OPTION],
    examples: ['quern connection ls'],
  },
  {
    name: 'connection create',
    aliases: ['add'],
    summary: 'create a connection to a database',
    args: [{ name: '<name>', summary: 'name of the connection' }],
    options: [KIND, SET, SECRET, ...LIMITS, DESCRIPTION, REPLACE, JSON_OPTION],
    examples: [
      'quern connection create shop --kind duckdb --set file=shop.duckdb',
      'quern connection create warehouse --kind postgresql --set host=db.example.org --set user=quern --set database=dwh --secret password=env:DWH_PASSWORD',
    ],
  },
  {
    name: 'connection test',
    summary: 'connect to the database and print its version',
    args: [{ name: '<name>', summary: 'name of the connection' }],
    options: [KIND, SET, SECRET, TIMEOUT, JSON_OPTION],
    examples: ['quern connection test duckdb', 'quern connection test warehouse --set database=archive'],
  },
  {
    name: 'connection set',
    summary: 'change settings of a connection; the others stay',
    args: [{ name: '<name>', summary: 'name of the connection' }],
    options: [
      SET,
      SECRET,
      {
        flags: '--unset <key>',
        summary: 'remove an option or a secret; repeatable',
        reader: 'list',
      },
      ...LIMITS,
      DESCRIPTION,
      IF_MATCH,
      JSON_OPTION,
    ],
    examples: [
      'quern connection set warehouse --set database=archive --timeout 60',
      'quern connection set warehouse --secret password=env:DWH_PASSWORD',
    ],
  },
  {
    name: 'connection users',
    summary: 'list who may use a connection, and why',
    args: [{ name: '<name>', summary: 'name of the connection' }],
    options: [JSON_OPTION],
    examples: ['quern connection users duckdb'],
  },
  {
    name: 'connection show',
    aliases: ['describe'],
    summary: 'show a connection, or the options of a kind',
    args: [
      {
        name: '<name>',
        summary: `name of the connection, or a kind: ${KIND_NAMES.join(', ')}`,
      },
    ],
    options: [JSON_OPTION],
    examples: ['quern connection show duckdb', 'quern connection show postgresql'],
  },
  {
    name: 'connection rm',
    summary: 'delete a connection and its secrets; the database remains',
    args: [{ name: '<name>', summary: 'name of the connection' }],
    options: [YES],
    examples: ['quern connection rm shop --yes'],
  },
] as const satisfies readonly Command[];
