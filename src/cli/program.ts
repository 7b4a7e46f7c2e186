import {
  type Argument,
  Command as Commander,
  CommanderError,
  Help,
  InvalidArgumentError,
  Option,
} from 'commander';
import { elementAt, present } from '../invariants/must.ts';
import { suggest } from '../text/suggest.ts';
import type { Command, CommandOption, OptionReader, OptionValue } from './context/command.ts';
import type { CliContext } from './context/context.ts';
import { EXIT, type ExitCode } from './context/exit-codes.ts';
import { LOADERS, type Loaders } from './loaders.ts';
import { COMMANDS, type CommandName, type OptionsOf } from './table/commands.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, HOME } from './table/global-options.ts';
import { COMMAND_GROUPS, HEADING_OF } from './table/groups.ts';
import { TOPICS } from './table/topics.ts';

const READERS: Readonly<Record<OptionReader, (text: string, before: unknown) => OptionValue>> = {
  text: (text) => text,
  count: (text) => readInteger(text, 0),
  positive: (text) => readInteger(text, 1),
  list: (text, before) => (Array.isArray(before) ? [...before, text] : [text]),
};

function readInteger(text: string, minimum: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < minimum) {
    throw new InvalidArgumentError(`It must be a whole number from ${minimum}.`);
  }
  return value;
}

/** Refuses an empty name, which would mean the current folder and usually comes from an unset variable. */
function readFolder(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must name a folder.');
  return text;
}

/** The error for an option with a blank right after its dashes, which is SQL that starts with a comment. */
const COMMENT_AS_OPTION = /^error: unknown option '(--\s[^\n]*).*'\n$/s;
const COMMENT_ADVICE =
  "error: an argument that starts with `--` is read as an option; put `--` before it: quern sql -- '$1 …'\n";

/** The options of every command. */
export interface GlobalOptions {
  readonly home?: string;
  readonly as?: string;
  readonly quiet?: boolean;
}

