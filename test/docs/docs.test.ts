import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Example, findExamples } from '../support/markdown.ts';
import { PAGES, readPage } from '../support/pages.ts';
import { makePageShell } from './page-shell.ts';
import { type Difference, runExamples } from './run-examples.ts';

const hasTerminal = spawnSync('script', ['--version']).status === 0 && process.platform === 'linux';

/** The pages whose examples need no other page. `tutorial.test.ts` types the parts of the tutorial in order. */
const pagesAlone = PAGES.filter((page) => !page.startsWith('docs/tutorial/'));

async function runPage(examples: readonly Example[]): Promise<readonly Difference[]> {
  const shell = await makePageShell();
  try {
    return await runExamples(shell, examples);
  } finally {
    await shell.end();
  }
}

describe('the documentation', () => {
  it.skipIf(!hasTerminal).each(pagesAlone)('%s shows the actual output of its examples', async (page) => {
    expect(await runPage(findExamples(readPage(page)))).toEqual([]);
  });
});
