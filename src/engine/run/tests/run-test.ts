import { elementAt, notNull } from '../../../invariants/must.ts';
import type { StatementResult } from '../../connection/contract/connection.ts';
import { createCellText } from '../../result/columns/cell-text.ts';
import { isValid } from '../../result/columns/column.ts';
import { hasGiven } from '../../script/checks/given.ts';
import { readSeverity, type Severity } from '../../script/checks/severity.ts';
import type { Statement } from '../../script/evaluate/steps.ts';
import {
  type BlockDefinition,
  createScriptDiagnostic,
  createScriptError,
} from '../../script/program/program.ts';
import type { CallSite } from '../../script/values/request.ts';
import { createDiagnostic, DiagnosticError } from '../../text/diagnostic.ts';
import type { BlockRunner } from '../blocks/block-runner.ts';
import type { PendingStatement } from '../blocks/session-relations.ts';
import { type NanoClock, type Stopwatch, startStopwatch } from '../outcome/clock.ts';
import { describeFailure } from '../outcome/describe-failure.ts';
import type { EndedTest, TestResult, TestSample } from '../outcome/test-report.ts';
import { readTable } from './compare-rows.ts';
import type { FailureStore } from './failure-store.ts';
import { findDifferences, readExpected, readGiven, storeGiven } from './given-rows.ts';

/** Maximum sample rows of a failed test, and maximum characters of each value. */
const SAMPLE_ROWS = 5;
const SAMPLE_TEXT = 200;

/** How a test ended. */
export type Verdict = Pick<
  TestResult,
  'status' | 'message' | 'severity' | 'rows' | 'stored' | 'sample' | 'diagnostics'
>;

const PASSED = {
  status: 'PASSED',
  message: 'Test passed',
  rows: 0,
  stored: null,
  sample: null,
  diagnostics: [],
} as const;

/**
 * Runs one test. It passes if its body returns no rows; it fails if there are rows, or an error of the script or the
 * database (docs/reference/testing.md). `store` keeps its wrong rows. Rejects if the run is cancelled.
 */
export async function runTest(
  test: BlockDefinition,
  runner: BlockRunner,
  clock: NanoClock,
  store: FailureStore | null = null,
): Promise<TestResult> {
  const watch = startStopwatch(clock);
  return describeTest(test, watch, await judgeTest(test, runner, store));
}

/** The result of a test, which ends now. */
export function describeTest<End extends Pick<EndedTest, 'status' | 'message'>>(
  test: BlockDefinition,
  watch: Stopwatch,
  verdict: End,
): Omit<TestResult, 'status' | 'message'> & End {
  return {
    ...locateTest(test),
    severity: 'error',
    rows: null,
    stored: null,
    sample: null,
    diagnostics: [],
    ...verdict,
    ...watch.read(),
  };
}

/** The name of a test, and the position of its declaration. */
export function locateTest({
  declaration,
  file,
  package: owner,
  name: test_name,
}: BlockDefinition): Pick<TestResult, 'package_name' | 'test_name' | 'file' | 'line' | 'column'> {
  const at = declaration.name ?? declaration;
  const { file: name, line, column } = createScriptDiagnostic(file.file, at, '');
  return { package_name: owner.name, test_name, file: name, line, column };
}

/** Runs a test, and resolves with its end. Rejects if the run is cancelled. */
export async function judgeTest(
  test: BlockDefinition,
  runner: BlockRunner,
  store: FailureStore | null = null,
): Promise<Verdict> {
  const severity = readSeverity(test.declaration.meta);
  const word = severity.isWarning ? 'warn' : 'error';
  try {
    const found = await withGivenRows(test, runner, (own) => findWrongRows(test, own));
    if (found === null || found.count === 0) {
      await store?.drop(test);
      return { ...PASSED, severity: word };
    }
    const { count, sample } = found;
    const isKept = store !== null && !hasGiven(test.declaration);
    const stored = isKept ? await keep(test, runner, store) : null;
    const isWarning = severity.isWarning || !(await exceeds(severity, count, test, runner));
    const rows = `${count} ${count === 1 ? 'row' : 'rows'}`;
    return {
      status: isWarning ? 'PASSED' : 'FAILED',
      message: `Test returned a non-empty recordset (${rows})`,
      severity: isWarning ? 'warn' : 'error',
      rows: count,
      stored,
      sample,
      diagnostics: [],
    };
  } catch (error) {
    const failure = describeFailure(await runner.explain(error));
    return { status: 'FAILED', severity: word, rows: null, stored: null, sample: null, ...failure };
  }
}