/** Parses the arguments after `quern`, runs the command they name and returns its exit code. */
export async function runProgram(
  argv: readonly string[],
  version: string,
  makeContext: (options: GlobalOptions) => CliContext,
  loaders: Loaders = LOADERS,
): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const program = createProgram(version, makeContext({}), argv[0]);
  for (const command of findCandidates(argv)) {
    addCommand(program, command, async (child, args) => {
      code = await runCommand(loaders, command.name, makeContext(program.opts<GlobalOptions>()), args, child);
    });
  }
  try {
    await program.parseAsync(askForKnown(program, expandHelp(program, argv)), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  return code;
}

/**
 * The commands that start with the first argument; declaring all takes a tenth of the time of a short command. After
 * any other argument, all are returned, because help or a suggestion lists them.
 */
function findCandidates([first]: readonly string[]) {
  const named = COMMANDS.filter(({ name }) => name === first || name.startsWith(`${first} `));
  return first === 'help' || named.length === 0 ? COMMANDS : named;
}

/** Runs a command with the options that commander has parsed by the table. */
async function runCommand<Name extends CommandName>(
  loaders: Loaders,
  name: Name,
  context: CliContext,
  args: readonly string[],
  child: Commander,
): Promise<ExitCode> {
  const { run } = await loaders[name]();
  return run(context, { args, options: child.opts<OptionsOf<Name>>() });
}

/** Global options with a value. */
const GLOBAL_VALUES = [HOME, ...GLOBAL_OPTIONS]
  .filter(({ flags }) => flags.includes('<'))
  .map(({ flags, summary }) => new Option(flags, summary).long);

/** `quern sql --help` for `quern help sql`; help on a topic is a command. */
function expandHelp(program: Commander, argv: readonly string[]): readonly string[] {
  const [first, topic, ...words] = argv;
  if (first !== 'help' || topic?.startsWith('-') === true) return argv;
  if (topic === undefined) return ['--help'];
  const topics = TOPICS.map(({ name }) => name);
  if (topics.includes(topic)) return argv;
  if (findCommand(program, topic) === undefined) reportUnknown(program, topic, topics);
  return [topic, ...words, '--help'];
}

/** Reports that neither a command nor a topic has this name. */
function reportUnknown(program: Commander, word: string, topics: readonly string[]): never {
  const near = suggest(word, [...program.commands.map((command) => command.name()), ...topics]);
  const hint = near === undefined ? '' : `\n(Did you mean ${near}?)`;
  const list = `Topics: ${topics.join(', ')}`;
  program.error(`error: unknown command or topic '${word}'${hint}\n${list}`, {
    code: 'commander.unknownCommand',
  });
}

/** Removes a request for help on an unknown command, so that the unknown command is reported. */
function askForKnown(program: Commander, argv: readonly string[]): readonly string[] {
  let command = program;
  for (let at = 0; at < argv.length && command.commands.length > 0; at += 1) {
    const word = elementAt(argv, at);
    if (GLOBAL_VALUES.includes(word)) at += 1;
    if (word.startsWith('-')) continue;
    const next = findCommand(command, word);
    // The word is an argument of a command that other commands begin with.
    if (next === undefined && command.registeredArguments.length > 0) return argv;
    if (next === undefined && argv[at - 1] === command.name()) checkDefault(command, word);
    if (next === undefined) return argv.filter((arg) => !['--help', '-h'].includes(arg));
    command = next;
  }
  return argv;
}

/** Reports a mistyped command of a group whose default command would take the word as its argument. */
function checkDefault(group: Commander, word: string): void {
  const commands: readonly Command[] = COMMANDS;
  const values = commands.find(
    ({ name, defaultFor }) => defaultFor !== undefined && name.startsWith(`${group.name()} `),
  )?.defaultFor;
  if (values === undefined || values.includes(word)) return;
  const near = suggest(word, [...group.commands.map((command) => command.name()), ...values]);
  const hint = near === undefined ? '' : `\n(Did you mean ${near}?)`;
  group.error(`error: unknown command '${word}'${hint}`, { code: 'commander.unknownCommand' });
}

const STANDARD_HELP = new Help();

function printArgument(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Help that lists no aliases, and as global options those of every command. */
const HELP: Partial<Help> = {
  showGlobalOptions: true,
  visibleGlobalOptions(this: Help, command) {
    const { parent } = command;
    const options = Help.prototype.visibleGlobalOptions.call(this, command);
    // Those of `admin backup` are not options of `admin backup ls`.
    if (parent === null || parent.registeredArguments.length === 0) return options;
    return options.filter((option) => !parent.options.includes(option));
  },
  commandUsage: (command) => STANDARD_HELP.commandUsage(command).replaceAll(/\|\S+/g, ''),
  subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(printArgument)].join(' '),
};

/** First words of other tools, which do not resemble those of Quern. */
const MEANT: Readonly<Record<string, string>> = {
  '-v': '--version',
  version: '--version',
  query: 'sql',
  select: 'sql',
  import: 'load',
  shell: 'repl',
  console: 'ui',
  start: 'serve',
};

/** The error for an unknown first word, with the word that was probably meant. */
function addMeant(text: string, first: string | undefined): string {
  const word = /^error: unknown (?:command|option) '([^']+)'\n$/.exec(text)?.[1];
  if (word === undefined || word !== first || !Object.hasOwn(MEANT, word)) return text;
  return `${text}(Did you mean ${MEANT[word]}?)\n`;
}

function createProgram(
  version: string,
  { stdout, stderr }: CliContext,
  first: string | undefined,
): Commander {
  const program = new Commander('quern')
    .description('Keep, run, test and query your SQL.')
    .version(version, '-V, --version', 'print the version')
    .helpOption(HELP_OPTION.flags, HELP_OPTION.summary)
    .option(HOME.flags, HOME.summary, readFolder)
    .showHelpAfterError('See `quern --help`')
    .helpCommand(false)
    .configureHelp(HELP)
    .configureOutput({
      // A failed write is reported when the output is flushed.
      writeOut: (text) => void stdout.write(text).catch(() => {}),
      writeErr: (text) => void stderr.write(text),
      outputError: (text, write) => write(addMeant(text.replace(COMMENT_AS_OPTION, COMMENT_ADVICE), first)),
    })
    .exitOverride();
  for (const { flags, summary } of GLOBAL_OPTIONS) program.option(flags, summary);
  return program;
}

