import { expect, it, onTestFinished } from 'vitest';
import { createDatabase, type Database } from '../../../src/store/database.ts';
import { createTestClock, makeFolder } from '../temporary-home.ts';

function open(): Database {
  const database = createDatabase(makeFolder(), { clock: createTestClock() });
  onTestFinished(() => database.close());
  return database;
}

it('has one plan for all values of its parameters', () => {
  const plan = open().statement<{ detail: string }>(
    'EXPLAIN QUERY PLAN SELECT id FROM catalog_items WHERE parent_id = ? AND name GLOB ?',
  );
  const printPlan = (pattern: string) => plan.all('root', pattern).map(({ detail }) => detail);
  expect(printPlan('a*')).toEqual(printPlan('*a'));
  expect(printPlan('a*')).toEqual([
    'SEARCH catalog_items USING COVERING INDEX catalog_items_by_name (parent_id=?)',
  ]);
});

it('binds each value unchanged, and no question mark of a text', () => {
  const types = open().statement(`
    SELECT typeof(?) AS text, typeof(?) AS number, typeof(?) AS fraction, typeof(?) AS bytes, typeof(?) AS absent,
      '?''?' AS marks, ? AS digits
  `);
  expect(types.get('5', 5, 0.5, Buffer.from('5'), null, '007')).toEqual({
    text: 'text',
    number: 'real',
    fraction: 'real',
    bytes: 'blob',
    absent: 'null',
    marks: "?'?",
    digits: '007',
  });
});
