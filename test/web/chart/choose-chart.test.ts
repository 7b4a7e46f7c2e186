import { afterAll, describe, expect, it } from 'vitest';
import { chooseChart } from '../../../web/components/chart/choose-chart.ts';
import { openMemory } from '../../engine/result/encode.ts';
import { readSource } from '../results/arrow-bytes.ts';

const connection = await openMemory();
afterAll(() => connection.close());

describe('the first chart of a result', () => {
  it.each([
    ['one number', 'SELECT 42 AS answer', { kind: 'number', y: [0] }],
    [
      'one row of a name and numbers',
      "SELECT 'a' AS name, 1.5 AS price, 2 AS count",
      { kind: 'number', y: [1] },
    ],
    [
      'numbers over time',
      "SELECT DATE '2024-01-01' + i::INTEGER AS day, i * i AS sold FROM range(9) r(i)",
      { kind: 'line', x: 0, y: [1], series: null },
    ],
    [
      'numbers over time for each of a few names',
      "SELECT DATE '2024-01-01' + (i // 2)::INTEGER AS day, 'shop ' || i % 2 AS shop, i AS sold FROM range(9) r(i)",
      { kind: 'line', x: 0, y: [2], series: 1 },
    ],
    [
      'numbers over time for each of many names',
      "SELECT DATE '2024-01-01' + (i // 9)::INTEGER AS day, 'shop ' || i % 9 AS shop, i AS sold FROM range(90) r(i)",
      { kind: 'line', x: 0, y: [2], series: null },
    ],
    [
      'numbers by name',
      'SELECT chr(97 + i::INTEGER) AS name, i AS n FROM range(5) r(i)',
      { kind: 'bar', x: 0, y: [1] },
    ],
    [
      'numbers by two names',
      "SELECT 'x' || i % 2 AS one, 'y' || i // 2 AS two, i AS n FROM range(6) r(i)",
      { kind: 'bar', x: 0, y: [2], series: 1 },
    ],
    [
      'numbers by id',
      'SELECT i AS customer_id, i * 2 AS total FROM range(5) r(i)',
      { kind: 'bar', x: 0, y: [1] },
    ],
    [
      'numbers by year',
      'SELECT 2000 + i AS year, i * 2 AS total FROM range(5) r(i)',
      { kind: 'line', x: 0, y: [1] },
    ],
    [
      'pairs of numbers',
      'SELECT (i * 7) % 5 + 0.5 AS a, i AS b FROM range(9) r(i)',
      { kind: 'scatter', x: 0, y: [1] },
    ],
    ['many numbers', 'SELECT i * 7 % 50 AS a FROM range(90) r(i)', { kind: 'histogram', x: 0, y: [] }],
    [
      'few integers as categories',
      'SELECT (i * 7) % 5 AS rating FROM range(9) r(i)',
      { kind: 'bar', x: 0, y: [], order: 'name' },
    ],
    [
      'numbers by a few integers',
      'SELECT 12 - i AS month, i * 1.5 AS sold FROM range(12) r(i)',
      { kind: 'bar', x: 0, y: [1], order: 'name' },
    ],
    [
      'numbers by name and a few integers',
      "SELECT 'x' || i % 2 AS name, i // 2 AS rating, i * 10 AS sold FROM range(20) r(i)",
      { kind: 'bar', x: 0, y: [2], series: null },
    ],
    [
      'few counts by name, which are no categories',
      "SELECT 'x' || i AS name, i % 2 AS n FROM range(9) r(i)",
      { kind: 'bar', x: 0, y: [1], order: 'rows' },
    ],
    [
      'numbers by year and name',
      "SELECT 2020 + i // 2 AS year, 'x' || i % 2 AS name, i AS sold FROM range(8) r(i)",
      { kind: 'line', x: 0, y: [2], series: 1 },
    ],
    ['names', "SELECT 'x' || i % 2 AS name FROM range(9) r(i)", { kind: 'bar', x: 0, y: [] }],
    [
      'times',
      "SELECT DATE '2024-01-01' + i::INTEGER AS day FROM range(9) r(i)",
      { kind: 'histogram', x: 0, y: [] },
    ],
  ])('fits %s', async (_what, sql, wanted) => {
    expect(chooseChart(await readSource(connection, sql))).toMatchObject(wanted);
  });

  it('is missing for columns that cannot be drawn', async () => {
    expect(
      chooseChart(await readSource(connection, "SELECT [1, 2] AS l, 'x'::BLOB AS b FROM range(3)")),
    ).toBeNull();
  });
});
