import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { findBanned } from '../words/find-banned.ts';
import { findDistances, type ImportGraph } from './import-graph.ts';

/** A program of `node_modules/.bin` that checks files. */
export interface Check {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

export interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
  readonly output: string;
}

const CACHE = 'node_modules/.cache/near';
/** Files that change the types or the compiler of all others. */
const COMPILER = /(?:^|\/)(?:tsconfig\.json|package(?:-lock)?\.json)$/;
const TYPED = /\.tsx?$/;
const STYLED = /\.(?:tsx?|js|json|css|html)$/;

/** The checks of changed files, and the names of those that such a change does not need. */
export function planChecks(
  changed: readonly string[],
  files: readonly string[],
  graph: ImportGraph,
): { readonly checks: readonly Check[]; readonly skipped: readonly string[] } {
  const existing = changed.filter((file) => files.includes(file));
  const styled = existing.filter((file) => STYLED.test(file));
  const reached = findDistances(graph, changed, { max: Number.POSITIVE_INFINITY, withTypes: true });
  const isCompiled = changed.some((file) => COMPILER.test(file));
  const hasTypes = isCompiled || changed.some((file) => TYPED.test(file));
  const hasWebTypes = isCompiled || [...reached.keys()].some((file) => /^web\/.*\.tsx?$/.test(file));
  const compile = (name: string, ...args: readonly string[]) => [
    '--noEmit',
    ...args,
    '--incremental',
    '--tsBuildInfoFile',
    `${CACHE}/${name}.tsbuildinfo`,
  ];
  const all = [
    {
      name: 'style',
      program: 'biome',
      args: ['check', '--error-on-warnings', '--no-errors-on-unmatched', ...styled],
      isUsed: styled.length > 0,
    },
    {
      name: 'spelling',
      program: 'cspell',
      args: ['--no-progress', '--no-summary', '--quiet', '--no-must-find-files', ...existing],
      isUsed: existing.length > 0,
    },
    { name: 'types', program: 'tsc', args: compile('types'), isUsed: hasTypes },
    { name: 'types of web', program: 'tsc', args: compile('web', '-p', 'web'), isUsed: hasWebTypes },
  ];
  return {
    checks: all.filter(({ isUsed }) => isUsed).map(({ isUsed: _, ...check }) => check),
    skipped: all.filter(({ isUsed }) => !isUsed).map(({ name }) => name),
  };
}

/** Runs a program of `node_modules/.bin` in the project; its output is empty if it goes to the terminal. */
export function runProgram(
  root: string,
  { name, program, args }: Check,
  output: 'kept' | 'shown' = 'kept',
): Promise<CheckResult & { readonly exitCode: number }> {
  const bin = path.join(root, 'node_modules/.bin');
  const child = spawn(path.join(bin, program), args, {
    cwd: root,
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` },
    stdio: output === 'shown' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const exitCode = code ?? 1;
      resolve({ name, passed: exitCode === 0, output: text.trim(), exitCode });
    });
  });
}

/** Checks the words of files that exist. */
export function checkWords(existing: readonly string[]): CheckResult {
  const found = existing.length === 0 ? [] : findBanned(existing);
  const lines = found.map(({ file, line, text, use }) => `${file}:${line}: ${text}  -> ${use}`);
  return { name: 'words', passed: lines.length === 0, output: lines.join('\n') };
}
