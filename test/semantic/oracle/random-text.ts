import { type Fraction, printDecimal } from './fraction.ts';
import { createLiteralScalar, createScalar, createStrict, type Scalar, type Scalars } from './scalar.ts';
import { printDay, type Value } from './value.ts';

const points = (text: Value) => [...(text as string)];
const trimStart = (text: string) => text.replace(/^ +/, '');
const trimEnd = (text: string) => text.replace(/ +$/, '');

/** A function that returns text. */
export function createText(own: Scalars, depth: number): Scalar {
  const { random } = own;
  const text = () => own.create('TEXT', depth);
  const one = (template: string, run: (value: string) => string) => () =>
    createStrict('TEXT', template, [text()], (value) => run(value as string));
  return random.pick<() => Scalar>([
    () => createStrict('TEXT', '($1 || $2)', [text(), text()], (a, b) => `${a}${b}`),
    () => createScalar('TEXT', 'CONCAT($1, $2)', [text(), text()], (a, b) => `${a ?? ''}${b ?? ''}`),
    one('LOWER($1)', (value) => value.toLowerCase()),
    one('UPPER($1)', (value) => value.toUpperCase()),
    one('TRIM($1)', (value) => trimEnd(trimStart(value))),
    one('LTRIM($1)', trimStart),
    one('RTRIM($1)', trimEnd),
    () => {
      const [from, count] = [own.createWhole(1, 5), own.createWhole(0, 4)];
      return createStrict('TEXT', 'SUBSTRING($1, $2, $3)', [text(), from, count], (value, at, size) => {
        const first = Number((at as Fraction).n) - 1;
        return points(value)
          .slice(first, first + Number((size as Fraction).n))
          .join('');
      });
    },
    () =>
      createStrict('TEXT', 'SUBSTRING($1, $2)', [text(), own.createWhole(1, 5)], (value, at) =>
        points(value)
          .slice(Number((at as Fraction).n) - 1)
          .join(''),
      ),
    one('REVERSE($1)', (value) => points(value).reverse().join('')),
    () =>
      createStrict('TEXT', 'LEFT($1, $2)', [text(), own.createWhole(0, 4)], (value, size) =>
        points(value)
          .slice(0, Number((size as Fraction).n))
          .join(''),
      ),
    () =>
      createStrict('TEXT', 'RIGHT($1, $2)', [text(), own.createWhole(0, 4)], (value, size) => {
        const all = points(value);
        return all.slice(Math.max(0, all.length - Number((size as Fraction).n))).join('');
      }),
    () => {
      const part = createLiteralScalar('TEXT', random.pick(['e', 'r', 'ed', ' ', '%', "'", '\\']));
      const other = createLiteralScalar('TEXT', random.pick(['', 'É', 'xx', '\\']));
      return createStrict('TEXT', 'REPLACE($1, $2, $3)', [text(), part, other], (value, from, to) =>
        (value as string).replaceAll(from as string, () => to as string),
      );
    },
    () =>
      createStrict('TEXT', 'CAST($1 AS text)', [own.create('INTEGER', depth)], (value) =>
        printDecimal(value as Fraction, 0),
      ),
    () =>
      createStrict('TEXT', 'CAST($1 AS text)', [own.create('DATE', depth)], (value) =>
        printDay(value as bigint),
      ),
    () => createStrict('TEXT', 'CAST(($1) AS text)', [own.createCondition(depth)], String),
  ])();
}
