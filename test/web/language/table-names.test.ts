import { describe, expect, it } from 'vitest';
import { printPreview, printSelect, printTableName } from '../../../web/language/table-names.ts';

const table = (schema: string, name: string, ...columns: readonly string[]) => ({
  schema,
  name,
  kind: 'table' as const,
  columns: columns.map((column) => ({ name: column, type: 'INTEGER' })),
});

describe('the names of tables in texts', () => {
  it('have quotes where the database needs them', () => {
    const names = ['plain', 'a b', 'select', '表', 'a"b', 'Mixed'].map((name) => table('main', name));
    const print = (dialect: Parameters<typeof printTableName>[1]) =>
      names.map((each) => printTableName(each, dialect)).join(' ');
    expect(print('duckdb')).toBe('plain "a b" "select" "表" "a""b" Mixed');
    expect(print('postgresql')).toBe('plain "a b" "select" "表" "a""b" "Mixed"');
    expect(print('mysql')).toBe('plain `a b` `select` `表` `a"b` Mixed');
    expect(print('trino')).toBe('plain "a b" "select" "表" "a""b" Mixed');
  });

  it('have the schema, unless it is the one of the connection', () => {
    expect(printTableName(table('other place', 'order'), 'duckdb')).toBe('"other place"."order"');
    expect(printTableName(table('', 'items'), 'postgresql')).toBe('items');
    expect(printTableName(table('public', 'items'), 'postgresql')).toBe('items');
  });

  it('are in a SELECT of the columns, and in one of the first rows', () => {
    expect(printSelect(table('main', 'a b', 'id', 'order'), 'duckdb')).toBe(
      'SELECT\n    id,\n    "order"\nFROM "a b";',
    );
    expect(printSelect(table('main', 'empty'), 'duckdb')).toBe('SELECT *\nFROM empty;');
    expect(printPreview(table('main', 'a b'), 'mysql')).toBe('SELECT * FROM `a b` LIMIT 100');
  });
});
