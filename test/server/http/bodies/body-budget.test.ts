import { expect, it } from 'vitest';
import { createBodyBudget } from '../../../../src/server/http/bodies/body-budget.ts';

const MEGABYTE = 1024 ** 2;

it('counts the bytes of large bodies, at most half of them for one caller, until they are released', () => {
  const budget = createBodyBudget();
  const [first, second, other] = [budget.claim('ada'), budget.claim('ada'), budget.claim('bob')];
  expect(first.add(200 * MEGABYTE)).toBe(true);
  expect(second.add(56 * MEGABYTE)).toBe(true);
  expect(second.add(1)).toBe(false);
  expect(other.add(256 * MEGABYTE)).toBe(true);
  expect(budget.claim('cyd').add(1)).toBe(false);
  first.release();
  first.release();
  expect(budget.claim('cyd').add(200 * MEGABYTE)).toBe(true);
  expect(second.add(1)).toBe(false);
  other.release();
  expect(second.add(1)).toBe(true);
});
