import { describe, expect, it } from 'vitest';
import { isDecimal, NumberTooLongError, parseExactJson } from '../../src/text/decimal.ts';

/** The error for a text. */
function fail(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    return error;
  }
}

/** A number with a point as its units and scale. */
const decimal = (units: bigint, scale: bigint) => ({ kind: 'decimal', units, scale });

describe('JSON with exact numbers', () => {
  it('keeps all digits of integers', () => {
    const text =
      '{"a": 9007199254740993, "b": [-18446744073709551616, 7], "c": 1.5, "d": "9007199254740993"}';
    expect(parseExactJson(text)).toEqual({
      a: 9_007_199_254_740_993n,
      b: [-18_446_744_073_709_551_616n, 7],
      c: decimal(15n, 1n),
      d: '9007199254740993',
    });
  });

  it.each([
    ['12345678901234567.89', decimal(1_234_567_890_123_456_789n, 2n)],
    ['1.0', decimal(10n, 1n)],
    ['-0.050', decimal(-50n, 3n)],
    ['1.50e1', decimal(150n, 1n)],
    ['1.5e-7', decimal(15n, 8n)],
    ['0e-2', decimal(0n, 2n)],
    ['1e3', 1_000],
    ['1.5E+1', 15],
    ['1e400', 10n ** 400n],
    ['-0', -0],
  ])('keeps the digits after the point: %s', (text, value) => {
    expect(parseExactJson(text)).toStrictEqual(value);
  });

  it('never takes an object for a number', () => {
    const [object, number] = parseExactJson<readonly unknown[]>(
      '[{"kind": "decimal", "units": 12345678901234567890, "scale": 1e0}, 1.5]',
    );
    expect(isDecimal(object)).toBe(false);
    expect(isDecimal(parseExactJson('{"scale": -12345678901234567890}'))).toBe(false);
    expect(isDecimal(number)).toBe(true);
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
    ['the digits that an exponent adds', '1e1000', ''],
    ['those of a negative exponent', '1e-1001', ''],
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
