import { afterAll, describe, expect, it } from 'vitest';
import { createPace } from '../../../web/components/results/compute/pace.ts';
import {
  listTaskColumns,
  runTask,
  runWith,
  type Task,
} from '../../../web/components/results/compute/run-task.ts';
import type { ColumnSummary } from '../../../web/components/results/compute/summarize-column.ts';
import type { ResultSource } from '../../../web/components/results/source/result-source.ts';
import { openMemory } from '../../engine/result/encode.ts';
import { readSource } from './arrow-bytes.ts';

const connection = await openMemory();
afterAll(() => connection.close());

const pace = () => createPace(new AbortController().signal);

/** Does a task with what is sent to a worker. */
function runCopied(source: ResultSource, task: Task) {
  return runTask(structuredClone({ task, columns: source.copyColumns(listTaskColumns(task)) }), pace());
}

const EXPRESSIONS = [
  'range % 7 = 3',
  '(range * 7919 % 3000)::SMALLINT',
  '-range * 1000000007 % 998244353',
  "('12345678901234567890123456789'::HUGEINT - range)",
  'range::UHUGEINT',
  '(range % 90 - 45.25)::DECIMAL(4,2)',
  '(-range * 1000.00001)::DECIMAL(18,5)',
  "('12345678901234567890.0123456789'::DECIMAL(38,10) - range)",
  "CASE range % 5 WHEN 0 THEN 'nan' ELSE (range / 7)::VARCHAR END::DOUBLE",
  "DATE '1999-12-31' + (range * 37)::INTEGER",
  "TIME '00:00:00.000001' + to_microseconds(range * 1000003)",
  "TIMESTAMP '2024-01-02 03:04:05' + to_microseconds(range * 1000001)",
  'to_days((range * 7919 % 3000)::INTEGER)',
  "'n' || (range * 7919 % 3000)",
  "''",
  '[range * 7919 % 3000, NULL]',
  "{'a': range % 10, 'b': ['x', NULL]}",
  'MAP {range % 10: range}',
  "('\\xAA\\x00' || range)::BLOB",
  'NULL',
];

describe('a computation with copied columns', () => {
  it.each(EXPRESSIONS)('has the same result for %s', async (expression) => {
    const value = `CASE WHEN range % 11 = 5 THEN NULL ELSE ${expression} END AS x`;
    const sql = `SELECT range AS n, ${value}, 'other' AS o FROM range(3000)`;
    const source = await readSource(connection, sql, 10_000);
    for (const isDescending of [false, true]) {
      const choice = {
        filters: [{ column: 0, operator: 'at least', operand: '500' }],
        sorting: { column: 1, isDescending },
      } as const;
      const rows = await runWith(source, { kind: 'choose', choice }, pace());
      expect(rows).toHaveLength(2500);
      expect(await runCopied(source, { kind: 'choose', choice })).toEqual(rows);
      const task = { kind: 'summarize', column: 1, order: rows as Uint32Array } as const;
      expect(await runCopied(source, task)).toEqual(await runWith(source, task, pace()));
    }
    const all = { kind: 'summarize', column: 1, order: null } as const;
    const summary = await runWith(source, all, pace());
    expect(await runCopied(source, all)).toEqual(summary);
    const sketches = await runCopied(source, { kind: 'sketch', columns: [2, 1], order: null });
    const { rows, nulls, bins, top } = summary as ColumnSummary;
    expect(sketches).toEqual([
      { rows, nulls: 0, bins: [], top: [{ text: 'other', count: 3000 }] },
      { rows, nulls, bins, top: bins.length > 0 ? [] : top },
    ]);
  });

  it('has only the memory of its columns', async () => {
    const source = await readSource(
      connection,
      "SELECT range AS n, repeat('x', 1000) AS text FROM range(3000)",
    );
    const { batches } = source.copyColumns([0]);
    const buffers = new Set(
      batches.flatMap(({ columns }) =>
        columns.flatMap((column) =>
          column === undefined ? [] : [column.values, column.offsets, column.validity],
        ),
      ),
    );
    const bytes = [...buffers].reduce((sum, part) => sum + (part?.buffer.byteLength ?? 0), 0);
    expect(bytes).toBeGreaterThanOrEqual(3000 * 8);
    expect(bytes).toBeLessThan(3000 * 16);
  });

  it('refuses a column that was not copied', async () => {
    const source = await readSource(connection, 'SELECT 1 AS a, 2 AS b');
    const task: Task = { kind: 'summarize', column: 1, order: null };
    const columns = structuredClone(source.copyColumns([0]));
    await expect(runTask({ task, columns }, pace())).rejects.toThrow('the result has no column 1');
  });
});