/** Words of other tools that people type; help and completion do not list them. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  exec: ['run'],
  ls: ['list'],
  rm: ['delete'],
};

function addCommand(
  program: Commander,
  command: Command,
  run: (child: Commander, args: readonly string[]) => Promise<void>,
): void {
  const words = command.name.split(' ');
  const last = words.at(-1) ?? '';
  const parent = groupOf(program, words.slice(0, -1));
  const child = parent.command(last, {
    isDefault: command.defaultFor !== undefined,
  });
  child
    .summary(command.summary)
    .description(toSentence(command.summary))
    .aliases([...(command.aliases ?? []), ...(SYNONYMS[last] ?? [])]);
  child.showHelpAfterError(printHint(child));
  if (words.length === 1) child.helpGroup(headingOf(command.name));
  for (const { name, summary } of command.args) child.argument(name, summary);
  for (const option of command.options) child.addOption(toOption(option));
  refuseOpposites(child);
  child.addHelpText(
    'after',
    `\nExamples:\n${command.examples.map((example) => `  $ ${example}\n`).join('')}`,
  );
  child.action(async (...parameters: unknown[]) => {
    const args = parameters.slice(0, command.args.length).flat();
    takeOptions(child);
    fillIn(child, command.options);
    await run(
      child,
      args.filter((arg) => typeof arg === 'string'),
    );
  });
}

function groupOf(program: Commander, words: readonly string[]): Commander {
  return words.reduce((parent, word) => {
    return findCommand(parent, word) ?? createGroup(parent, word);
  }, program);
}

function createGroup(parent: Commander, word: string): Commander {
  const { summary, alias } = present(COMMAND_GROUPS[word]);
  const group = parent.command(word).summary(summary).description(toSentence(summary)).helpCommand(false);
  group.showHelpAfterError(printHint(group));
  if (alias !== undefined) group.alias(alias);
  return group.helpGroup(headingOf(word));
}

/** The line after an error of usage. */
function printHint(command: Commander): string {
  const words: string[] = [];
  for (let ancestor: Commander | null = command; ancestor !== null; ancestor = ancestor.parent)
    words.unshift(ancestor.name());
  return `See \`${words.join(' ')} --help\``;
}

const findCommand = (parent: Commander, word: string) =>
  parent.commands.find((command) => command.name() === word || command.aliases().includes(word));

const headingOf = (word: string) => `${HEADING_OF[word] ?? 'Commands'}:`;

function toOption({ flags, summary, reader }: CommandOption): Option {
  const option = new Option(flags, summary);
  return option.required ? option.argParser(READERS[reader ?? 'text']) : option;
}

/** Refuses `--header` with `--no-header`: commander takes the last. */
function refuseOpposites(child: Commander): void {
  const names = child.options.map((option) => option.name());
  for (const name of names.filter((one) => names.includes(`no-${one}`))) {
    const given = new Set<string>();
    for (const one of [name, `no-${name}`]) {
      child.on(`option:${one}`, () => {
        given.add(one);
        if (given.size > 1) child.error(`error: --${name} and --no-${name} contradict each other`);
      });
    }
  }
}

/**
 * Takes the options that commander gave to the command with the first words: `--json` in `backup ls --json` is also an option
 * of `backup`. Reports those that the command does not have.
 */
function takeOptions(child: Commander): void {
  const { parent } = child;
  if (parent === null || parent.registeredArguments.length === 0) return;
  for (const option of parent.options) {
    const name = option.attributeName();
    const value: unknown = parent.getOptionValue(name);
    if (value === undefined) continue;
    const isOwn = child.options.some((own) => own.attributeName() === name);
    if (!isOwn) child.error(`error: unknown option '${option.long}'`, { code: 'commander.unknownOption' });
    child.setOptionValue(name, value);
  }
}

/** Sets the defaults of absent options: an empty list, and false for a switch without an opposite. */
function fillIn(child: Commander, options: readonly CommandOption[]): void {
  for (const declared of options) {
    const option = toOption(declared);
    const name = option.attributeName();
    const hasOpposite = options.some(({ flags }) => flags === `--no-${name}`);
    if (child.getOptionValue(name) !== undefined || hasOpposite) continue;
    if (declared.reader === 'list') child.setOptionValue(name, []);
    else if (option.isBoolean()) child.setOptionValue(name, false);
  }
}

const toSentence = (summary: string) => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
