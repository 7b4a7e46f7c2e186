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
    name: 'semantic check',
    summary: 'find what is wrong in semantic models',
    args: [
      { name: '<model>', summary: 'semantic connection, or a model on disk: a file, a folder or a project' },
    ],
    options: [LAYER, { flags: '--json', summary: 'print the findings as JSON' }],
    load: () => import('./commands/semantic-check.ts'),
  },
];
