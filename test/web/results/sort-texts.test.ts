import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { chooseRows } from '../../../web/components/results/compute/choose-rows.ts';
import { createPace } from '../../../web/components/results/compute/pace.ts';
import { orderNumbers } from '../../../web/components/results/compute/radix.ts';
import { orderTexts } from '../../../web/components/results/compute/sort-texts.ts';
import { openMemory } from '../../engine/result/encode.ts';
import { share } from '../../support/rotation.ts';
import { readSource } from './arrow-bytes.ts';

const connection = await openMemory();
afterAll(() => connection.close());

function order(list: readonly string[]): readonly number[] {
  const parts = list.map((text) => new TextEncoder().encode(text));
  const offsets = new Uint32Array(list.length + 1);
  parts.forEach(({ length }, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + length;
  });
  return [...orderTexts({ bytes: Uint8Array.from(parts.flatMap((part) => [...part])), offsets })];
}

/** The places of values in their order; equal ones stay in their order. */
function orderSlowly<Value>(list: readonly Value[], compare: (one: Value, other: Value) => number) {
  return list
    .map((value, i) => ({ value, i }))
    .sort((a, b) => compare(a.value, b.value) || a.i - b.i)
    .map(({ i }) => i);
}

const compareTexts = (one: string, other: string) => (one < other ? -1 : Number(one > other));

describe('the order of texts', () => {
  it.each([
    ['nothing', []],
    ['equal texts', Array.from({ length: 200 }, () => 'same')],
    ['empty texts', Array.from({ length: 200 }, (_, i) => (i % 3 === 0 ? '' : String(i % 7)))],
    [
      'a long common start',
      Array.from({ length: 300 }, (_, i) => `${'https://example.org/'.repeat(9)}${(i * 7) % 300}`),
    ],
    ['texts that begin others', Array.from({ length: 300 }, (_, i) => 'ab'.repeat((i * 7) % 100))],
    [
      'groups that differ late',
      Array.from({ length: 400 }, (_, i) => `${i % 3}${'x'.repeat(40)}${(i * 31) % 400}`),
    ],
    ['all bytes of two', Array.from({ length: 500 }, (_, i) => String.fromCharCode((i * 37) % 500, i % 90))],
  ])('is that of their UTF-16 units for %s', (_what, list) => {
    expect(order(list)).toEqual(orderSlowly(list, compareTexts));
  });

  it('is the same as a slow sort for any texts without pairs of units', () => {
    const text = fc.string({
      unit: fc.constantFrom('', 'a', 'b', 'ab', 'z', 'é', '表', '\0', '\uffff'),
      maxLength: 40,
    });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 300 }), (list) => {
        expect(order(list)).toEqual(orderSlowly(list, compareTexts));
      }),
      { numRuns: share(300) },
    );
  });

  it('has NULL last, and equal texts as before, in both directions and with any characters', async () => {
    const sql = `SELECT CASE WHEN i % 7 = 3 THEN NULL ELSE ['😀', 'ﬀ', 'a', 'b', ''][1 + i % 5] END AS x FROM range(200) r(i)`;
    for (const statement of [sql, sql.replace('😀', 'c')]) {
      const source = await readSource(connection, statement, 30);
      const texts = Array.from({ length: 200 }, (_, row) => source.getText(row, 0));
      const present = texts.flatMap((text, row) => (text === null ? [] : row));
      const absent = texts.flatMap((text, row) => (text === null ? row : []));
      for (const isDescending of [false, true]) {
        const sorting = { column: 0, isDescending };
        const pace = createPace(new AbortController().signal);
        const rows = await chooseRows(source, { filters: [], sorting }, pace);
        const sign = isDescending ? -1 : 1;
        const wanted = orderSlowly(present, (a, b) => sign * compareTexts(texts[a] ?? '', texts[b] ?? ''));
        expect([...rows]).toEqual([...wanted.map((place) => present[place]), ...absent]);
      }
    }
  });
});

describe('the order of numbers', () => {
  it('is the same as a slow sort, with NaN last and equal zeros', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.double(), fc.integer(), fc.constant(-0)), { maxLength: 200 }),
        (list) => {
          const compare = (one: number, other: number) =>
            one < other ? -1 : one > other ? 1 : Number(Number.isNaN(one)) - Number(Number.isNaN(other));
          expect([...orderNumbers(Float64Array.from(list))]).toEqual(orderSlowly(list, compare));
        },
      ),
      { numRuns: share(300) },
    );
  });
});
