import { SETTINGS } from '../../settings/table.ts';
import type { Command, CommandOption, OptionValues } from '../context/command.ts';
import { ANSWER_OPTIONS, FILE, JSON_OPTION, SQL_ONLY, TIMEOUT, UNRESTRICTED } from './shared-options.ts';

const LAYER = {
  flags: '--layer <key>',
  summary: 'layer [semantic.<key>] of a project on disk (default: the only or the default layer)',
} as const satisfies CommandOption;
const MODEL_ARGUMENT = {
  name: '<model>',
  summary: 'semantic connection, or a model on disk: a file, a folder or a project',
};
const QUERY_ARGUMENT = {
  name: '[query]',
  summary: 'JSON file with the semantic query, or - for standard input',
};
/** Options that select the model. */
const CHOICE = [
  {
    flags: '-c, --connection <name>',
    summary: `semantic connection (default: the setting ${SETTINGS.semanticConnection.key}, or the only one)`,
  },
  { flags: '--model <path>', summary: 'use a model on disk instead: a file, a folder or a project' },
  LAYER,
] as const satisfies readonly CommandOption[];
/** Of commands that read a semantic query. */
const STRICT = {
  flags: '--strict',
  summary: 'refuse queries whose groups overlap',
} as const satisfies CommandOption;
const QUESTION = [
  ...CHOICE,
  {
    flags: '--dimensions <fields>',
    summary: 'fields to group by: entity.field, separated by commas; repeatable',
    reader: 'list',
  },
  {
    flags: '--measures <fields>',
    summary: 'measures to compute: entity.field, separated by commas; repeatable',
    reader: 'list',
  },
  {
    flags: '--filter <condition>',
    summary:
      '"entity.field OPERATOR value"; `|` separates values, `\\|` is a literal bar; repeatable, all must hold',
    reader: 'list',
  },
  {
    flags: '--order <fields>',
    summary: 'entity.field or entity.field:desc, separated by commas; repeatable',
    reader: 'list',
  },
  { flags: '--limit <rows>', summary: 'return at most this many rows', reader: 'count' },
  { flags: '--offset <rows>', summary: 'skip this many rows', reader: 'count' },
  STRICT,
] as const satisfies readonly CommandOption[];

const OUT = {
  flags: '--out <path>',
  summary: 'write to a file, or one file for each layer to a folder (default: standard output)',
} as const satisfies CommandOption;
const LOSSLESS = {
  flags: '--strict',
  summary: 'write nothing if anything would be lost',
} as const satisfies CommandOption;

/** The selected model. */
export type ModelOptions = OptionValues<typeof CHOICE>;
/** The semantic query. */
export type QuestionOptions = Omit<OptionValues<typeof QUESTION>, keyof ModelOptions>;

/** The commands about semantic models. */
export const SEMANTIC_COMMANDS = [
  {
    name: 'semantic query',
    summary: 'run a semantic query',
    args: [QUERY_ARGUMENT],
    options: [...QUESTION, SQL_ONLY, ...ANSWER_OPTIONS, TIMEOUT, UNRESTRICTED],
    examples: [
      'quern semantic query --dimensions airports.state --measures flights.flights --limit 3',
      'quern semantic query query.json --format json',
    ],
  },
  {
    name: 'semantic explore',
    summary: 'list entities, fields of an entity, or fields that can be combined with a field',
    args: [{ name: '[name]', summary: 'entity, or entity.field (default: all entities)' }],
    options: [...CHOICE, JSON_OPTION],
    examples: ['quern semantic explore', 'quern semantic explore airports'],
  },
  {
    name: 'semantic codegen',
    summary: 'print the SQL of a semantic query',
    args: [QUERY_ARGUMENT],
    options: [...QUESTION, { flags: '--explain', summary: 'print SQL, plan and join paths as JSON' }],
    examples: ['quern semantic codegen --measures flights.flights'],
  },
  {
    name: 'semantic sql',
    summary: 'translate Semantic SQL to the SQL of the platform',
    args: [{ name: '[sql]', summary: 'Semantic SQL, or - for standard input (default without a terminal)' }],
    options: [
      FILE,
      ...CHOICE,
      STRICT,
      { flags: '--explain', summary: 'print SQL, plan and join paths as JSON' },
    ],
    examples: ["quern semantic sql 'SELECT state, MEASURE(airports) FROM airports GROUP BY state'"],
  },
  {
    name: 'semantic metadata',
    summary: 'print the entities, dimensions, measures and relationships of a model',
    args: [MODEL_ARGUMENT],
    options: [LAYER],
    examples: ['quern semantic metadata flights'],
  },
  {
    name: 'semantic check',
    summary: 'check a semantic model, and whether its data match it',
    args: [MODEL_ARGUMENT],
    options: [
      LAYER,
      {
        flags: '-c, --connection <name>',
        summary: 'also check the data on this connection (default: that of the semantic connection)',
      },
      UNRESTRICTED,
      JSON_OPTION,
    ],
    examples: ['quern semantic check models', 'quern semantic check flights --connection duckdb'],
  },
  {
    name: 'semantic import',
    summary: 'convert a semantic model of another tool',
    args: [{ name: '<path...>', summary: 'files or folders' }],
    options: [
      { flags: '--from <format>', summary: 'format: ossie (Apache Ossie), dbt or cube' },
      OUT,
      { flags: '--platform <platform>', summary: 'platform of its SQL (default: duckdb)' },
      LOSSLESS,
      JSON_OPTION,
    ],
    examples: ['quern semantic import --from cube cubes --out model.yaml'],
  },
  {
    name: 'semantic export',
    summary: 'export a semantic model for other tools',
    args: [MODEL_ARGUMENT],
    options: [
      { flags: '--to <format>', summary: 'format: ossie (Apache Ossie; default)' },
      LAYER,
      OUT,
      LOSSLESS,
      JSON_OPTION,
    ],
    examples: ['quern semantic export flights --out ossie.yaml'],
  },
] as const satisfies readonly Command[];
