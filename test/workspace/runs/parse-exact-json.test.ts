import { describe, expect, it } from 'vitest';
import { NumberTooLongError, parseExactJson } from '../../../src/workspace/runs/parse-exact-json.ts';

/** The error for a text. */
function fail(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    return error;
  }
}

describe('JSON with exact integers', () => {
  it('keeps all digits of integers', () => {
    const text =
      '{"a": 9007199254740993, "b": [-18446744073709551616, 7], "c": 1.5, "d": "9007199254740993"}';
    expect(parseExactJson(text)).toEqual({
      a: 9_007_199_254_740_993n,
      b: [-18_446_744_073_709_551_616n, 7],
      c: 1.5,
      d: '9007199254740993',
    });
  });

  it('accepts numbers of 1,000 digits', () => {
    const digits = '9'.repeat(1_000);
    expect(parseExactJson(digits)).toBe(10n ** 1_000n - 1n);
    expect(parseExactJson(`[-${digits}]`)).toEqual([1n - 10n ** 1_000n]);
  });

  const long = '9'.repeat(1_001);
  it.each([
    ['the whole value', long, ''],
    ['a negative number', `-${long}`, ''],
    ['a fraction', `0.${long}`, ''],
    ['an exponent', `1e${long}`, ''],
    ['a field', `{"a": 1, "b": {"c": ${long}}}`, 'b.c'],
    ['an element', `{"a": [[1], [2, ${long}]]}`, 'a[1][1]'],
    ['the first of several', `{"a": 1, "b": [${long}], "c": ${long}}`, 'b[0]'],
    ['an empty name', `{"": ${long}}`, ''],
    ['a long name', `{"${'n'.repeat(300)}": ${long}}`, `${'n'.repeat(200)}…`],
  ])('refuses more, with the place: %s', (_case, text, field) => {
    const error = fail(text);
    expect(error).toBeInstanceOf(NumberTooLongError);
    expect(error).toMatchObject({ field });
  });

  it('accepts text with more digits, and a number that another one replaces', () => {
    expect(parseExactJson(`["${long}"]`)).toEqual([long]);
    expect(parseExactJson(`{"a": ${long}, "a": 1}`)).toEqual({ a: 1 });
  });

  it('passes on the errors of the parser', () => {
    expect(fail('{"a": 01}')).toBeInstanceOf(SyntaxError);
  });
});
