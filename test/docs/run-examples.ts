import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Example, matchesOutput } from '../support/markdown.ts';
import type { PageShell } from './page-shell.ts';

/** A command that printed another text than the page shows. */
export interface Difference {
  readonly line: number;
  readonly shown: string;
  readonly printed: string;
}

/** A workbook that pages load; it cannot be shown as a block. */
const WORKBOOK = 'budget.xlsx';
const WORKBOOK_FILE = path.resolve(import.meta.dirname, '../../fixtures/workbooks', WORKBOOK);

/** Writes the files and runs the commands of a page, in order. Returns what the page shows wrongly. */
export async function runExamples(
  shell: PageShell,
  examples: readonly Example[],
): Promise<readonly Difference[]> {
  const different: Difference[] = [];
  const isLoaded = examples.some((example) => example.kind !== 'file' && example.command.includes(WORKBOOK));
  if (isLoaded) copyFileSync(WORKBOOK_FILE, path.join(shell.cwd, WORKBOOK));
  for (const example of examples) {
    if (example.kind === 'file') {
      mkdirSync(path.dirname(path.join(shell.cwd, example.name)), { recursive: true });
      writeFileSync(path.join(shell.cwd, example.name), example.text);
      continue;
    }
    const printed = await shell.run(example.command, example.output);
    if (matchesOutput(printed, example.output)) continue;
    different.push({ line: example.line, shown: example.output, printed });
  }
  return different;
}
