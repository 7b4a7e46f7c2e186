import { elementAt, notNull } from '../../../invariants/must.ts';
import type { StatementResult } from '../../connection/contract/connection.ts';
import { createCellText } from '../../result/columns/cell-text.ts';
import { isValid } from '../../result/columns/column.ts';
import type { Statement } from '../../script/evaluate/steps.ts';
import {
  type BlockDefinition,
  createScriptDiagnostic,
  createScriptError,
} from '../../script/program/program.ts';
import type { CallSite } from '../../script/values/request.ts';
import { createDiagnostic, DiagnosticError } from '../../text/diagnostic.ts';
import type { BlockRunner } from '../blocks/block-runner.ts';
import { type NanoClock, type Stopwatch, startStopwatch } from '../outcome/clock.ts';
import { describeFailure } from '../outcome/describe-failure.ts';
import type { EndedTest, TestResult, TestSample } from '../outcome/test-report.ts';

/** Maximum sample rows of a failed test, and maximum characters of each value. */
const SAMPLE_ROWS = 5;
const SAMPLE_TEXT = 200;

type Verdict = Pick<TestResult, 'status' | 'message' | 'sample' | 'diagnostics'>;

const PASSED: Verdict = {
  status: 'PASSED',
  message: 'Test passed',
  sample: null,
  diagnostics: [],
};

/**
 * Runs one test. It passes if its body returns no rows; it fails if there are rows, or an error of the script or the
 * database (docs/reference/testing.md). Rejects if the run is cancelled.
 */
export async function runTest(
  test: BlockDefinition,
  runner: BlockRunner,
  clock: NanoClock,
): Promise<TestResult> {
  const watch = startStopwatch(clock);
  return describeTest(test, watch, await judge(test, runner));
}

/** The result of a test, which ends now. */
export function describeTest<End extends Pick<EndedTest, 'status' | 'message'>>(
  test: BlockDefinition,
  watch: Stopwatch,
  verdict: End,
): Omit<TestResult, 'status' | 'message'> & End {
  const { declaration, file } = test;
  const { file: name, line, column } = createScriptDiagnostic(file.file, declaration.name ?? declaration, '');
  return {
    package_name: test.package.name,
    test_name: test.name,
    sample: null,
    diagnostics: [],
    ...verdict,
    ...watch.read(),
    file: name,
    line,
    column,
  };
}

async function judge(test: BlockDefinition, runner: BlockRunner): Promise<Verdict> {
  try {
    return await runner.isolate(async () => {
      const { last } = await runner.walk(test, new Map(), async (pending) => {
        if (!runner.mayWrite(pending)) throw createEarlyQueryError(pending.statement);
        await runner.execute(pending);
      });
      return last === null ? PASSED : runner.read(last, judgeRows);
    });
  } catch (error) {
    return { status: 'FAILED', sample: null, ...describeFailure(await runner.explain(error)) };
  }
}

/** The error for a query whose rows the test would not see. */
function createEarlyQueryError({ start, findOrigin }: Statement): DiagnosticError {
  const { rendered, span } = notNull(findOrigin({ start, end: start + 1 }));
  const message =
    'only the last statement of a test can be a query: write a test for each query, or a void block for its effect';
  return new DiagnosticError([createDiagnostic(rendered.source, span, message, 'rendering')]);
}

async function judgeRows(result: StatementResult): Promise<Verdict> {
  if (result.kind === 'done') return PASSED;
  const { count, sample } = await countRows(result);
  if (count === 0) return PASSED;
  const message = `Test returned a non-empty recordset (${count} ${count === 1 ? 'row' : 'rows'})`;
  return { status: 'FAILED', message, sample, diagnostics: [] };
}

async function countRows({ columns, chunks }: Extract<StatementResult, { kind: 'rows' }>) {
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
