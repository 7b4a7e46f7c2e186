import { expect, it } from 'vitest';
import { checkIfMatch } from '../../src/errors/if-match.ts';
import { refusalOf } from '../catalog/world.ts';

it.each(['"12"', '12', '*', ' "12" ', '"1", "12"', '11,12,13', '"x", 12', ' * '])(
  '%j matches revision 12',
  (header) => {
    expect(() => checkIfMatch(header, 12)).not.toThrow();
  },
);

it.each([
  '',
  '"1"',
  '120',
  'W/"12"',
  'w/"12"',
  '012',
  '12.0',
  '+12',
  "'12'",
  '"12',
  '""12""',
  '"12" "13"',
  '"1","2"',
  '*, "13"',
  '"*"',
  '1２',
])('%j does not match revision 12', (header) => {
  expect(refusalOf(() => checkIfMatch(header, 12))).toMatchObject({
    status: 412,
    detail: 'Entity has been modified. Refresh and retry with current ETag: "12"',
  });
});

it('is required', () => {
  expect(refusalOf(() => checkIfMatch(undefined, 12)).status).toBe(428);
});
