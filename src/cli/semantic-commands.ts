import type { Command, CommandOption } from './command.ts';

const LAYER: CommandOption = {
  flags: '--layer <key>',
  summary: 'which [semantic.<key>] of a project on disk (default: the only or the default one)',
};

/** The commands about semantic models. */
export const SEMANTIC_COMMANDS: readonly Command[] = [
  {
    name: 'semantic metadata',
    summary: 'print what a semantic model has: entities, dimensions, measures, relationships',
    args: [
      { name: '<model>', summary: 'semantic connection, or a model on disk: a file, a folder or a project' },
    ],
    options: [LAYER],
    load: () => import('./commands/semantic-metadata.ts'),
  },
  {
    name: 'semantic codegen',
    summary: 'print the SQL that answers a question to a semantic model',
    args: [{ name: '[query]', summary: 'JSON file with the question, or - for standard input' }],
    options: [
      { flags: '--connection <name>', summary: 'semantic connection (default: the only one)' },
      { flags: '--model <path>', summary: 'in its place, a model on disk: a file, a folder or a project' },
      LAYER,
      {
        flags: '--dimensions <fields>',
        summary: 'what to group by: entity.field, with commas between; may be repeated',
        reader: 'list',
      },
      { flags: '--measures <fields>', summary: 'what to compute, in the same way', reader: 'list' },
      {
        flags: '--filter <condition>',
        summary: '"entity.field OPERATOR value|value"; may be repeated: all hold',
        reader: 'list',
      },
      {
        flags: '--order <field>',
        summary: 'entity.field or entity.field:desc; may be repeated',
        reader: 'list',
      },
      { flags: '--limit <rows>', summary: 'so many rows at most', reader: 'count' },
      { flags: '--offset <rows>', summary: 'after leaving out so many', reader: 'count' },
      { flags: '--strict', summary: 'refuse questions whose groups overlap' },
      { flags: '--explain', summary: 'print the plan and the paths with the SQL, as JSON' },
    ],
    load: () => import('./commands/semantic-codegen.ts'),
  },
  {
    name: 'semantic check',
    summary: 'find what is wrong in a semantic model, and where its data are not as it says',
    args: [
      { name: '<model>', summary: 'semantic connection, or a model on disk: a file, a folder or a project' },
    ],
    options: [
      LAYER,
      {
        flags: '--connection <name>',
        summary: 'see also whether its data are as the model says (default: that of the semantic connection)',
      },
      { flags: '--json', summary: 'print the findings as JSON' },
    ],
    load: () => import('./commands/semantic-check.ts'),
  },
];
