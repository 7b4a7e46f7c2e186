import { type EndedTest, isWarned, MAX_KEPT_ROWS } from '../../engine/run/outcome/test-report.ts';
import { printCount } from '../../invariants/print-count.ts';
import type { CliContext } from '../context/context.ts';
import { printDiagnostics } from '../print/print-diagnostics.ts';
import { coloursOf } from '../terminal/colours.ts';
import { printAligned } from '../terminal/print-aligned.ts';
import { printCounts } from './print-counts.ts';

/** Prints test results for people, one per line, failed ones with their error; and the counts of `all` at the end. */
export async function printTests(
  context: CliContext,
  results: readonly EndedTest[],
  all: readonly EndedTest[] = results,
): Promise<void> {
  for (const result of results) await printTest(context, result);
  await context.stdout.write(`${printCounts(all)}\n`);
}

/** How the line of a test with wrong rows names them. */
export type PrintReason = (result: EndedTest) => string;

/** The number of wrong rows, and for a test without that number its message. */
export const printWrongRows: PrintReason = ({ rows, message }) =>
  rows === null ? message : `${printCount(rows)} wrong ${rows === 1 ? 'row' : 'rows'}`;

/** Prints the line of a test, and the error or the first rows of a failed one. */
export async function printTest(
  context: CliContext,
  result: EndedTest,
  printReason: PrintReason = ({ message }) => message,
): Promise<void> {
  const { stdout } = context;
  const { red, green, yellow } = coloursOf({ env: context.env, stderr: stdout });
  const name = `${result.package_name}.${result.test_name}`;
  if (isWarned(result)) {
    await stdout.write(`${yellow('warned')} ${name}: ${printWrongRows(result)}${printStored(result)}\n`);
    return;
  }
  if (result.status !== 'FAILED') {
    const isPassed = result.status === 'PASSED';
    await stdout.write(isPassed ? `${green('passed')} ${name}\n` : `skipped ${name}: ${result.message}\n`);
    return;
  }
  // A message with a position is printed below, not here.
  const isPlaced = result.diagnostics.length > 0;
  const reason =
    result.sample === null
      ? `The test could not run${isPlaced ? '.' : `: ${result.message}`}`
      : printReason(result);
  await stdout.write(`${red('FAILED')} ${name}: ${reason}${printStored(result)}\n`);
  if (isPlaced) await printDiagnostics(context, stdout, result.diagnostics);
  else await stdout.write(`  ${result.file}:${result.line}:${result.column}\n`);
  if (result.sample !== null) {
    const rows = result.sample.rows.map((row) => row.map((value) => value ?? 'NULL'));
    await stdout.write(indent(printAligned([result.sample.columns, ...rows])));
  }
}

/** Where the wrong rows are kept. */
function printStored({ stored, rows }: EndedTest): string {
  if (stored === null) return '';
  const isPart = rows !== null && rows > MAX_KEPT_ROWS;
  return `, kept in ${stored}${isPart ? ` (the first ${printCount(MAX_KEPT_ROWS)})` : ''}`;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '    ');
}
