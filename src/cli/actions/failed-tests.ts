import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestResult } from '../../engine/run/outcome/test-report.ts';
import type { CliContext } from '../context/context.ts';

/** The selectors of the tests that failed in the last run on this home; empty without a last run. */
export async function readFailed(context: CliContext): Promise<readonly string[]> {
  try {
    const names: unknown = JSON.parse(await readFile(await findFile(context), 'utf8'));
    return Array.isArray(names) ? names.map(String) : [];
  } catch {
    return [];
  }
}

/** Stores the failed tests for the next run. */
export async function writeFailed(context: CliContext, tests: readonly TestResult[]): Promise<void> {
  const failed = tests.filter(({ status }) => status === 'FAILED');
  const names = failed.map(printSelector);
  const file = await findFile(context);
  await writeFile(file, `${JSON.stringify(names, null, 2)}\n`, { mode: 0o600 });
}

/** Names tests of the catalog by their catalog folder, so that they are not searched on disk. */
function printSelector({ package_name, test_name, file }: TestResult): string {
  const folder = file.startsWith('@') ? path.posix.dirname(file) : package_name;
  return `${folder}.${test_name}`;
}

/** Not in `tmp/`, which a server empties when it starts. */
async function findFile(context: CliContext): Promise<string> {
  const { findHome } = await import('../../workspace/home/find-home.ts');
  return path.join(findHome({ ...context, flag: context.home }), 'failed-tests.json');
}
