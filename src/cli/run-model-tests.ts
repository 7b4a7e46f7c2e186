import type { ModelTest } from '../workspace/semantic/semantic-api.ts';
import type { RunOutcome, WorkspaceApi } from '../workspace/workspace-api.ts';

/** What came of the test of a model; `message` is null for one that passed. */
export interface ModelTestResult {
  readonly name: string;
  readonly message: string | null;
}

/** What keeps all tests from running: a database that cannot be reached, an interrupt. */
type Stopped = Extract<RunOutcome, { status: 'failed' }>;

/**
 * Runs the tests of a model on a connection, one after another; of one that the database refuses, the parts that it
 * refuses are told. Stops at what is no test's fault.
 */
export async function runModelTests(
  workspace: WorkspaceApi,
  connection: string,
  tests: readonly ModelTest[],
  signal: AbortSignal,
): Promise<{ readonly results: readonly ModelTestResult[]; readonly stopped: Stopped | null }> {
  const results: ModelTestResult[] = [];
  for (const test of tests) {
    const outcome = await runSql(workspace, connection, test, signal);
    if (outcome.status === 'done') {
      results.push({ name: test.name, message: outcome.rows === 0 ? null : test.rowMessage });
      continue;
    }
    if (outcome.fault.code !== 'sql') return { results, stopped: outcome };
    const { results: inner, stopped } = await runModelTests(workspace, connection, test.parts, signal);
    if (stopped !== null) return { results, stopped };
    const failed = inner.filter(({ message }) => message !== null);
    results.push(...(failed.length > 0 ? failed : [{ name: test.name, message: outcome.fault.message }]));
  }
  return { results, stopped: null };
}

function runSql(
  workspace: WorkspaceApi,
  connection: string,
  { name, sql }: ModelTest,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const target = { kind: 'text', source: { name, text: sql } } as const;
  const sink = { write: () => {} };
  return workspace.run({ target, params: {}, connection, overrides: {}, format: 'json' }, sink, signal);
}
