import { afterAll, describe, expect, it } from 'vitest';
import { printHexLines } from '../../../web/components/results/cell/hex-lines.ts';
import { layOutNested } from '../../../web/components/results/cell/nested-lines.ts';
import { layOutJson } from '../../../web/components/results/cell/pretty-json.ts';
import { openMemory } from '../../engine/result/encode.ts';
import { readSource } from './arrow-bytes.ts';

const connection = await openMemory();
afterAll(() => connection.close());

describe('a JSON text', () => {
  it('is laid out with its numbers, strings and duplicate names unchanged', () => {
    const text = '{"a":12345678901234567890.10,"b":[1e400,"x, {y}: \\"z\\"",[],{}],"a":null}';
    expect(layOutJson(text)).toBe(`{
  "a": 12345678901234567890.10,
  "b": [
    1e400,
    "x, {y}: \\"z\\"",
    [],
    {}
  ],
  "a": null
}`);
  });

  it('has the same value as before', () => {
    const value = { a: [{ b: [1, [2, [3]]] }, 'x\n"', true, null], '': {} };
    expect(JSON.parse(layOutJson(JSON.stringify(value)) ?? '')).toEqual(value);
  });

  it('is not laid out when it is not valid', () => {
    expect([layOutJson('{"a": 1,}'), layOutJson('NaN'), layOutJson('')]).toEqual([null, null, null]);
  });

  it('may be nested deeply', () => {
    const depth = 5_000;
    const laidOut = layOutJson(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    expect(laidOut?.length).toBeLessThan(depth * 2 * 90);
  });
});

it('a nested value is laid out in lines', async () => {
  const source = await readSource(
    connection,
    "SELECT {'a': [1, NULL], 'b': 'it''s', 'c': MAP {'k': DATE '2024-01-02'}, 'd': []::INTEGER[]} AS x",
  );
  const [column] = source.columns;
  expect(layOutNested(column!.valueType, source.getValue(0, 0))).toBe(`{
  a: [
    1,
    NULL
  ],
  b: 'it''s',
  c: {
    'k' = 2024-01-02
  },
  d: []
}`);
});

it('bytes are laid out in lines of sixteen', () => {
  const bytes = Uint8Array.from({ length: 18 }, (_, i) => i + 0x3a);
  expect(printHexLines(bytes)).toBe(
    '00000000  3a 3b 3c 3d 3e 3f 40 41 42 43 44 45 46 47 48 49  :;<=>?@ABCDEFGHI\n' +
      '00000010  4a 4b                                            JK',
  );
  expect(printHexLines(Uint8Array.of(0, 0x7f, 0xff, 0x20))).toContain(
    '00 7f ff 20                                      ... ',
  );
});
