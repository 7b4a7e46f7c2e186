import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/context/command.ts';
import { COMMANDS } from '../../src/cli/table/commands.ts';
import { type Example, findExamples, matchesOutput } from '../support/markdown.ts';
import { PAGES, readPage } from '../support/pages.ts';
import { makePageShell } from './page-shell.ts';

const root = path.resolve(import.meta.dirname, '../..');
const hasTerminal = spawnSync('script', ['--version']).status === 0 && process.platform === 'linux';

interface Difference {
  readonly line: number;
  readonly shown: string;
  readonly printed: string;
}

async function runPage(examples: readonly Example[]): Promise<readonly Difference[]> {
  const shell = await makePageShell();
  const different: Difference[] = [];
  try {
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
  } finally {
    await shell.end();
  }
  return different;
}

describe('the documentation', () => {
  it.skipIf(!hasTerminal).each(PAGES)('%s shows the actual output of its examples', async (page) => {
    expect(await runPage(findExamples(readPage(page)))).toEqual([]);
  });

  it.each<Pick<Command, 'name' | 'options'>>(COMMANDS)('describes `quern $name`', ({ name, options }) => {
    const text = readFileSync(path.join(root, 'docs/reference/command-line.md'), 'utf8');
    expect(text).toContain(`quern ${name}`);
    for (const { flags } of options) expect(text).toContain(/--[\w-]+/.exec(flags)![0]);
  });
});
