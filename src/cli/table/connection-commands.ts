import { DATABASE_KINDS } from '../../engine/connection/contract/connection.ts';
import { KIND_NAMES } from '../../engine/connection/contract/kind.ts';
import type { Command } from '../context/command.ts';
import { DESCRIPTION, JSON_OPTION, REPLACE, TIMEOUT, YES } from './shared-options.ts';

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
    options: [
      { flags: '--kind <kind>', summary: `${DATABASE_KINDS.join(', ')} or semantic` },
      {
        flags: '--set <key=value>',
        summary: 'option of the kind; `quern connection show KIND` lists them; repeatable',
        reader: 'list',
      },
      {
        flags: '--secret <key>',
        summary:
          'secret option, read from a prompt or standard input; key=env:VARIABLE reads it from the environment',
        reader: 'list',
      },
      {
        flags: '--allow-override <key>',
        summary: 'allow runs to override only this option; repeatable (default: depends on the kind)',
        reader: 'list',
      },
      { flags: '--no-overrides', summary: 'do not allow overrides' },
      {
        flags: '--timeout <seconds>',
        summary: 'default timeout of runs on this connection',
        reader: 'positive',
      },
      {
        flags: '--max-sessions <number>',
        summary: 'maximum number of concurrent sessions (default: depends on the kind)',
        reader: 'positive',
      },
      DESCRIPTION,
      REPLACE,
      JSON_OPTION,
    ],
    examples: [
      'quern connection create shop --kind duckdb --set file=shop.duckdb',
      'quern connection create warehouse --kind postgresql --set host=db.example.org --set user=quern --set database=dwh --secret password=env:DWH_PASSWORD',
    ],
  },
  {
    name: 'connection test',
    summary: 'connect to the database and print its version',
    args: [{ name: '<name>', summary: 'name of the connection' }],
    options: [TIMEOUT, JSON_OPTION],
    examples: ['quern connection test duckdb'],
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
