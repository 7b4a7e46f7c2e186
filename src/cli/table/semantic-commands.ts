import { SETTINGS } from '../../settings/table.ts';
import type { Command, CommandOption, Options } from '../context/command.ts';
import { ANSWER_OPTIONS, TIMEOUT } from './shared-options.ts';

const LAYER = {
  flags: '--layer <key>',
  summary: 'which [semantic.<key>] of a project on disk (default: the only or the default one)',
} as const satisfies CommandOption;
const MODEL_ARGUMENT = {
  name: '<model>',
  summary: 'semantic connection, or a model on disk: a file, a folder or a project',
};
const QUERY_ARGUMENT = { name: '[query]', summary: 'JSON file with the question, or - for standard input' };
/** Which model is meant where it may be left out. */
const CHOICE = [
  {
    flags: '--connection <name>',
    summary: `semantic connection (default: the setting ${SETTINGS.semanticConnection.key}, or the only one)`,
  },
  { flags: '--model <path>', summary: 'in its place, a model on disk: a file, a folder or a project' },
  LAYER,
] as const satisfies readonly CommandOption[];
const QUESTION = [
  ...CHOICE,
  {
    flags: '--dimensions <fields>',
    summary: 'what to group by: entity.field, with commas between; may be repeated',
    reader: 'list',
  },
  { flags: '--measures <fields>', summary: 'what to compute, in the same way', reader: 'list' },
  {
    flags: '--filter <condition>',
    summary:
      '"entity.field OPERATOR value"; `|` separates several values, `\\|` is a bar in one; may be repeated: all hold',
    reader: 'list',
  },
  {
    flags: '--order <fields>',
    summary: 'entity.field or entity.field:desc, with commas between; may be repeated',
    reader: 'list',
  },
  { flags: '--limit <rows>', summary: 'so many rows at most', reader: 'count' },
  { flags: '--offset <rows>', summary: 'after leaving out so many', reader: 'count' },
  { flags: '--strict', summary: 'refuse questions whose groups overlap' },
] as const satisfies readonly CommandOption[];

const OUT = {
  flags: '--out <path>',
  summary: 'write it to a file, or to a folder, a file for each layer (default: standard output)',
} as const satisfies CommandOption;
const STRICT = {
  flags: '--strict',
  summary: 'write nothing where something would be lost',
} as const satisfies CommandOption;

/** Which model is asked. */
export type ModelOptions = Options<typeof CHOICE>;
/** What it is asked. */
export type QuestionOptions = Omit<Options<typeof QUESTION>, keyof ModelOptions>;

/** The commands about semantic models. */
export const SEMANTIC_COMMANDS = [
  {
    name: 'semantic query',
    summary: 'ask a question to a semantic model',
    args: [QUERY_ARGUMENT],
    options: [
      ...QUESTION,
      { flags: '--sql', summary: 'print the SQL that would run, and run nothing' },
      ...ANSWER_OPTIONS,
      TIMEOUT,
    ],
  },
  {
    name: 'semantic explore',
    summary: 'show what can be asked: entities, the fields of one, or what goes together with a field',
    args: [{ name: '[name]', summary: 'entity, or entity.field (default: all entities)' }],
    options: [...CHOICE, { flags: '--json', summary: 'print it as JSON' }],
  },
  {
    name: 'semantic codegen',
    summary: 'print the SQL that answers a question to a semantic model',
    args: [QUERY_ARGUMENT],
    options: [
      ...QUESTION,
      { flags: '--explain', summary: 'print the plan and the paths with the SQL, as JSON' },
    ],
  },
  {
    name: 'semantic sql',
    summary: 'print the SQL that Semantic SQL becomes for the platform of a semantic model',
    args: [{ name: '<sql>', summary: 'Semantic SQL, @FILE, or - for standard input' }],
    options: [
      ...CHOICE,
      { flags: '--strict', summary: 'refuse statements whose groups overlap' },
      { flags: '--explain', summary: 'print the plan and the paths with the SQL, as JSON' },
    ],
  },
  {
    name: 'semantic metadata',
    summary: 'print what a semantic model has: entities, dimensions, measures, relationships',
    args: [MODEL_ARGUMENT],
    options: [LAYER],
  },
  {
    name: 'semantic check',
    summary: 'find what is wrong in a semantic model, and where its data are not as it says',
    args: [MODEL_ARGUMENT],
    options: [
      LAYER,
      {
        flags: '--connection <name>',
        summary: 'see also whether its data are as the model says (default: that of the semantic connection)',
      },
      { flags: '--json', summary: 'print the findings as JSON' },
    ],
  },
  {
    name: 'semantic import',
    summary: 'make a semantic model of one that was written for another tool',
    args: [{ name: '<path...>', summary: 'files, or folders of them' }],
    options: [
      { flags: '--from <format>', summary: 'the format: ossie (Apache Ossie), dbt or cube' },
      OUT,
      { flags: '--platform <platform>', summary: 'the platform of its SQL (default: duckdb)' },
      STRICT,
      { flags: '--json', summary: 'print what is lost, and the model, as JSON' },
    ],
  },
  {
    name: 'semantic export',
    summary: 'write a semantic model in the format of other tools',
    args: [MODEL_ARGUMENT],
    options: [
      { flags: '--to <format>', summary: 'the format: ossie (Apache Ossie, the default)' },
      LAYER,
      OUT,
      STRICT,
      { flags: '--json', summary: 'print what is lost, and the document, as JSON' },
    ],
  },
] as const satisfies readonly Command[];
