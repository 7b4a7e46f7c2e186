import path from 'node:path';
import type { EndedTest } from '../../engine/run/outcome/test-report.ts';
import { printCounts } from './print-counts.ts';

/**
 * One annotation per failed test, at the position of the error, and the counts. GitHub expects paths relative to the
 * repository, `workspace`; the paths of tests are relative to `cwd`.
 */
export function printGithub(tests: readonly EndedTest[], cwd: string, workspace = cwd): string {
  const failed = tests.filter(({ status }) => status === 'FAILED');
  const annotations = failed.map((test) => {
    const [first] = test.diagnostics;
    const { file, line, column } = first ?? test;
    const title = `${test.package_name}.${test.test_name}`;
    const shown = escapeProperty(toRepositoryPath(file, cwd, workspace));
    const properties = `file=${shown},line=${line},col=${column},title=${escapeProperty(title)}`;
    return `::error ${properties}::${escapeMessage(test.message)}\n`;
  });
  return `${annotations.join('')}${printCounts(tests)}\n`;
}

/** A path of the catalog, or of a file outside the repository, stays as it is. */
function toRepositoryPath(file: string, cwd: string, workspace: string): string {
  if (file.startsWith('@')) return file;
  const relative = path.relative(workspace, path.resolve(cwd, file));
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative.replaceAll(path.sep, '/');
}

/** The summary of the step: a table of the failed tests. */
export function printSummary(tests: readonly EndedTest[]): string {
  const failed = tests.filter(({ status }) => status === 'FAILED');
  const counts = printCounts(tests);
  if (failed.length === 0) return `### Data tests\n\n${counts}\n`;
  const rows = failed.map(
    (test) => `| ${escapeCell(`${test.package_name}.${test.test_name}`)} | ${escapeCell(test.message)} |`,
  );
  return `### Data tests\n\n${counts}\n\n| Test | Message |\n|---|---|\n${rows.join('\n')}\n`;
}

function escapeMessage(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}

function escapeCell(text: string): string {
  return text.replace(/[|\\`]/g, '\\$&').replace(/\s+/g, ' ');
}
