import type { FormatName } from '../../engine/result/formats.ts';
import { printColumnsQuery, TABLES } from '../../workspace/api/schema-queries.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { readText } from '../options/read-text.ts';
import { readFormat } from '../options/run-options.ts';

/** What a session remembers between statements. */
export interface ReplSession {
  connection: string;
  format: FormatName | undefined;
  hasTimer: boolean;
  isExpanded: boolean;
}

/** What a command does; `quit` ends the session. */
export type Effect =
  | {
      readonly kind: 'run';
      readonly name: string;
      readonly text: string;
      /** The table whose columns it lists, which must exist. */
      readonly table?: string;
    }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'connect'; readonly name: string }
  | { readonly kind: 'quit' };

interface DotCommand {
  readonly usage: string;
  readonly summary: string;
  /** Other names, as in other programs. */
  readonly aliases?: readonly string[];
  readonly run: (context: CliContext, session: ReplSession, argument: string) => Effect | Promise<Effect>;
}

const print = (text: string): Effect => ({ kind: 'print', text: `${text}\n` });
const quit = (): Effect => ({ kind: 'quit' });
const listTables = (): Effect => ({ kind: 'run', name: '.tables', text: TABLES });
const describe = (table: string): Effect => ({
  kind: 'run',
  name: '.schema',
  text: printColumnsQuery(table),
  table,
});

/** The commands of a session, by name. */
const DOT_COMMANDS: Readonly<Record<string, DotCommand>> = {
  '.tables': {
    usage: '.tables',
    summary: 'list tables and views',
    aliases: ['\\dt'],
    run: listTables,
  },
  '.schema': {
    usage: '.schema TABLE',
    summary: 'list the columns of a table',
    aliases: ['\\d TABLE'],
    run: (_, __, table) => {
      if (table === '') throw new UsageError('missing table; use `.schema TABLE`');
      return describe(table);
    },
  },
  '.connection': {
    usage: '.connection [NAME]',
    summary: 'show or change the connection',
    aliases: ['\\c'],
    run: (_, session, name) =>
      name === '' ? print(`connection ${session.connection}`) : { kind: 'connect', name },
  },
  '.format': {
    usage: '.format [FORMAT]',
    summary: 'show or change the output format',
    run: (context, session, format) => {
      if (format !== '') session.format = readFormat(context, { ...NO_OPTIONS, format });
      return print(`format ${session.format ?? 'table'}`);
    },
  },
  '.expanded': {
    usage: '.expanded [on|off]',
    summary: 'print rows as lines of column and value',
    aliases: ['\\x'],
    run: (_, session, state) => {
      session.isExpanded = readState('.expanded', state, session.isExpanded);
      return print(`expanded ${session.isExpanded ? 'on' : 'off'}`);
    },
  },
  '.timer': {
    usage: '.timer [on|off]',
    summary: 'print the duration of each statement',
    aliases: ['\\timing'],
    run: (_, session, state) => {
      session.hasTimer = readState('.timer', state, session.hasTimer);
      return print(`timer ${session.hasTimer ? 'on' : 'off'}`);
    },
  },
  '.read': {
    usage: '.read FILE',
    summary: 'run the SQL of a file',
    aliases: ['\\i'],
    run: async (context, _, file) => {
      if (file === '') throw new UsageError('missing file; use `.read FILE`');
      return { kind: 'run', name: file, text: await readText(context, file) };
    },
  },
  '.help': {
    usage: '.help',
    summary: 'list these commands',
    aliases: ['\\?', 'help'],
    run: () => ({ kind: 'print', text: printHelp() }),
  },
  '.quit': {
    usage: '.quit',
    summary: 'end the session, as Ctrl-D does',
    aliases: ['\\q', 'quit'],
    run: quit,
  },
  '.exit': { usage: '.exit', summary: 'end the session', aliases: ['exit'], run: quit },
};

const NO_OPTIONS = {
  output: undefined,
  expanded: false,
  pager: false,
  numbers: undefined,
  timeout: undefined,
};

export const DOT_NAMES = Object.keys(DOT_COMMANDS);

/** The commands by their other names; `\d` without a table lists all. */
const BY_ALIAS: ReadonlyMap<string, DotCommand['run']> = new Map([
  ...Object.values(DOT_COMMANDS).flatMap(({ aliases = [], run }) =>
    aliases.map((alias) => [alias.split(' ', 1)[0] ?? '', run] as const),
  ),
  ['\\d', (_, __, table) => (table === '' ? listTables() : describe(table))],
]);

/** Runs a line that is a command. Throws a UsageError for an unknown command. */
export async function runDotCommand(
  context: CliContext,
  session: ReplSession,
  line: string,
): Promise<Effect> {
  const [name = '', ...words] = line.trim().replace(/;$/, '').trim().split(/\s+/);
  const run = Object.hasOwn(DOT_COMMANDS, name) ? DOT_COMMANDS[name]?.run : BY_ALIAS.get(name.toLowerCase());
  if (run === undefined) throw new UsageError(`unknown command \`${name}\`; .help lists the commands`);
  return run(context, session, words.join(' '));
}

function readState(name: string, word: string, current: boolean): boolean {
  if (word === '') return !current;
  if (word === 'on' || word === 'off') return word === 'on';
  throw new UsageError(`${name} ${word}: use on or off`);
}

function printHelp(): string {
  const lines = Object.values(DOT_COMMANDS).map(({ usage, summary, aliases = [] }) => {
    const others = aliases.length === 0 ? '' : ` (${aliases.join(', ')})`;
    return `${usage.padEnd(20)}${summary}${others}\n`;
  });
  return `End a statement with \`;\`. Ctrl-C cancels it.\n${lines.join('')}`;
}
