import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findExamples } from '../support/markdown.ts';
import { hasTerminal } from '../support/type-on-terminal.ts';
import { makePageShell } from './page-shell.ts';
import { type Difference, runExamples } from './run-examples.ts';

const folder = path.resolve(import.meta.dirname, '../../docs/tutorial');
const ALL_PARTS_MS = 240_000;

/** Types all parts of the tutorial, in their order, into one shell. */
async function typeParts(parts: readonly string[]): Promise<Readonly<Record<string, readonly Difference[]>>> {
  const shell = await makePageShell();
  const different: Record<string, readonly Difference[]> = {};
  try {
    for (const part of parts) {
      const examples = findExamples(readFileSync(path.join(folder, part), 'utf8'));
      expect(examples.length, part).toBeGreaterThan(5);
      different[part] = await runExamples(shell, examples);
    }
  } finally {
    await shell.end();
  }
  return different;
}

describe.skipIf(!hasTerminal)('the tutorial', () => {
  it(
    'shows the actual output of its commands when all parts are typed in one new home',
    async () => {
      const parts = readdirSync(folder).sort();
      expect(await typeParts(parts)).toEqual(Object.fromEntries(parts.map((part) => [part, []])));
    },
    ALL_PARTS_MS,
  );
});
