import type { Command } from '../../src/cli/context/command.ts';
import { COMMANDS } from '../../src/cli/table/commands.ts';
import { printTable } from './print-table.ts';

const commands: readonly Command[] = COMMANDS;

/** The parts of the pages of the command line: one for each command, and the list of topics. */
export const COMMAND_PARTS: Readonly<Record<string, () => string>> = Object.fromEntries(
  commands.map((command) => [`quern ${command.name}`, () => printCommand(command)]),
);

/** The summary of a command, its synopsis, its arguments and options, and its examples. */
function printCommand({ name, summary, args, options, examples }: Command): string {
  const words = [
    `quern ${name}`,
    ...args.map((arg) => arg.name),
    ...(options.length > 0 ? ['[options]'] : []),
  ];
  const rows = [
    ...args.map((arg) => [`\`${arg.name}\``, arg.summary]),
    ...options.map(({ flags, summary: text }) => [`\`${flags}\``, text]),
  ];
  return [
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    printCode([words.join(' ')]),
    ...(rows.length > 0 ? [printTable(['Argument or option', 'Meaning'], rows)] : []),
    `${examples.length === 1 ? 'Example' : 'Examples'}:`,
    printCode(examples),
  ].join('\n\n');
}

const printCode = (lines: readonly string[]) => ['```sh', ...lines, '```'].join('\n');
