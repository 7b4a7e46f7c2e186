import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createJsonScan, MAX_DEPTH, MAX_VALUES } from '../../../../src/server/http/bodies/scan-json.ts';

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
  const marks = fc.string({ unit: fc.constantFrom('[', '{', ',', '"', '\\', ']', 'u', 'é'), maxLength: 40 });
  fc.assert(
    fc.property(marks, fc.integer({ min: 1, max: 9 }), (text, size) => {
      const padding = Array(MAX_VALUES - 3)
        .fill('1')
        .join(',');
      // Three values below the limit: the list, the object, and the string.
      expect(scan(`[${padding},{${JSON.stringify(text)}:1}]`, size)).toBeNull();
    }),
    { numRuns: 50 },
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
