import type { KindDefinition } from '../contract/kind.ts';
import { defineServerOptions } from '../server/options.ts';

export const mysqlKind: KindDefinition = {
  kind: 'mysql',
  title: 'MySQL and MariaDB',
  options: defineServerOptions(3306),
  overrides: ['database', 'schema'],
  maxSessions: 10,
};
