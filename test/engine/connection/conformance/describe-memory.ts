import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Drained, DrainRequest } from './drain.ts';
import type { DriverUnderTest } from './driver-under-test.ts';

const PROGRAM = path.join(import.meta.dirname, 'drain.ts');
/** Rows of 200 characters: 40 MB, and 240 MB more. */
const [FEW, MANY] = [200_000, 1_400_000];
/** Half of the difference: a driver that keeps all rows needs at least all of it. */
const MAX_MORE_MB = 120;

/** Results are read in bounded memory. */
export function describeMemory({ sql, spec }: DriverUnderTest): void {
  function drain(count: number): Drained {
    const request: DrainRequest = { spec: spec(), sql: sql.wide(count) };
    const args = ['--no-warnings', PROGRAM];
    return JSON.parse(
      execFileSync(process.execPath, args, { input: JSON.stringify(request), encoding: 'utf8' }),
    );
  }

  describe('memory', () => {
    it('does not grow with the rows that are read', () => {
      const [few, many] = [drain(FEW), drain(MANY)];
      expect([few.rows, many.rows]).toEqual([FEW, MANY]);
      expect(many.megabytes - few.megabytes).toBeLessThan(MAX_MORE_MB);
    });
  });
}
