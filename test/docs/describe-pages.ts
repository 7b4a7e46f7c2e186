import { describe, expect, it } from 'vitest';
import { type Example, findExamples } from '../support/markdown.ts';
import { findPart, PAGES, type PagesPart, readPage } from '../support/pages.ts';
import { COMMAND_MS } from '../support/patience.ts';
import { hasTerminal } from '../support/type-on-terminal.ts';
import { makePageShell } from './page-shell.ts';
import { type Difference, runExamples } from './run-examples.ts';

/** Longer than a command may hang, so that the error names the command. */
const PAGE_MS = COMMAND_MS + 60_000;

async function runPage(examples: readonly Example[]): Promise<readonly Difference[]> {
  const shell = await makePageShell();
  try {
    return await runExamples(shell, examples);
  } finally {
    await shell.end();
  }
}

/** Tests the examples of the pages of a part. Each file of tests has one, so that they run side by side. */
export function describePages(part: PagesPart): void {
  describe(`the documentation (${part})`, () => {
    it.skipIf(!hasTerminal).each(PAGES.filter((page) => findPart(page) === part))(
      '%s shows the actual output of its examples',
      async (page) => {
        expect(await runPage(findExamples(readPage(page)))).toEqual([]);
      },
      PAGE_MS,
    );
  });
}
