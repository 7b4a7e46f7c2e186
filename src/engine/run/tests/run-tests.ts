import { elementAt } from '../../../invariants/must.ts';
import type { Connection } from '../../connection/contract/connection.ts';
import type { BlockDefinition } from '../../script/program/program.ts';
import type { RunContext } from '../../script/values/scope.ts';
import type { Warn } from '../../text/diagnostic.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { BlockRunner } from '../blocks/block-runner.ts';
import type { CanFailLimits, TriedTest } from '../outcome/can-fail-report.ts';
import type { NanoClock } from '../outcome/clock.ts';
import type { TestResult } from '../outcome/test-report.ts';
import { tryTest } from './can-fail.ts';
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
  return inSessions(job, (connection) => {
    const runner = createRunner(job, connection);
    const store = openFailureStore(job, connection);
    return async (test, stop) => {
      const result = await runTest(test, runner, job.clock, store);
      if (result.status === 'FAILED' && job.failFast) stop();
      return result;
    };
  });
}

export interface CanFailJob extends TestsJob, CanFailLimits {
  /** Is given each test when it has been tried. */
  readonly report: (tried: TriedTest) => Promise<void>;
}

/** Tries which tests can fail (docs/reference/can-fail.md). Rejects if cancelled. */
export async function tryTests(job: CanFailJob): Promise<void> {
  await inSessions(job, (connection) => async (test) => {
    const createOne = (signal: AbortSignal) => createRunner({ ...job, signal }, connection);
    await job.report(await tryTest(test, { ...job, connection, createRunner: createOne }));
  });
}

/** Does work for each test, in several sessions; resolves with the results of those that started, in their order. */
async function inSessions<T>(
  { tests, parallel, connect, connectMore }: TestsJob,
  prepare: (connection: Connection) => (test: BlockDefinition, stop: () => void) => Promise<T>,
): Promise<readonly T[]> {
  const results = new Map<number, T>();
  let next = 0;
  let stopped = false;
  const work = async (open: () => Promise<Connection | null>) => {
    const connection = await open();
    if (connection === null) return;
    const run = prepare(connection);
    while (next < tests.length && !stopped) {
      const at = next;
      next += 1;
      const stop = () => {
        stopped = true;
      };
      results.set(at, await run(elementAt(tests, at), stop));
    }
  };
  const more = Math.max(0, Math.min(parallel, tests.length) - 1);
  await Promise.all([work(connect), ...Array.from({ length: more }, () => work(connectMore))]);
  return [...results].sort(([left], [right]) => left - right).map(([, result]) => result);
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
