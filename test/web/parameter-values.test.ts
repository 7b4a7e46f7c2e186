import { expect, it } from 'vitest';
import { toParams } from '../../web/components/editor/run/parameter-values.ts';

const parameter = {
  name: 'n',
  type: 'number',
  default: null,
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
