import path from 'node:path';
import type { ImportGraph } from './import-graph.ts';
import { findDistances } from './import-graph.ts';

const FOLDER = 'src/cli/commands/';
/** A change that more commands use is left to the table of areas. */
const MAX_COMMANDS = 5;
const MAX_TESTS = 6;
const MAX_PAGES = 2;

/** The files of the commands that a change can affect: changed ones, and those that use a changed file of `src/cli`. */
export function findCommands(graph: ImportGraph, changed: readonly string[]): readonly string[] {
  const ofCli = changed.filter((file) => file.startsWith('src/cli/'));
  const affected = findDistances(graph, ofCli, { max: 2, withTypes: false });
  const commands = [...affected.keys()].filter((file) => file.startsWith(FOLDER));
  return commands.length > MAX_COMMANDS ? [] : commands;
}

/** The words of a command: `token ls` or `'token', 'ls'` for `token-ls.ts`. */
function wordsOf(command: string): string {
  return path.posix.basename(command, '.ts').replaceAll('-', "(?:[ -]|', ')");
}

/** The files that mention a command most often; `read` returns the text of a file. */
function listMostMentions(
  files: readonly string[],
  pattern: RegExp,
  read: (file: string) => string,
): readonly string[] {
  return files
    .map((file) => ({ file, mentions: read(file).match(pattern)?.length ?? 0 }))
    .filter(({ mentions }) => mentions > 0)
    .toSorted((one, other) => other.mentions - one.mentions)
    .map(({ file }) => file);
}

/** The tests of the command line, and the pages, that run a command most often. */
export function findUses(
  command: string,
  files: readonly string[],
  read: (file: string) => string,
): readonly string[] {
  const words = wordsOf(command);
  const tests = files.filter((file) => /^test\/acceptance\/(?:cli|server)\/.*\.test\.ts$/.test(file));
  const pages = files.filter((file) => /^docs\/(?!tutorial\/).*\.md$/.test(file));
  return [
    ...listMostMentions(tests, new RegExp(`(?:quern |['"\`])${words}(?=[ '"\`])`, 'g'), read).slice(
      0,
      MAX_TESTS,
    ),
    ...listMostMentions(pages, new RegExp(`^\\$ quern ${words}\\b`, 'gm'), read).slice(0, MAX_PAGES),
  ];
}
