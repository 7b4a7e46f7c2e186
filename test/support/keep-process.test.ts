import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasProc, listLeftRunning, shareProcess } from './processes.ts';
import { waitUntil } from './waiting.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Runs one test, with a line of code, in a separate run of vitest; returns its output. */
async function runTest(line: string): Promise<string> {
  const cache = path.join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, 'kept-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const setup = JSON.stringify(path.join(root, 'test/support/keep-process.ts'));
  writeFileSync(
    path.join(folder, 'vitest.config.js'),
    `export default { test: { setupFiles: [${setup}], isolate: false } };`,
  );
  writeFileSync(
    path.join(folder, 'one.test.js'),
    `import { writeFileSync } from 'node:fs';\nimport { it } from 'vitest';\nit('runs', () => { ${line} });\n`,
  );
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const { all } = await execa({ cwd: folder, reject: false, all: true, env: { NO_COLOR: '1' } })(
    process.execPath,
    [vitest, 'run', '--root', folder, '--reporter=default'],
  );
  return all;
}

describe('a file of tests', () => {
  it.each([
    ['process.env.LEFT = "x";', 'have changed process.env.LEFT'],
    ['globalThis.left = 1;', 'have changed globalThis.left'],
    ['process.chdir("/");', 'have changed the working folder'],
    ['writeFileSync("left.csv", "");', 'have changed the file left.csv in the working folder'],
  ])('fails after %s', async (line, message) => {
    expect(await runTest(line)).toContain(`the tests of this file ${message}`);
  });

  it('has a working folder that its process removes', async () => {
    const [, folder] = /in (\/\S+)/.exec(await runTest('console.log("in", process.cwd());')) ?? [];
    expect(folder).toContain('quern-nowhere-');
    expect(existsSync(folder!)).toBe(false);
  });

  it('passes if it changes nothing', async () => {
    expect(await runTest('')).toMatch(/Tests +1 passed/);
  });
});

describe.skipIf(!hasProc)('a process that a test has left', () => {
  it('is listed until it ends, unless several files share it', async () => {
    const left = spawn('sleep', ['1001']);
    await waitUntil(() => listLeftRunning().includes('sleep 1001'));
    left.kill();
    await once(left, 'close');
    expect(listLeftRunning()).not.toContain('sleep 1001');
    const shared = spawn('sleep', ['1002']);
    shareProcess(shared.pid!);
    onTestFinished(() => void shared.kill());
    await once(shared, 'spawn');
    expect(listLeftRunning()).not.toContain('sleep 1002');
  });
});
