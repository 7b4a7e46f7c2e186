import { describe, expect, it } from 'vitest';
import {
  findRowAction,
  listTableRows,
  type TableRow,
} from '../../../web/components/editor/tables/table-rows.ts';

const table = (schema: string, name: string) => ({
  schema,
  name,
  kind: 'table' as const,
  columns: [
    { name: 'a', type: 'INTEGER' },
    { name: 'b', type: 'VARCHAR' },
  ],
});
const print = (rows: readonly TableRow[]) =>
  rows.map(({ content, level, position, setSize }) => {
    const name = content.kind === 'table' ? content.table.name : content.name;
    return `${'  '.repeat(level - 1)}${name} ${position}/${setSize}`;
  });

describe('the rows of tables', () => {
  it('have schemas as groups only if there are several', () => {
    const one = [table('main', 't'), table('main', 'u')];
    expect(print(listTableRows(one, new Set()))).toEqual(['t 1/2', 'u 2/2']);
    const two = [...one, table('other', 't')];
    const rows = listTableRows(two, new Set());
    expect(print(rows)).toEqual(['main 1/2', '  t 1/2', '  u 2/2', 'other 2/2', '  t 1/1']);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });

  it('show columns below an open table, and nothing below a closed schema', () => {
    const tables = [table('main', 't'), table('other', 't')];
    const [main, first] = listTableRows(tables, new Set());
    const rows = listTableRows(tables, new Set([first!.key]));
    expect(print(rows)).toEqual(['main 1/2', '  t 1/1', '    a 1/2', '    b 2/2', 'other 2/2', '  t 1/1']);
    expect(print(listTableRows(tables, new Set([main!.key])))).toEqual(['main 1/2', 'other 2/2', '  t 1/1']);
  });

  it('are reached and opened by keys, and never left', () => {
    const tables = [table('main', 't'), table('other', 't')];
    const closed = listTableRows(tables, new Set());
    const rows = listTableRows(tables, new Set([closed[1]!.key]));
    const act = (index: number, key: string) => findRowAction(rows, index, key);
    expect(act(0, 'ArrowDown')).toEqual({ go: 1 });
    expect(act(0, 'ArrowUp')).toEqual({ go: 0 });
    expect(act(0, 'PageDown')).toEqual({ go: 5 });
    expect(act(3, 'Home')).toEqual({ go: 0 });
    expect(act(0, 'End')).toEqual({ go: 5 });
    expect(act(1, 'ArrowRight')).toEqual({ go: 2 });
    expect(act(1, 'ArrowLeft')).toBe('toggle');
    expect(act(3, 'ArrowLeft')).toEqual({ go: 1 });
    expect(act(5, 'ArrowRight')).toBe('toggle');
    expect(act(3, 'ArrowRight')).toBeNull();
    expect(act(0, 'x')).toBeNull();
    expect(findRowAction([], 0, 'ArrowDown')).toBeNull();
  });
});
