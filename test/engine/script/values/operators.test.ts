import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BINARY, isEqual, UNARY } from '../../../../src/engine/script/values/operators.ts';
import { toText, type Value } from '../../../../src/engine/script/values/value.ts';
import { parseNumber } from '../../../../src/text/decimal.ts';
import { share } from '../../../support/rotation.ts';

/** Digits after the point that the oracle calculates with. */
const PLACES = 12n;
const ONE = 10n ** PLACES;

const text = fc
  .tuple(fc.constantFrom('', '-'), fc.bigInt(0n, 10n ** 20n), fc.stringMatching(/^\d{0,6}$/))
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`);

/** The number as an integer of `PLACES` digits after the point. */
function toUnits(digits: string): bigint {
  const [whole = '', fraction = ''] = digits.split('.');
  return BigInt(whole + fraction.padEnd(Number(PLACES), '0'));
}

/** A number with a point. */
const pointed = text.map((digits) => (digits.includes('.') ? digits : `${digits}.0`));

function read(digits: string): Value {
  return parseNumber(digits);
}

function textOf(value: Value): string {
  return String(toText(value));
}

describe('decimals', () => {
  it('are added, subtracted, multiplied and compared exactly', () => {
    fc.assert(
      fc.property(pointed, text, (one, other) => {
        const [a, b, x, y] = [read(one), read(other), toUnits(one), toUnits(other)];
        expect(toUnits(textOf(BINARY['+'](a, b)))).toBe(x + y);
        expect(toUnits(textOf(BINARY['-'](b, a)))).toBe(y - x);
        expect(toUnits(textOf(BINARY['*'](a, b))) * ONE).toBe(x * y);
        expect(BINARY['<'](a, b)).toBe(x < y);
        expect(BINARY['>='](b, a)).toBe(y >= x);
        expect(isEqual(a, b)).toBe(x === y);
        if (y !== 0n) expect(toUnits(textOf(BINARY['%'](a, b)))).toBe(x % y);
      }),
      { numRuns: share(500) },
    );
  });

  it.each([
    ['+', '0.10', 1n, '1.10'],
    ['+', '0.10', 0.2, '0.30'],
    ['-', '1.0', '0.25', '0.75'],
    ['*', '1.5', 2n, '3.0'],
    ['*', '0.10', '-0.10', '-0.0100'],
    ['%', '-7.5', 2n, '-1.5'],
    ['/', '1.0', 4n, '0.25'],
    ['/', '1.0', '3.0', '0.3333333333333333'],
  ] as const)('have a result with all digits: %s of %s and %s', (operator, left, right, result) => {
    const other = typeof right === 'string' ? read(right) : right;
    expect(textOf(BINARY[operator](read(left), other))).toBe(result);
  });

  it('equal an integer or a float with the same digits', () => {
    expect(isEqual(read('5.00'), 5n)).toBe(true);
    expect(isEqual(read('0.10'), 0.1)).toBe(true);
    expect(isEqual(read('9007199254740993.0'), 9_007_199_254_740_992)).toBe(false);
    expect(BINARY['<'](read('1.0'), Number.POSITIVE_INFINITY)).toBe(true);
    expect(textOf(UNARY['-'](read('0.50')))).toBe('-0.50');
  });

  it('have a limit of digits, and no division by zero', () => {
    const long = read(`${'9'.repeat(999)}.5`);
    expect(() => BINARY['*'](long, long)).toThrow('the result has more than 1,000 digits');
    expect(() => BINARY['%'](long, 0n)).toThrow('a division by zero');
    expect(() => BINARY['/'](read('1.5'), 0n)).toThrow('a division by zero');
    expect(() => BINARY['<'](read('1.5'), 'a')).toThrow('not a decimal and a string');
  });
});
