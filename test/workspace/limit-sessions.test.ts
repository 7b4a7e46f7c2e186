import { expect, it } from 'vitest';
import type { Work } from '../../src/execution/request.ts';
import { limitSessions } from '../../src/workspace/collect-work.ts';

const snapshot = { packages: [] } as unknown as Extract<Work, { kind: 'tests' }>['snapshot'];
const selection = { packages: [], include: [], exclude: [] };

function createTests(parallel: number): Work {
  return { kind: 'tests', snapshot, selection, parallel, failFast: false };
}

it('runs no more tests at once than a connection has sessions', () => {
  expect(limitSessions(createTests(8), 3)).toEqual(createTests(3));
  expect(limitSessions(createTests(2), 3)).toEqual(createTests(2));
  expect(limitSessions(createTests(8), null)).toEqual(createTests(8));
});

it('leaves what needs one session as it is', () => {
  const work: Work = { kind: 'sql', source: { name: 'sql', text: 'SELECT 1' } };
  expect(limitSessions(work, 1)).toBe(work);
});
