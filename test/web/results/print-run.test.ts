import { expect, it } from 'vitest';
import { elementAt } from '../../../src/invariants/must.ts';
import type { RecordedRun } from '../../../web/api/runs/run.ts';
import {
  describeState,
  hasFailed,
  nameStatement,
  printTarget,
} from '../../../web/components/results/run/print-run.ts';

const execution = { state: 'done', tests: null, is_queued_by_database: false } as const;

it.each([
  [execution, 'Done', 'success'],
  [{ ...execution, tests: { total: 0, failed: 0 } }, 'Done', 'success'],
  [{ ...execution, tests: { total: 1, failed: 0 } }, '1 test passed', 'success'],
  [{ ...execution, tests: { total: 3, failed: 1 } }, '1 of 3 tests failed', 'danger'],
  [{ ...execution, state: 'failed' }, 'Failed', 'danger'],
  [{ ...execution, state: 'cancelled' }, 'Cancelled', 'warning'],
  [{ ...execution, state: 'running' }, 'Running', 'info'],
  [{ ...execution, state: 'running', is_queued_by_database: true }, 'Queued by the database', 'info'],
] as const)('the state of %o is "%s"', (run, label, kind) => {
  expect(describeState(run)).toEqual({ label, kind });
});

it.each([
  ['SELECT 1', 'SELECT'],
  ['/* a */ -- b\n  with x as (select 1) from x', 'WITH'],
  ['(SELECT 1)', 'Statement'],
  ['insert  into sales values (1)', 'INSERT sales'],
  ['INSERT OR REPLACE INTO main."a b" SELECT 1', 'INSERT main."a b"'],
  ['CREATE OR REPLACE TEMP TABLE IF NOT EXISTS 表(i INT)', 'CREATE 表'],
  ['CREATE MATERIALIZED VIEW v AS SELECT 1', 'CREATE v'],
  ['CREATE TABLE `a b`.c AS SELECT 1', 'CREATE `a b`.c'],
  ['CREATE INDEX i ON t (a)', 'CREATE'],
  ['UPDATE [a b] SET i = 1', 'UPDATE [a b]'],
  ['DELETE FROM t', 'DELETE t'],
  ['MERGE INTO t USING u ON true', 'MERGE t'],
  ['DROP TABLE IF EXISTS t', 'DROP t'],
  ["COPY (SELECT 1) TO 'a.csv'", 'COPY'],
  ['INSERT INTO', 'INSERT'],
  ['', 'Statement'],
])('the statement %j is called %j', (text, name) => {
  expect(nameStatement({ text, title: null, file: null, line: null, column: null })).toBe(name);
});

it('a statement with a title is called by it', () => {
  const statement = { text: 'INSERT INTO t VALUES (1)', file: null, line: null, column: null };
  expect(nameStatement({ ...statement, title: 'The first row' })).toBe('The first row');
});

it.each([
  ['failed', 1, 'none', true],
  ['failed', 0, 'none', false],
  ['failed', 1, 'count', false],
  ['done', 1, 'none', false],
  ['cancelled', 1, 'none', false],
] as const)('of a %s run, statement %d of the kind %s is marked: %s', (state, index, kind, isMarked) => {
  const list = [0, 1].map((at) => ({ index: at, kind, is_complete: true, is_truncated: false }));
  const run = { execution: { ...execution, state }, data: list } as unknown as RecordedRun;
  expect(hasFailed(elementAt(run.data, index), run)).toBe(isMarked);
});

it.each([
  [{ status: 'PUBLISHED', action: 'merge', rows: 4, duration_ms: 320 }, 'Published (merge, 4 rows, 320 ms)'],
  [{ status: 'PUBLISHED', action: 'write', rows: null, duration_ms: 4_200 }, 'Published (write, 4.2 s)'],
  [{ status: 'FAILED', action: null, rows: null, duration_ms: 7 }, 'Failed (7 ms)'],
  [{ status: 'SKIPPED', action: null, rows: null, duration_ms: 0 }, 'Skipped '],
] as const)('the target %o is %j', (target, text) => {
  const { word, facts } = printTarget(target);
  expect(`${word} ${facts}`).toBe(text);
});
