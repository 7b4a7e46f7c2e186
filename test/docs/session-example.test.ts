import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { notNull, present } from '../../src/invariants/must.ts';
import { makeHome } from '../support/quern.ts';
import { runSession, type Step } from '../support/session-on-terminal.ts';
import { hasTerminal } from '../support/type-on-terminal.ts';

const page = path.resolve(import.meta.dirname, '../../docs/guides/running-sql.md');
const PROMPT = /^(?:duckdb[*!]?> | {5,}-> )/;

describe.skipIf(!hasTerminal)('the interactive session of the guide', () => {
  it('shows what a session prints', async () => {
    const found = /^```text\n(duckdb> [\s\S]*?)^```$/m.exec(readFileSync(page, 'utf8'));
    const block = present(notNull(found)[1]);
    const steps = block.split('\n').flatMap((line): readonly Step[] => {
      const prompt = PROMPT.exec(line)?.[0];
      return prompt === undefined ? [] : [[prompt, `${line.slice(prompt.length)}\r`]];
    });
    expect(steps.length).toBeGreaterThan(5);
    const { screen } = await runSession(await makeHome(), steps);
    expect(screen.slice(screen.indexOf('duckdb> ')).trimEnd()).toBe(block.trimEnd());
  });
});
