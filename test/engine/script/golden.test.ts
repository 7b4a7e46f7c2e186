import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalLoader } from '../../../src/engine/project/local-loader.ts';
import { type CompiledStep, compileFile } from '../../../src/engine/script/compile.ts';
import { collectSnapshot } from '../../../src/engine/script/load/collect-snapshot.ts';
import { checkSnapshot, loadProgram } from '../../../src/engine/script/load/load-program.ts';
import { createParseCache } from '../../../src/engine/script/load/parse-cache.ts';
import type { Params } from '../../../src/engine/script/params/params.ts';
import {
  type Diagnostic,
  DiagnosticError,
  printDiagnostic,
  type Warning,
} from '../../../src/engine/text/diagnostic.ts';
import { LEXICAL_RULES } from '../../../src/engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../../src/engine/text/sql-dialect.ts';
import { parseExactJson } from '../../../src/text/decimal.ts';

/*
 * Each folder in `fixtures/script/good` and `fixtures/script/bad` is one case: its script `main.sql` (or
 * `app/main.sql`) is compiled, and the result must equal `expected.txt`. A case can also have `params.json`, and
 * `given/`, whose folders are projects that the user names. UPDATE_FIXTURES=1 rewrites `expected.txt`.
 */
const FIXTURES = path.resolve(import.meta.dirname, '../../../fixtures/script');
const NOW = Date.UTC(2024, 1, 29, 13, 4, 5, 67);

interface Outcome {
  readonly steps: readonly CompiledStep[];
  readonly diagnostics: readonly Diagnostic[];
}

interface Case {
  readonly folder: string;
  readonly main: string;
  readonly projects: readonly string[];
  readonly params: Params;
}

function listCases(group: 'good' | 'bad'): readonly string[] {
  const entries = readdirSync(path.join(FIXTURES, group), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function readCase(group: 'good' | 'bad', name: string): Case {
  const folder = path.join(FIXTURES, group, name);
  const main = existsSync(path.join(folder, 'main.sql')) ? 'main.sql' : path.join('app', 'main.sql');
  const given = path.join(folder, 'given');
  const projects = existsSync(given) ? readdirSync(given).map((project) => path.join(given, project)) : [];
  const params = path.join(folder, 'params.json');
  return {
    folder,
    main,
    projects,
    params: existsSync(params) ? parseExactJson<Params>(readFileSync(params, 'utf8')) : {},
  };
}

/** The diagnostics of `check` for all scripts of a case. */
function check({ folder, projects, params }: Case): Outcome {
  return settle(() => {
    const loader = createLocalLoader({ cwd: folder, projects });
    const [first, ...others] = loader.listPackages(loader.findPackage('.')!.id);
    const snapshot = collectSnapshot(loader, [{ id: first! }, ...others.map((id) => ({ id }))], { params });
    const options = { params, lexicalRules: LEXICAL_RULES.duckdb };
    return { steps: [], diagnostics: checkSnapshot(snapshot, options, createParseCache()) };
  });
}

/** The steps of the compiled main script. */
function compile({ folder, main, projects, params }: Case): Outcome {
  return settle(() => {
    const loader = createLocalLoader({ cwd: folder, projects });
    const { id, file } = loader.findPackage(main)!;
    const snapshot = collectSnapshot(loader, [{ id, file: file! }], { params });
    const program = loadProgram(snapshot, params, createParseCache());
    const diagnostics: Diagnostic[] = [];
    const warn = (warning: Warning) => void ('file' in warning && diagnostics.push(warning));
    const options = { dialect: SQL_DIALECT.duckdb, lexicalRules: LEXICAL_RULES.duckdb, now: NOW, warn };
    return { steps: compileFile(program, main, options), diagnostics };
  });
}

function settle(work: () => Outcome): Outcome {
  try {
    return work();
  } catch (error) {
    if (error instanceof DiagnosticError) return { steps: [], diagnostics: error.diagnostics };
    throw error;
  }
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

function printSteps(steps: readonly CompiledStep[]): string {
  return steps.map(printStep).join('\n\n');
}

/** `2 relation quern_1 for Customers(n=2)`, then each line as `file:line block | text`. */
function printStep({ kind, call, relation, lines }: CompiledStep, index: number): string {
  const title = [index + 1, kind, relation, call === '' ? null : `for ${call}`];
  const rows = lines.map(({ file, line, block, text }) =>
    `${file}:${line}${block === '' ? '' : ` ${block}`} | ${text}`.trimEnd(),
  );
  return [title.filter((part) => part !== null).join(' '), ...rows].join('\n');
}

function printDiagnostics(title: string, diagnostics: readonly Diagnostic[]): string {
  return [title, ...diagnostics.map(printDiagnostic)].join('\n\n');
}

function printGood(checked: Outcome, { steps }: Outcome): string {
  const warnings = checked.diagnostics.length === 0 ? [] : [printDiagnostics('check', checked.diagnostics)];
  return [...warnings, `compile\n\n${printSteps(steps)}`].join('\n\n').trimEnd();
}

/** Prints the diagnostics of a bad script: those of the check come first. */
function printBad(checked: Outcome, compiled: Outcome): string {
  const errors = checked.diagnostics.filter(isError).map(printDiagnostic).join();
  const sections = checked.diagnostics.length === 0 ? [] : [printDiagnostics('check', checked.diagnostics)];
  if (compiled.diagnostics.length === 0) sections.push('compile: no error is reached');
  else if (compiled.diagnostics.map(printDiagnostic).join() === errors) sections.push('compile: the same');
  else sections.push(printDiagnostics('compile', compiled.diagnostics));
  return sections.join('\n\n');
}

function expectFile(folder: string, text: string): void {
  const file = path.join(folder, 'expected.txt');
  if (process.env.UPDATE_FIXTURES === '1') writeFileSync(file, `${text}\n`);
  expect(`${text}\n`).toBe(readFileSync(file, 'utf8'));
}

describe('the golden scripts', () => {
  it('cover many cases', () => {
    expect(listCases('good').length).toBeGreaterThanOrEqual(150);
    expect(listCases('bad').length).toBeGreaterThanOrEqual(195);
  });
});

describe('a good script', () => {
  it.each(listCases('good'))('%s', (name) => {
    const own = readCase('good', name);
    const [checked, compiled] = [check(own), compile(own)];
    const errors = [...checked.diagnostics, ...compiled.diagnostics].filter(isError);
    expect(errors.map(printDiagnostic)).toEqual([]);
    expectFile(own.folder, printGood(checked, compiled));
  });
});

describe('a bad script', () => {
  it.each(listCases('bad'))('%s', (name) => {
    const own = readCase('bad', name);
    const [checked, compiled] = [check(own), compile(own)];
    const errors = [...checked.diagnostics, ...compiled.diagnostics].filter(isError);
    expect(errors).not.toEqual([]);
    for (const { file, line, column } of errors) {
      const lines = readFileSync(path.join(own.folder, file), 'utf8').split(/\r\n|\n/);
      const text = lines[line - 1];
      expect(text, `${file}:${line} is a line of the file`).toBeDefined();
      expect(column).toBeGreaterThanOrEqual(1);
      expect(column).toBeLessThanOrEqual(text!.length + 1);
    }
    expectFile(own.folder, printBad(checked, compiled));
  });
});
