import type { TestResult } from '../../engine/run/outcome/test-report.ts';
import type { CliContext } from '../context/context.ts';
import { printDiagnostics } from '../print/print-diagnostics.ts';
import { coloursOf } from '../terminal/colours.ts';
import { printAligned } from '../terminal/print-aligned.ts';
import { printCounts } from './print-counts.ts';

/** Prints test results for people, one per line, failed ones with their error; and the counts of `all` at the end. */
export async function printTests(
  context: CliContext,
  results: readonly TestResult[],
  all = results.length,
): Promise<void> {
  const { stdout } = context;
  const { red, green } = coloursOf({ env: context.env, stderr: stdout });
  for (const result of results) {
    const name = `${result.package_name}.${result.test_name}`;
    if (result.status === 'PASSED') {
      await stdout.write(`${green('passed')} ${name}\n`);
      continue;
    }
    // A message with a position is printed below, not here.
    const isPlaced = result.diagnostics.length > 0;
    const reason =
      result.sample === null
        ? `The test could not run${isPlaced ? '.' : `: ${result.message}`}`
        : result.message;
    await stdout.write(`${red('FAILED')} ${name}: ${reason}\n`);
    if (isPlaced) await printDiagnostics(context, stdout, result.diagnostics);
    else await stdout.write(`  ${result.file}:${result.line}:${result.column}\n`);
    if (result.sample !== null) {
      const rows = result.sample.rows.map((row) => row.map((value) => value ?? 'NULL'));
      await stdout.write(indent(printAligned([result.sample.columns, ...rows])));
    }
  }
  const failed = results.filter(({ status }) => status === 'FAILED').length;
  await stdout.write(`${printCounts(all, failed)}\n`);
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '    ');
}
