import { expect, it } from 'vitest';
import { fillValues, findMissing, toParams } from '../../web/components/editor/run/parameter-values.ts';

const parameter = {
  name: 'n',
  type: 'number',
  default: null,
  values: null,
  is_required: true,
  doc: null,
  line: 1,
  column: 1,
} as const;

it.each([
  ['12', 12],
  ['-0.50', -0.5],
  ['1e300', 1e300],
  ['000000000000000000012', 12],
  ['9007199254740993', '9007199254740993'],
  ['0.12345678901234567', '0.12345678901234567'],
  ['twelve', 'twelve'],
])('the parameter %s is sent without losing a digit', (value, sent) => {
  expect(toParams([parameter], { n: value })).toEqual({ n: sent });
});

it.each([
  ['12', 12],
  ['1.5', 1.5],
  ['00501', '00501'],
  ['2026-01-15', '2026-01-15'],
  ['9007199254740993', '9007199254740993'],
  ['true', true],
  ['north', 'north'],
])('the parameter %s without a type is sent as the command line reads it', (value, sent) => {
  expect(toParams([{ ...parameter, type: null }], { n: value })).toEqual({ n: sent });
});

it.each(['12', 'true'])('the parameter %s of a string is sent as text', (value) => {
  expect(toParams([{ ...parameter, type: 'string' }], { n: value })).toEqual({ n: value });
});

const chosen = { ...parameter, name: 'code', type: 'string', values: ['ATL', 'a, b'] } as const;

it('a remembered value that is not among the choices any more is dropped, and the default is sent', () => {
  const described = { ...chosen, values: [...chosen.values], default: 'ATL' };
  const values = fillValues([described], { code: 'ORD' });
  expect([values, findMissing([described], values)]).toEqual([{ code: '' }, []]);
  expect(toParams([described], values)).toEqual({ code: 'ATL' });
  expect(toParams([described], fillValues([described], { code: 'a, b' }))).toEqual({ code: 'a, b' });
});

it('a parameter that needs a value is missing without a default', () => {
  const described = { ...chosen, values: [...chosen.values] };
  const values = fillValues([described], { code: 'ORD' });
  expect([findMissing([described], values), toParams([described], values)]).toEqual([['code'], {}]);
});

it.each(['2026-01-15', '2026-01-15 10:00:00'])('the time %s is sent as text', (value) => {
  const type = value.length === 10 ? 'date' : 'timestamp';
  expect(toParams([{ ...parameter, type }], { n: value })).toEqual({ n: value });
});
