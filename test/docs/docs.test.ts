import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/context/command.ts';
import { COMMANDS } from '../../src/cli/table/commands.ts';
import { type Example, findExamples, matchesOutput, toAnchor } from '../support/markdown.ts';
import { makePageShell } from './page-shell.ts';

const root = path.resolve(import.meta.dirname, '../..');
const hasTerminal = spawnSync('script', ['--version']).status === 0 && process.platform === 'linux';
const pages = [
  'README.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
];

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
  it.skipIf(!hasTerminal).each(pages)('%s shows the actual output of its examples', async (page) => {
    const examples = findExamples(readFileSync(path.join(root, page), 'utf8'));
    if (page !== 'docs/README.md') expect(examples.length).toBeGreaterThan(0);
    expect(await runPage(examples)).toEqual([]);
  });

  it.each(pages)('%s links to existing headings', (page) => {
    const text = readFileSync(path.join(root, page), 'utf8');
    const missing = [...text.matchAll(/\]\(([\w./-]*\.md)?#([\w-]+)\)/g)].filter(([, file, anchor]) => {
      const target = file === undefined ? page : path.join(path.dirname(page), file);
      const headings = readFileSync(path.join(root, target), 'utf8').match(/^#+ .*$/gm) ?? [];
      return !headings.some((heading) => toAnchor(heading) === anchor);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  it.each<Pick<Command, 'name' | 'options'>>(COMMANDS)('describes `quern $name`', ({ name, options }) => {
    const text = readFileSync(path.join(root, 'docs/reference/command-line.md'), 'utf8');
    expect(text).toContain(`quern ${name}`);
    for (const { flags } of options) expect(text).toContain(/--[\w-]+/.exec(flags)![0]);
  });
});
