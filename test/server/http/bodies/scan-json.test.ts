import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createJsonScan, MAX_DEPTH, MAX_VALUES } from '../../../../src/server/http/bodies/scan-json.ts';
import { share } from '../../../support/rotation.ts';

/** The result of a scan of a text that arrives in pieces of the given size. */
function scan(text: string, size = 7): 'depth' | 'values' | null {
  const bytes = Buffer.from(text);
  const own = createJsonScan();
  for (let at = 0; at < bytes.length; at += size) {
    const excess = own.scan(bytes.subarray(at, at + size));
    if (excess !== null) return excess;
  }
  return null;
}

it('counts values and levels outside of strings, with any end of a piece', () => {
  const unit = fc.constantFrom('[', '{', ',', '"', '\\', ']', 'u', 'é', '\\'.repeat(63), 'long'.repeat(40));
  const marks = fc.string({ unit, maxLength: 40 });
  fc.assert(
    fc.property(marks, fc.constantFrom(1, 2, 7, 64, 65, 300, 5000), (text, size) => {
      const padding = Array(MAX_VALUES - 3)
        .fill('1')
        .join(',');
      // Three values below the limit: the list, the object, and the string.
      const document = `[${padding},{${JSON.stringify(text)}:1}`;
      expect(scan(`${document}]`, size)).toBeNull();
      expect(scan(`${document},2,3,4,5]`, size)).toBe('values');
    }),
    { numRuns: share(100) },
  );
});

it('reports which limit is exceeded', () => {
  expect(scan('['.repeat(MAX_DEPTH) + ']'.repeat(MAX_DEPTH))).toBeNull();
  expect(scan('['.repeat(MAX_DEPTH + 1))).toBe('depth');
  expect(scan('{"a":'.repeat(MAX_DEPTH + 1))).toBe('depth');
  expect(scan(`[${'[],'.repeat(MAX_VALUES)}`)).toBe('values');
  expect(scan(`{${'"a":1,'.repeat(MAX_VALUES - 1)}`)).toBeNull();
  expect(scan(`{${'"a":1,'.repeat(MAX_VALUES)}`)).toBe('values');
  expect(scan(`"${'\\"[,'.repeat(MAX_VALUES)}"`)).toBeNull();
});

it.each([1, 31, 32, 33, 63, 64, 65])('finds the end of a string of %i backslashes, at any place', (count) => {
  for (let before = 0; before < 66; before += 1) {
    const text = JSON.stringify(`${'a'.repeat(before)}${'\\'.repeat(count)}`);
    expect(scan(`[${text}${',1'.repeat(MAX_VALUES)}]`, 5000)).toBe('values');
    expect(scan(`[${text.slice(0, -1)}\\"${','.repeat(MAX_VALUES)}"]`, 5000)).toBeNull();
  }
});