/** Whether wrong rows exceed the limit of a test, whose percentage is of the rows that it looks at. */
async function exceeds(
  { failAbove }: Severity,
  count: number,
  test: BlockDefinition,
  runner: BlockRunner,
): Promise<boolean> {
  if ('rows' in failAbove) return count > failAbove.rows;
  const total = await countTotal({ ...test, declaration: notNull(test.total) }, runner);
  return count * 100 > failAbove.percent * total;
}

/** The number in the only row of a block. */
async function countTotal(block: BlockDefinition, runner: BlockRunner): Promise<number> {
  const found = await findRows(block, runner);
  return Number(found?.sample.rows[0]?.[0] ?? 0);
}

/** The rows of the last statement of a body; null without any. */
function findRows(test: BlockDefinition, runner: BlockRunner): Promise<FoundRows | null> {
  return onLast(test, runner, (last) =>
    runner.read(last, async (result) => (result.kind === 'done' ? null : countRows(result))),
  );
}

/** Runs work in which the given rows of a test, if it has some, replace blocks. */
export function withGivenRows<T>(
  test: BlockDefinition,
  runner: BlockRunner,
  work: (runner: BlockRunner) => Promise<T>,
): Promise<T> {
  const { session } = runner;
  if (!hasGiven(test.declaration) || session.context.given !== null) return work(runner);
  const relations = new Map<BlockDefinition['declaration'], string>();
  const given = readGiven(test, session.context);
  const own = runner.withGiven(relations);
  return own.isolate(async () => {
    const stored: [BlockDefinition['declaration'], string][] = [];
    for (const one of given) stored.push([one.block.declaration, await storeGiven(test, one, own, session)]);
    for (const [declaration, name] of stored) relations.set(declaration, name);
    return work(own);
  });
}

/** The rows of a test, or their differences from the expected ones. */
async function findWrongRows(test: BlockDefinition, runner: BlockRunner): Promise<FoundRows | null> {
  const expected = readExpected(test, runner.session.context);
  if (expected === null) return findRows(test, runner);
  const actual = await onLast(test, runner, (last) => runner.read(last, readTable));
  const { columns, rows } = findDifferences(test, actual ?? { columns: [], rows: [] }, expected);
  return { count: rows.length, sample: { columns, rows: rows.slice(0, SAMPLE_ROWS) } };
}

/** Runs a test again, into its table. */
function keep(test: BlockDefinition, runner: BlockRunner, store: FailureStore): Promise<string | null> {
  return onLast(test, runner, async (last) => {
    let stored: string | null = null;
    await runner.use(last, async ({ sql }) => {
      stored = await store.keep(test, sql);
    });
    return stored;
  });
}

/** Runs a body up to its last statement, which `work` gets; null for a body without statements. */
function onLast<T>(
  test: BlockDefinition,
  runner: BlockRunner,
  work: (last: PendingStatement) => Promise<T>,
): Promise<T | null> {
  return runner.isolate(async () => {
    const { last } = await runner.walk(test, new Map(), async (pending) => {
      if (!runner.mayWrite(pending)) throw createEarlyQueryError(pending.statement);
      await runner.execute(pending);
    });
    return last === null ? null : work(last);
  });
}

interface FoundRows {
  readonly count: number;
  readonly sample: TestSample;
}

/** The error for a query whose rows the test would not see. */
function createEarlyQueryError({ start, findOrigin }: Statement): DiagnosticError {
  const { rendered, span } = notNull(findOrigin({ start, end: start + 1 }));
  const message =
    'only the last statement of a test can be a query: write a test for each query, or a void block for its effect';
  return new DiagnosticError([createDiagnostic(rendered.source, span, message, 'rendering')]);
}

async function countRows({
  columns,
  chunks,
}: Extract<StatementResult, { kind: 'rows' }>): Promise<FoundRows> {
  const rows: (string | null)[][] = [];
  let count = 0;
  for await (const chunk of chunks) {
    count += chunk.rows;
    if (rows.length === SAMPLE_ROWS) continue;
    const vectors = columns.map((_, i) => chunk.vector(i));
    const texts = columns.map(({ type }, i) => createCellText(type, elementAt(vectors, i), SAMPLE_TEXT));
    for (let row = 0; row < chunk.rows && rows.length < SAMPLE_ROWS; row += 1) {
      rows.push(
        texts.map((toText, i) => (isValid(elementAt(vectors, i).validity, row) ? toText(row) : null)),
      );
    }
  }
  const sample: TestSample = { columns: columns.map(({ name }) => name), rows };
  return { count, sample };
}

/** The error of a test that requests a publication or other tests. */
export function createTestEffectError({ file, start, end }: CallSite): DiagnosticError {
  return createScriptError(file.file, { start, end }, 'a test cannot publish or run tests');
}
