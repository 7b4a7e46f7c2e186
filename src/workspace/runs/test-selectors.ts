import path from 'node:path';
import type { Project } from '../../engine/project/package-loader.ts';
import { SelectionError } from '../../engine/run/outcome/errors.ts';
import { isInFile, listTests, selectTests } from '../../engine/run/tests/select-tests.ts';
import { loadProgram } from '../../engine/script/load/load-program.ts';
import { createParseCache } from '../../engine/script/load/parse-cache.ts';
import type { Params } from '../../engine/script/params/params.ts';
import type { BlockDefinition, Program } from '../../engine/script/program/program.ts';
import { printHint } from '../../engine/script/values/resolve.ts';
import type { Work } from '../../execution/contract/request.ts';
import { elementAt, entryOf } from '../../invariants/must.ts';
import { suggest } from '../../text/suggest.ts';
import { trimCharacter } from '../../text/trim-character.ts';
import { unknownTest } from '../api/errors.ts';

/**
 * Converts a selector to package names. A path relative to the folder `from` (`..`, `./base`) and an absolute path are
 * converted; other selectors stay. Throws an UnknownNameError for a path outside the project, or without a project,
 * outside the folder.
 */
export function resolveSelector(selector: string, from: string, project: Project | null): string {
  if (!path.isAbsolute(selector) && !selector.split('/').some((part) => part === '.' || part === '..')) {
    return selector;
  }
  const inside = path.relative(project?.id ?? from, path.resolve(from, selector)).replaceAll(path.sep, '/');
  if (inside === '..' || inside.startsWith('../') || path.isAbsolute(inside)) {
    const folder = project === null ? 'current folder, which belongs to no project' : 'project';
    throw unknownTest(selector, `: it leads out of the ${folder}`);
  }
  if (project === null) return inside || '.';
  const { name } = project.manifest.general;
  return inside === '' ? name : `${name}/${inside}`;
}

/** Names the selector of `typed` that matches no test, and suggests a similar name, or a test of a file. */
export function explainSelection(
  { snapshot, selection }: Extract<Work, { kind: 'tests' }>,
  params: Params,
  typed: readonly string[],
): string {
  const program = loadProgram(snapshot, params, createParseCache());
  const selectors = [...selection.include, ...selection.exclude];
  const at = selectors.findIndex((selector) => !isMatched(program, selection.packages, selector));
  const selector = elementAt(selectors, at);
  const tests = selection.packages.flatMap((id) => listTests(entryOf(program.packages, id)));
  const reason = selector.endsWith('.sql') ? ': select a package or a test, not a file' : '';
  const inFile = tests.find((test) => isInFile(test, selector));
  const near = reason === '' ? findNear(selector, listNames(tests)) : inFile && printTest(inFile);
  return `no test matches \`${typed[at]}\`${reason}${printHint(near)}`;
}

function isMatched(program: Program, packages: readonly string[], selector: string): boolean {
  try {
    return selectTests(program, { packages, include: [selector], exclude: [] }).length > 0;
  } catch (error) {
    if (error instanceof SelectionError) return false;
    throw error;
  }
}

/** A name that selectors may use, and its last part. */
interface Known {
  readonly name: string;
  readonly ending: string;
}

/** The tests by their own names, and the names that selectors may use: folders with tests, their parents, and the tests. */
function listNames(tests: readonly BlockDefinition[]): readonly Known[] {
  const folders = tests.flatMap((test) => listPrefixes(test.package.name));
  const byOwnName = tests.map((test) => ({ name: printTest(test), ending: test.name }));
  const names = new Set([...folders, ...tests.map(printTest)]);
  return [...byOwnName, ...[...names].map((name) => ({ name, ending: path.posix.basename(name) }))];
}

const printTest = (test: BlockDefinition) => `${test.package.name}.${test.name}`;

function listPrefixes(name: string): readonly string[] {
  const parts = name.split('/');
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}

/** The name whose last part equals the selector's or is similar; names in the same folder come first. */
function findNear(selector: string, names: readonly Known[]): string | undefined {
  const wanted = trimCharacter(selector, '/');
  const folder = path.posix.dirname(wanted);
  const siblings = names.filter(({ name }) => path.posix.dirname(name) === folder);
  const byEnding = new Map([...names, ...siblings].map(({ ending, name }) => [ending, name]));
  const ending = path.posix.basename(wanted);
  return byEnding.get(ending) ?? byEnding.get(suggest(ending, byEnding.keys()) ?? '');
}
