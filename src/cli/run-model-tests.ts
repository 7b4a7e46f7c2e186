import type { Diagnostic } from '../workspace/scripts.ts';
import type { ModelTest } from '../workspace/semantic/semantic-api.ts';
import type { RunOutcome, WorkspaceApi } from '../workspace/workspace-api.ts';

/** What came of the test of a model; `finding` is null for one that passed. */
export interface ModelTestResult {
  readonly name: string;
  readonly finding: Diagnostic | null;
}

/** What keeps all tests from running: a database that cannot be reached, an interrupt. */
type Stopped = Extract<RunOutcome, { status: 'failed' }>;

interface Report {
  readonly results: readonly ModelTestResult[];
  readonly stopped: Stopped | null;
}

interface Running {
  readonly run: (test: ModelTest) => Promise<RunOutcome>;
  /** The entities of which the database cannot read a row. */
  readonly unreadable: Set<string>;
}

/**
 * Runs the tests of a model on a connection, one after another; of one that the database refuses, the parts that it
 * refuses are told. What reads an entity that cannot be read is left out. Stops at what is no test's fault.
 */
export function runModelTests(
  workspace: WorkspaceApi,
  connection: string,
  tests: readonly ModelTest[],
  signal: AbortSignal,
): Promise<Report> {
  const sink = { write: () => {} };
  const run = ({ name, sql }: ModelTest) => {
    const target = { kind: 'text', source: { name, text: sql } } as const;
    return workspace.run({ target, params: {}, connection, overrides: {}, format: 'json' }, sink, signal);
  };
  return runTests(tests, { run, unreadable: new Set() });
}

async function runTests(tests: readonly ModelTest[], running: Running): Promise<Report> {
  const results: ModelTestResult[] = [];
  for (const test of tests) {
    if (test.entities.some((entity) => running.unreadable.has(entity))) continue;
    const outcome = await running.run(test);
    if (outcome.status === 'done') {
      results.push({ name: test.name, finding: outcome.rows === 0 ? null : test.finding });
      continue;
    }
    if (outcome.fault.code !== 'sql') return { results, stopped: outcome };
    const refused = await runParts(test, outcome.fault.message, running);
    if (refused.stopped !== null) return { results, stopped: refused.stopped };
    results.push(...refused.results);
  }
  return { results, stopped: null };
}

/** What there is to say of a test that the database refused. */
async function runParts(test: ModelTest, message: string, running: Running): Promise<Report> {
  if (test.isSource) for (const entity of test.entities) running.unreadable.add(entity);
  const { results, stopped } = await runTests(test.parts, running);
  const failed = results.filter(({ finding }) => finding !== null);
  const own: ModelTestResult = { name: test.name, finding: { ...test.failure, message } };
  return { results: failed.length > 0 ? failed : [own], stopped };
}
