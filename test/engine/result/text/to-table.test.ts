import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Column } from '../../../../src/engine/result/columns/column.ts';
import { toPrintable } from '../../../../src/text/printable.ts';
import { encode, encodeQuery, openMemory, toBytes, toChunk } from '../encode.ts';

const connection = await openMemory();
afterAll(() => connection.close());

async function print(sql: string, options = {}): Promise<string[]> {
  const text = await encodeQuery(connection, 'table', sql, options);
  expect(text.endsWith('\n')).toBe(true);
  return text.slice(0, -1).split('\n');
}

describe('a table', () => {
  it('aligns numbers right and texts left', async () => {
    const sql = `SELECT * FROM (VALUES
      (1, 'Ann', 12.30, DATE '2024-01-02', true, [1, 2]),
      (-100, 'Zoë', NULL, NULL, false, NULL)) t(id, name, total, day, ok, list)`;
    expect(await print(sql)).toEqual([
      '┌──────┬──────┬───────┬────────────┬───────┬────────┐',
      '│   id │ name │ total │ day        │ ok    │ list   │',
      '├──────┼──────┼───────┼────────────┼───────┼────────┤',
      '│    1 │ Ann  │ 12.30 │ 2024-01-02 │ true  │ [1, 2] │',
      '│ -100 │ Zoë  │  NULL │ NULL       │ false │ NULL   │',
      '└──────┴──────┴───────┴────────────┴───────┴────────┘',
      '2 rows',
    ]);
  });

  it('distinguishes NULL from the text NULL', async () => {
    const sql = "SELECT * FROM (VALUES (NULL), ('NULL'), (''), ('null')) t(x)";
    expect((await print(sql)).slice(3, 7)).toEqual(['│ NULL   │', '│ "NULL" │', '│        │', '│ null   │']);
  });

  it('prints no character that moves the cursor', async () => {
    const sql = "SELECT 'a' || chr(10) || chr(13) || chr(27) || '[2J' || chr(0) || chr(8238) AS \"a\tb\"";
    expect(await print(sql)).toEqual([
      '┌───────────┐',
      '│ a   b     │',
      '├───────────┤',
      '│ a␊␍␛[2J␀\ufffd │',
      '└───────────┘',
      '1 row',
    ]);
  });

  it('aligns wide and zero-width characters', async () => {
    const sql = "SELECT * FROM (VALUES ('日本'), ('e' || chr(769)), ('😀')) t(x)";
    expect(await print(sql)).toEqual([
      '┌──────┐',
      '│ x    │',
      '├──────┤',
      '│ 日本 │',
      '│ e\u0301    │',
      '│ 😀   │',
      '└──────┘',
      '3 rows',
    ]);
  });

  it('has a header without rows', async () => {
    expect(await print('SELECT 1 AS a WHERE false')).toEqual(['┌───┐', '│ a │', '├───┤', '└───┘', '0 rows']);
  });

  it('is empty without a result set', async () => {
    expect(await encode('table', null, [])).toBe('');
  });

  it('shows the first rows and counts the rest', async () => {
    const lines = await print('SELECT i FROM range(10000) t(i)');
    expect(lines.length).toBe(105);
    expect(lines.slice(-3)).toEqual(['│ 99 │', '└────┘', '100 of 10000 rows, 9900 more']);
    expect((await print('SELECT i FROM range(100) t(i)')).at(-1)).toBe('100 rows');
    expect((await print('SELECT i FROM range(3) t(i)', { tableRows: 2 })).slice(-2)).toEqual([
      '└───┘',
      '2 of 3 rows, 1 more',
    ]);
  });

  it('does not decode rows that it only counts', async () => {
    const columns: readonly Column[] = [{ name: 'x', type: { kind: 'text', label: 'STRING' } }];
    const counted = {
      rows: 7,
      vector() {
        throw new Error('decoded');
      },
    };
    const text = await encode('table', columns, [toChunk(2, [toBytes(['a', 'b'])]), counted], {
      tableRows: 2,
    });
    expect(text.split('\n').at(-2)).toBe('2 of 9 rows, 7 more');
  });

  it('cuts its widest columns to the width of the terminal', async () => {
    const sql = "SELECT 1 AS id, repeat('x', 60) AS a, repeat('y', 20) AS b, repeat('日', 40) AS c";
    expect(await print(sql, { width: 60 })).toEqual([
      '┌────┬─────────────────┬─────────────────┬─────────────────┐',
      '│ id │ a               │ b               │ c               │',
      '├────┼─────────────────┼─────────────────┼─────────────────┤',
      '│  1 │ xxxxxxxxxxxxxx… │ yyyyyyyyyyyyyy… │ 日日日日日日日… │',
      '└────┴─────────────────┴─────────────────┴─────────────────┘',
      '1 row',
    ]);
  });

  it('hides columns that do not fit', async () => {
    const columns = Array.from({ length: 20 }, (_, i) => `'value ${i} is long' AS column_${i}`);
    const lines = await print(`SELECT ${columns.join(', ')}`, { width: 50 });
    expect(lines).toEqual([
      '┌──────────┬──────────┬──────────┬──────────┬───┐',
      '│ column_0 │ column_1 │ column_2 │ column_3 │ … │',
      '├──────────┼──────────┼──────────┼──────────┼───┤',
      '│ value 0… │ value 1… │ value 2… │ value 3… │ … │',
      '└──────────┴──────────┴──────────┴──────────┴───┘',
      '1 row; 4 of 20 columns',
    ]);
  });

  it('is aligned, fits the terminal and has no control characters for any data', async () => {
    const cell = fc.option(fc.string({ unit: 'binary', maxLength: 60 }));
    const table = fc.integer({ min: 1, max: 6 }).chain((width) =>
      fc.record({
        rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
          minLength: 1,
          maxLength: 8,
        }),
        terminal: fc.integer({ min: 40, max: 200 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(table, async ({ rows, terminal }) => {
        const columns = rows[0]!.map(
          (_, i) => ({ name: `c${i}`, type: { kind: 'text', label: 'STRING' } }) as const,
        );
        const vectors = columns.map((_, i) => toBytes(rows.map((row) => row[i]!)));
        const text = await encode('table', columns, [toChunk(rows.length, vectors)], { width: terminal });
        const lines = text.split('\n').slice(0, -2);
        const widths = new Set(lines.map((line) => toPrintable(line, 0).width));
        expect(lines.length).toBe(rows.length + 4);
        expect(widths.size).toBe(1);
        expect([...widths][0]).toBeLessThanOrEqual(terminal);
        expect(text).not.toMatch(/[^\P{Cc}\n]/u);
      }),
    );
  });
});
