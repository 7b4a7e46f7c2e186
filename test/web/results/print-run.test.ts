import { expect, it } from 'vitest';
import { describeState } from '../../../web/components/results/run/print-run.ts';

const execution = { state: 'done', tests: null, is_queued_by_database: false } as const;

it.each([
  [execution, 'Done', 'success'],
  [{ ...execution, tests: { total: 0, failed: 0 } }, 'Done', 'success'],
  [{ ...execution, tests: { total: 1, failed: 0 } }, '1 test passed', 'success'],
  [{ ...execution, tests: { total: 3, failed: 1 } }, '1 of 3 tests failed', 'danger'],
  [{ ...execution, state: 'failed' }, 'Failed', 'danger'],
  [{ ...execution, state: 'cancelled' }, 'Cancelled', 'warning'],
  [{ ...execution, state: 'running' }, 'Running', 'info'],
  [{ ...execution, state: 'running', is_queued_by_database: true }, 'Queued by the database', 'info'],
] as const)('the state of %o is "%s"', (run, label, kind) => {
  expect(describeState(run)).toEqual({ label, kind });
});
