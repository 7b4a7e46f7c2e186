import { GRANTED_LEVELS } from '../../identity/principal/permissions.ts';
import { ROLES } from '../../identity/principal/roles.ts';
import type { Command, CommandOption } from '../context/command.ts';
import { RESULT_FORMATS } from '../options/run-options.ts';
import { COMMANDS } from '../table/commands.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, HOME } from '../table/global-options.ts';
import { COMMAND_GROUPS } from '../table/groups.ts';
import { TOPICS } from '../table/topics.ts';
import { SHELLS } from './shells.ts';

/** The kind of value that the home knows, or a file. */
export type ValueKind =
  | 'catalog'
  | 'target'
  | 'connection'
  | 'kind'
  | 'user'
  | 'group'
  | 'token'
  | 'setting'
  | 'block'
  | 'page'
  | 'file';

/** The place of the word to complete: one of given words, or a value of a kind. */
export type Slot =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: ValueKind; readonly before: readonly string[] };

const commands: readonly Command[] = COMMANDS;

const EVERYWHERE: readonly CommandOption[] = [HOME, ...GLOBAL_OPTIONS, HELP_OPTION];

/** Values of options, by the name of the option. */
const OPTION_VALUES: Readonly<Record<string, ValueKind | readonly string[]>> = {
  '--connection': 'connection',
  '--as': 'user',
  '--user': 'user',
  '--actor': 'user',
  '--format': RESULT_FORMATS,
  '--numbers': ['number', 'string'],
  '--role': ROLES,
  '--kind': 'kind',
  '--type': ['csv', 'parquet', 'json'],
  '--reporter': ['list', 'dot', 'tap', 'github', 'junit=', 'json='],
};

/** Values of arguments, by command and argument; else by argument alone. */
const ARGUMENT_VALUES: Readonly<Record<string, ValueKind | readonly string[]>> = {
  // The shell completes the name of a file.
  'admin backup <target>': ['ls', 'rm'],
  'admin backup rm <name>': [],
  'catalog mkdir <path>': 'catalog',
  'connection create <name>': [],
  'connection <name>': 'connection',
  'user create <name>': [],
  'user <name>': 'user',
  'group create <name>': [],
  'group <name>': 'group',
  'token <name>': 'token',
  '<users...>': 'user',
  '<user>': 'user',
  '[user]': 'user',
  '<path>': 'catalog',
  '[path]': 'catalog',
  '<newpath>': 'catalog',
  '<script>': 'catalog',
  '[paths...]': 'catalog',
  '<target>': 'target',
  '[target]': 'target',
  '<package>': 'catalog',
  '<block>': 'block',
  '[page...]': 'page',
  '<key>': 'setting',
  '[key]': 'setting',
  '<level>': [...new Set(Object.values(GRANTED_LEVELS).flat())].map((level) => level.toLowerCase()),
  '<shell>': Object.keys(SHELLS),
  '<model>': 'connection',
};

/** Finds what the last word of a command line can be; the words begin after `quern`. */
export function findSlot(words: readonly string[]): Slot {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const { command, operands, pending } = walk(before);
  if (pending !== undefined) return toSlot(OPTION_VALUES[longName(pending)] ?? 'file', operands);
  const path = command?.name ?? operands.join(' ');
  if (current.startsWith('-')) return { kind: 'words', words: listFlags(command) };
  if (command === undefined) return { kind: 'words', words: listNext(path) };
  if (command.name === 'help')
    return { kind: 'words', words: [...listNext(''), ...TOPICS.map(({ name }) => name)] };
  const values = operands.slice(command.name.split(' ').length);
  const argument = command.args[values.length] ?? command.args.findLast(({ name }) => name.includes('...'));
  if (argument === undefined) return { kind: 'words', words: listFlags(command) };
  return toSlot(findValues(command.name, argument.name), values);
}

const toSlot = (values: ValueKind | readonly string[], before: readonly string[]): Slot =>
  typeof values === 'string' ? { kind: values, before } : { kind: 'words', words: values };

function findValues(command: string, argument: string): ValueKind | readonly string[] {
  const [group = ''] = command.split(' ');
  return (
    ARGUMENT_VALUES[`${command} ${argument}`] ??
    ARGUMENT_VALUES[`${group} ${argument}`] ??
    ARGUMENT_VALUES[argument] ??
    'file'
  );
}

/** Walks over complete words: the command they name, the words that are not options, and an option without its value. */
function walk(words: readonly string[]) {
  const operands: string[] = [];
  let command: Command | undefined;
  let pending: CommandOption | undefined;
  for (const word of words) {
    if (pending !== undefined) {
      pending = undefined;
    } else if (word.startsWith('-')) {
      pending = findOption(command, word);
    } else {
      operands.push(command === undefined ? canonical(operands, word) : word);
      // Another command can begin with the words of this one.
      command = commands.find(({ name }) => name === operands.join(' ')) ?? command;
    }
  }
  return { command, operands, pending };
}

/** The name that help lists for a word of a command. */
function canonical(before: readonly string[], word: string): string {
  const group = Object.entries(COMMAND_GROUPS).find(([, { alias }]) => alias === word)?.[0];
  if (before.length === 0) return group ?? word;
  const aliased = commands.find(
    ({ name, aliases = [] }) => name.startsWith(`${before.join(' ')} `) && aliases.includes(word),
  );
  return aliased?.name.split(' ').at(-1) ?? word;
}

/** An option that needs a value from the next word. */
function findOption(command: Command | undefined, word: string): CommandOption | undefined {
  if (word.includes('=')) return undefined;
  return [...(command?.options ?? []), ...EVERYWHERE].find(
    ({ flags }) => flags.includes('<') && flags.replace(/ <.*/, '').split(', ').includes(word),
  );
}

const longName = ({ flags }: CommandOption) => /--[\w-]+/.exec(flags)?.[0] ?? flags;

const listFlags = (command: Command | undefined) => [
  ...(command?.options ?? []).map(longName),
  ...EVERYWHERE.map(longName),
];

/** The words that can follow the first words of a command. */
function listNext(path: string): readonly string[] {
  const prefix = path === '' ? '' : `${path} `;
  const next = commands
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name }) => name.slice(prefix.length).split(' ')[0] ?? '');
  return [...new Set(next)];
}
