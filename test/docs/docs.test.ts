import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/context/command.ts';
import { COMMANDS } from '../../src/cli/table/commands.ts';
import { type Example, findExamples } from '../support/markdown.ts';
import { PAGES, readPage } from '../support/pages.ts';
import { makePageShell } from './page-shell.ts';
import { type Difference, runExamples } from './run-examples.ts';

const root = path.resolve(import.meta.dirname, '../..');
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

  it.each<Pick<Command, 'name' | 'options'>>(COMMANDS)('describes `quern $name`', ({ name, options }) => {
    const text = readFileSync(path.join(root, 'docs/reference/command-line.md'), 'utf8');
    expect(text).toContain(`quern ${name}`);
    for (const { flags } of options) expect(text).toContain(/--[\w-]+/.exec(flags)![0]);
  });
});
