import { defineOption, type KindDefinition, type Options } from '../contract/kind.ts';
import { defineServerOptions } from '../server/options.ts';

export const postgresqlKind: KindDefinition = {
  kind: 'postgresql',
  title: 'PostgreSQL, and servers that speak its protocol',
  options: [
    ...defineServerOptions(5432),
    defineOption('schema', 'the schema that names without one belong to', {
      shownDefault: 'the user’s search_path',
    }),
  ],
  overrides: ['database', 'schema'],
  maxSessions: 10,
};

/** The parameters of a session that options set as they are, by option. */
export const SESSION_PARAMETERS: Options = { time_zone: 'timezone' };
