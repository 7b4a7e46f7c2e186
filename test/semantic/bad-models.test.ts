import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { printDiagnostic } from '../../src/engine/text/diagnostic.ts';
import { readModel } from '../../src/semantic/model/load/read-model.ts';

const fixtures = path.resolve(import.meta.dirname, '../../fixtures/semantic');

function readCase(folder: string) {
  const files = readdirSync(folder).filter((name) => name !== 'expected.txt');
  const sources = files.sort().map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }));
  const { model, diagnostics } = readModel(sources);
  return { model, text: `${diagnostics.map(printDiagnostic).join('\n\n')}\n` };
}

describe.each(['bad', 'warnings'])('models: %s', (kind) => {
  const root = path.join(fixtures, kind);

  it.each(readdirSync(root))('%s', async (name) => {
    const { model, text } = readCase(path.join(root, name));
    expect(model === null).toBe(kind === 'bad');
    await expect(text).toMatchFileSnapshot(path.join(root, name, 'expected.txt'));
  });
});
