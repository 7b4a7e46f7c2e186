import { expect, it } from 'vitest';
import { compareTexts, toOneColumn } from '../../web/components/catalog/history/compare-texts.ts';

const BEFORE = 'a\nb\nc\nd\n';
const AFTER = 'a\nB\nC\nd\ne\n';

it('a comparison of two texts has lines side by side', async () => {
  const rows = await compareTexts(BEFORE, AFTER);
  expect(rows?.map(({ kind, before, after }) => [kind, before?.text ?? null, after?.text ?? null])).toEqual([
    ['same', 'a', 'a'],
    ['changed', 'b', 'B'],
    ['changed', 'c', 'C'],
    ['same', 'd', 'd'],
    ['changed', null, 'e'],
  ]);
});

it('a comparison in one column has the removed lines before the added ones', async () => {
  const rows = toOneColumn((await compareTexts(BEFORE, AFTER)) ?? []);
  expect(
    rows.map(({ kind, before, after }) => [kind, before?.number ?? null, after?.number ?? null]),
  ).toEqual([
    ['same', 1, 1],
    ['changed', 2, null],
    ['changed', 3, null],
    ['changed', null, 2],
    ['changed', null, 3],
    ['same', 4, 4],
    ['changed', null, 5],
  ]);
});
