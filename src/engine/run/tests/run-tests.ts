import { elementAt } from '../../../invariants/must.ts';
import type { Connection } from '../../connection/contract/connection.ts';
import type { BlockDefinition } from '../../script/program/program.ts';
import type { RunContext } from '../../script/values/scope.ts';
import type { Warn } from '../../text/diagnostic.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { BlockRunner } from '../blocks/block-runner.ts';
import type { NanoClock } from '../outcome/clock.ts';
import type { TestResult } from '../outcome/test-report.ts';
import { FailureStore } from './failure-store.ts';
import { createTestEffectError, runTest } from './run-test.ts';

export interface TestsJob {
  readonly tests: readonly BlockDefinition[];
  /** Opens the first session; the caller of the run closes it. */
  readonly connect: () => Promise<Connection>;
  /** Opens another session, or returns null if another one is not allowed. */
  readonly connectMore: () => Promise<Connection | null>;
  readonly context: RunContext;
  readonly lexicalRules: LexicalRules;
  readonly clock: NanoClock;
  readonly signal: AbortSignal;
  readonly warn: Warn;
  /** The number of tests that run in parallel, each in its own session. */
  readonly parallel: number;
  /** Whether the first failure ends the run. */
  readonly failFast: boolean;
  /** The schema for the wrong rows of tests; undefined: they are not kept. */
  readonly storeFailures?: string | undefined;
}

/** Runs tests; resolves with the results of those that ran, in the order of the tests. Rejects if cancelled. */
export async function runTests(job: TestsJob): Promise<readonly TestResult[]> {
  const results: (TestResult | undefined)[] = [];
  let next = 0;
  let stopped = false;
  const work = async (open: () => Promise<Connection | null>) => {
    const connection = await open();
    if (connection === null) return;
    const runner = createRunner(job, connection);
    const store = openFailureStore(job, connection);
    while (next < job.tests.length && !stopped) {
      const at = next;
      next += 1;
      const result = await runTest(elementAt(job.tests, at), runner, job.clock, store);
      results[at] = result;
      if (result.status === 'FAILED' && job.failFast) stopped = true;
    }
  };
  const more = Math.max(0, Math.min(job.parallel, job.tests.length) - 1);
  await Promise.all([work(job.connect), ...Array.from({ length: more }, () => work(job.connectMore))]);
  return results.filter((result) => result !== undefined);
}

/** The store of a session; null if wrong rows are not kept. */
export function openFailureStore(
  { storeFailures, context, signal, warn }: Pick<TestsJob, 'storeFailures' | 'context' | 'signal' | 'warn'>,
  connection: Connection,
): FailureStore | null {
  if (storeFailures === undefined) return null;
  return new FailureStore({ schema: storeFailures, connection, dialect: context.dialect, signal, warn });
}

function createRunner(
  { context, lexicalRules, signal, warn }: TestsJob,
  connection: Connection,
): BlockRunner {
  return new BlockRunner({
    connection,
    context,
    lexicalRules,
    signal,
    warn,
    effect: async ({ site }) => {
      throw createTestEffectError(site);
    },
  });
}
