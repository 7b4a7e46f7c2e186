import { defineOption, isWhole, type KindDefinition } from '../../contract/kind.ts';

export const duckdbKind: KindDefinition = {
  kind: 'duckdb',
  title: 'DuckDB, a database in a file, in this process',
  options: [
    defineOption('file', 'the path of the file, or :memory: for a database of each session’s own', {
      isRequired: true,
      isPath: (value) => value !== ':memory:',
    }),
    defineOption('memory_limit', 'how much memory the database may take, such as 4GB', {
      shownDefault: '80% of the machine’s',
    }),
    defineOption('threads', 'how many threads it may use', {
      shownDefault: 'one for each core',
      check: isWhole(1, 1024),
    }),
    defineOption('time_zone', 'the time zone of sessions', { default: 'UTC' }),
  ],
  overrides: ['database', 'schema'],
  maxSessions: null,
};
