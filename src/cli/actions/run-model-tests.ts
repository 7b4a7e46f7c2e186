import type { Diagnostic } from '../../engine/text/diagnostic.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import type { ModelTest } from '../../semantic/tests/plan-model-tests.ts';
import { createJsonCollector } from '../../workspace/api/json-result.ts';
import type { CheckedModel } from '../../workspace/api/semantic-api.ts';
import type { Workspace } from '../../workspace/instance/open-workspace.ts';

/** The result of a model test; `finding` is null for a passed test. */
export interface ModelTestResult {
  readonly name: string;
  readonly finding: Diagnostic | null;
}

/** A reason to stop all tests: an unreachable database, an interrupt. */
type Stopped = Extract<ExecutionOutcome, { status: 'failed' }>;

interface Report {
  readonly results: readonly ModelTestResult[];
  readonly stopped: Stopped | null;
}

/** The end of a run, and the type of each column of its result. */
interface TestRun {
  readonly outcome: ExecutionOutcome;
  readonly types: readonly string[];
}

interface Running {
  readonly run: (test: ModelTest) => Promise<TestRun>;
  /** The entities whose rows the database cannot read. */
  readonly unreadable: Set<string>;
}

/**
 * Runs the tests of a model on a connection, one after another. If the database refuses a test, reports the parts that
 * it refuses. Skips tests of unreadable entities. Stops at errors that no test causes.
 */
export function runModelTests(
  workspace: Workspace,
  { tests, isStored }: Pick<CheckedModel, 'tests' | 'isStored'>,
  { connection, unrestricted }: { readonly connection: string; readonly unrestricted: boolean },
  signal: AbortSignal,
): Promise<Report> {
  const run = async ({ name, sql }: ModelTest): Promise<TestRun> => {
    const collector = createJsonCollector();
    const target = { kind: 'sql', source: { name, text: sql }, isGenerated: true } as const;
    const request = {
      target,
      params: {},
      connection,
      overrides: {},
      isQuestion: true,
      isStored,
      unrestricted,
      format: 'json',
    } as const;
    const outcome = await workspace.run(request, collector, signal);
    return {
      outcome,
      types: outcome.status === 'done' ? collector.read().columns.map(({ type }) => type) : [],
    };
  };
  return runTests(tests, { run, unreadable: new Set() });
}

async function runTests(tests: readonly ModelTest[], running: Running): Promise<Report> {
  const results: ModelTestResult[] = [];
  for (const test of tests) {
    if (test.entities.some((entity) => running.unreadable.has(entity))) continue;
    const { outcome, types } = await running.run(test);
    if (outcome.status === 'failed' && outcome.error.code !== 'sql') return { results, stopped: outcome };
    const report =
      outcome.status === 'done'
        ? await runValueTests(test, { types, finding: outcome.rows === 0 ? null : test.finding }, running)
        : await runParts(test, outcome.error.message, running);
    if (report.stopped !== null) return { results, stopped: report.stopped };
    results.push(...report.results);
  }
  return { results, stopped: null };
}

/** Finds fields whose declared type differs from the database's type. */
function findOtherTypes({ types: tests }: ModelTest, types: readonly string[]): readonly ModelTestResult[] {
  return tests.flatMap(({ name, column, accepted, finding }) => {
    const type = types[column];
    if (type === undefined || accepted.some((one) => one === type)) return [];
    return [{ name, finding: { ...finding, message: `${finding.message} ${type}` } }];
  });
}

/** The findings of a test that ran, and of the values whose type in the database can have fractions. */
async function runValueTests(
  test: ModelTest,
  { types, finding }: Pick<TestRun, 'types'> & Pick<ModelTestResult, 'finding'>,
  running: Running,
): Promise<Report> {
  const tests = test.types.flatMap(({ column, wholeValues }) =>
    types[column] === 'DECIMAL' ? (wholeValues ?? []) : [],
  );
  const { results, stopped } = await runTests(tests, running);
  const wrong = [...findOtherTypes(test, types), ...results.filter((result) => result.finding !== null)];
  return { results: wrong.length > 0 ? wrong : [{ name: test.name, finding }], stopped };
}

/** The findings of a test that the database refused. */
async function runParts(test: ModelTest, message: string, running: Running): Promise<Report> {
  if (test.isSource) for (const entity of test.entities) running.unreadable.add(entity);
  const { results, stopped } = await runTests(test.parts, running);
  const failed = results.filter(({ finding }) => finding !== null);
  const result: ModelTestResult = { name: test.name, finding: { ...test.failure, message } };
  return { results: failed.length > 0 ? failed : [result], stopped };
}
