import { defineOption, type KindDefinition } from '../contract/kind.ts';
import { defineServerOptions } from '../server/options.ts';

export const postgresqlKind: KindDefinition = {
  kind: 'postgresql',
  title: 'PostgreSQL, and servers that speak its protocol',
  options: [
    ...defineServerOptions(5432),
    defineOption('schema', 'the schema that names without one belong to', {
      default: 'the user’s search_path',
    }),
  ],
  overrides: ['database', 'schema'],
  maxSessions: 10,
};
