import { Command as Commander, CommanderError, InvalidArgumentError, Option } from 'commander';
import { elementAt } from '../invariants/must.ts';
import { flagOf } from '../settings/setting.ts';
import { SETTINGS } from '../settings/table.ts';
import type { Command, CommandOption, OptionReader, OptionValue } from './context/command.ts';
import type { CliContext } from './context/context.ts';
import { EXIT, type ExitCode } from './context/exit-codes.ts';
import { LOADERS, type Loaders } from './loaders.ts';
import { COMMANDS, type CommandName, type OptionsOf } from './table/commands.ts';

const GROUPS: Readonly<Record<string, string>> = {
  catalog: 'keep scripts in folders',
  connections: 'name the databases that scripts run on',
  user: 'keep the users of a home',
  group: 'put users together',
  token: 'let programs act in place of users',
  grant: 'say who may do what',
  sso: 'set up single sign-on',
  saml: 'set up sign-in by SAML 2.0',
  semantic: 'ask semantic models',
  config: 'show and change the settings of a home',
  admin: 'look after a home',
};

const READERS: Readonly<Record<OptionReader, (text: string, before: unknown) => OptionValue>> = {
  text: (text) => text,
  count: (text) => readWhole(text, 0),
  positive: (text) => readWhole(text, 1),
  list: (text, before) => (Array.isArray(before) ? [...before, text] : [text]),
};

function readWhole(text: string, least: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < least) {
    throw new InvalidArgumentError(`It must be a whole number from ${least}.`);
  }
  return value;
}

/** An empty name would be the current folder, which nobody means: it comes of variables that are not set. */
function readFolder(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must name a folder.');
  return text;
}

/** What is said of an option with a blank right behind its dashes: it is SQL that begins with a comment. */
const COMMENT_AS_OPTION = /^error: unknown option '(--\s[^\n]*).*'\n$/s;
const COMMENT_ADVICE =
  "error: what begins with `--` is taken for an option: write `--` before it, as in quern sql -- '$1 …'\n";

/** Reads the arguments after `quern`, runs the command they name and returns its exit code. */
export async function runProgram(
  argv: readonly string[],
  version: string,
  makeContext: (home: string | undefined, as: string | undefined) => CliContext,
  loaders: Loaders = LOADERS,
): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const program = createProgram(version, makeContext(undefined, undefined));
  for (const command of COMMANDS) {
    addCommand(program, command, async (child, args) => {
      const { home, as } = program.opts<{ home?: string; as?: string }>();
      code = await runCommand(loaders, command.name, makeContext(home, as), args, child);
    });
  }
  try {
    await program.parseAsync(askForKnown(program, argv), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  return code;
}

/** The options have the type that the table says, which is how commander was told to read them. */
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

/** Options before a command that have a value. */
const GLOBAL_VALUES = [flagOf(SETTINGS.home), '--as'];

/** Arguments without their wish for help, where it is for a command that is not there, which is to be told. */
function askForKnown(program: Commander, argv: readonly string[]): readonly string[] {
  let command = program;
  for (let at = 0; at < argv.length && command.commands.length > 0; at += 1) {
    const word = elementAt(argv, at);
    if (GLOBAL_VALUES.includes(word)) at += 1;
    if (word.startsWith('-') || word === 'help') continue;
    const next = command.commands.find((child) => child.name() === word);
    if (next === undefined) return argv.filter((given) => !['--help', '-h', 'help'].includes(given));
    command = next;
  }
  return argv;
}

function createProgram(version: string, { stdout, stderr }: CliContext): Commander {
  return new Commander('quern')
    .description('Keep, run, test and query your SQL.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .option(
      SETTINGS.home.flag ?? '',
      `${SETTINGS.home.text} (default: ${SETTINGS.home.variable}, ${SETTINGS.home.shownDefault})`,
      readFolder,
    )
    .option('--as <user>', 'act as this user of the home')
    .showHelpAfterError('(add --help for what there is)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      // Whoever flushes the output sees its failure.
      writeOut: (text) => void stdout.write(text).catch(() => {}),
      writeErr: (text) => void stderr.write(text),
      outputError: (text, write) => write(text.replace(COMMENT_AS_OPTION, COMMENT_ADVICE)),
    })
    .exitOverride();
}

function addCommand(
  program: Commander,
  command: Command,
  run: (child: Commander, args: readonly string[]) => Promise<void>,
): void {
  const words = command.name.split(' ');
  const child = groupOf(program, words.slice(0, -1)).command(words.at(-1) ?? '', {
    isDefault: command.isDefault === true,
  });
  child.summary(command.summary).description(`${capitalize(command.summary)}.`);
  for (const { name, summary } of command.args) child.argument(name, summary);
  for (const option of command.options) child.addOption(toOption(option));
  const { examples = [] } = command;
  if (examples.length > 0) {
    child.addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${example}\n`).join('')}`);
  }
  child.action(async (...given: unknown[]) => {
    const args = given.slice(0, command.args.length).flat();
    fillIn(child, command.options);
    await run(
      child,
      args.filter((arg) => typeof arg === 'string'),
    );
  });
}

function groupOf(program: Commander, words: readonly string[]): Commander {
  return words.reduce((parent, word) => {
    const found = parent.commands.find((command) => command.name() === word);
    return found ?? parent.command(word).description(GROUPS[word] ?? '');
  }, program);
}

function toOption({ flags, summary, reader }: CommandOption): Option {
  const option = new Option(flags, summary);
  return option.required ? option.argParser(READERS[reader ?? 'text']) : option;
}

/** Gives options that are not there the values that their types have: lists none, switches without an opposite false. */
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

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
