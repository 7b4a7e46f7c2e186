import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern } from '../../support/quern.ts';

describe('--as', () => {
  it.each([
    [['init', 'new'], 'a new home has only its administrator'],
    [['serve', '--port', '0'], 'a server acts as the user of each request'],
    [['check', '.'], 'files are read without a home; paths of the catalog (`@…`) take it'],
    [['compile', 'a.sql'], 'files are read without a home; paths of the catalog (`@…`) take it'],
    [['semantic', 'check', './model.yaml'], 'models on disk are read without a home; connections take it'],
    [['semantic', 'import', 'model.yaml'], 'files are read and written without a home'],
  ])('is refused by %j, which would ignore it', async (args, why) => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'a.sql'), 'SELECT 1');
    const { stdout, stderr, exitCode } = await quern(['--as', 'admin', ...args], { cwd });
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: '',
      stderr: `error: --as admin has no effect here: ${why}\n`,
      exitCode: 2,
    });
  });

  it('is accepted by commands that act in a home', async () => {
    const cwd = await makeHome();
    const { stdout } = await quern(['--as', 'admin', 'sql', 'SELECT 1 AS one'], { cwd });
    expect(stdout).toBe('one\n1\n');
  });
});
