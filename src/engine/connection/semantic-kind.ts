import { defineOption, isOneOf, type KindDefinition } from './contract/kind.ts';

/** A semantic model on top of another connection (docs/reference/semantic.md#semantic-connections). */
export const semanticKind: KindDefinition = {
  kind: 'semantic',
  title: 'a semantic model, which turns questions into SQL',
  options: [
    defineOption(
      'model',
      'the model: a file, a folder of files or a project, in the catalog (@Shared/…) or on disk',
      { isRequired: true, isPath: (value) => !/^\/?@/.test(value) },
    ),
    defineOption('layer', 'which [semantic.<key>] of a project it is', {
      shownDefault: 'the only or the default one',
    }),
    defineOption('connection', 'the connection that the SQL is for', {
      shownDefault: 'none: SQL is made, but cannot be run',
    }),
    defineOption('strict', 'true: refuse questions whose groups overlap', {
      default: 'false',
      check: isOneOf('true', 'false'),
    }),
  ],
  overrides: [],
  maxSessions: null,
};
