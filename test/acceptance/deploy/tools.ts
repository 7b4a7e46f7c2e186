import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** The project's folder. */
export const root = path.resolve(import.meta.dirname, '../../..');
const tools = path.join(root, 'test/deploy/.venv/bin');

/** Whether the programs that check examples are installed. */
export const hasTools = existsSync(path.join(tools, 'check-jsonschema'));
if (!hasTools) {
  process.stderr.write(
    'tests of examples by their schemas are skipped: `.ci/run` installs the programs into test/deploy/.venv\n',
  );
}

/** Whether a program of the machine runs; if it does not, a line names the tests that are skipped. */
export function hasProgram(name: string, args: readonly string[], tests: string): boolean {
  if (spawnSync(name, args).status === 0) return true;
  process.stderr.write(`tests of ${tests} are skipped: \`${name}\` is missing\n`);
  return false;
}

/** The exit code of a program and its output. */
export function runProgram(name: string, args: readonly string[], options: SpawnSyncOptions = {}) {
  const { status, stdout, stderr } = spawnSync(name, args, { cwd: root, ...options, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

/** Runs an installed tool of the tests. */
export const runTool = (name: string, ...args: string[]) => runProgram(path.join(tools, name), args);

/** A file of the project. */
export const readRootFile = (name: string) => readFileSync(path.join(root, name), 'utf8');

/** The fenced blocks of a page whose info string is the given one. */
export function readBlocks(page: string, info: string): readonly string[] {
  const pattern = new RegExp(`^\`\`\`${info.replaceAll('.', '\\.')}\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...readRootFile(page).matchAll(pattern)].map(([, text]) => text!);
}
