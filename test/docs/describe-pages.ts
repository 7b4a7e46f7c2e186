import { describe, expect, it } from 'vitest';
import { type Example, findExamples } from '../support/markdown.ts';
import { PAGES, readPage } from '../support/pages.ts';
import { hasTerminal } from '../support/type-on-terminal.ts';
import { makePageShell } from './page-shell.ts';
import { type Difference, runExamples } from './run-examples.ts';

async function runPage(examples: readonly Example[]): Promise<readonly Difference[]> {
  const shell = await makePageShell();
  try {
    return await runExamples(shell, examples);
  } finally {
    await shell.end();
  }
}

/** Tests the examples of the pages whose names match. Each file of tests has a part, so that they run side by side. */
export function describePages(part: string, isPart: (page: string) => boolean): void {
  describe(`the documentation (${part})`, () => {
    it.skipIf(!hasTerminal).each(PAGES.filter(isPart))(
      '%s shows the actual output of its examples',
      async (page) => {
        expect(await runPage(findExamples(readPage(page)))).toEqual([]);
      },
    );
  });
}
