import path from 'node:path';
import { createGlob } from '../../../text/glob.ts';
import { trimCharacter } from '../../../text/trim-character.ts';
import {
  type BlockDefinition,
  listBlocks,
  type Package,
  type Program,
} from '../../script/program/program.ts';
import { SelectionError } from '../outcome/errors.ts';

/** The selection of tests; an empty `include` selects all. */
export interface TestSelection {
  /** Ids of the packages whose tests can be selected. */
  readonly packages: readonly string[];
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/**
 * Selects tests. A selector is the name or path of a package, `package.TestName`, or a pattern with `*` for
 * `package/TestName`. Throws a SelectionError for a selector that matches no test.
 */
export function selectTests(program: Program, selection: TestSelection): readonly BlockDefinition[] {
  const all = selection.packages.flatMap((id) => {
    const owner = program.packages.get(id);
    return owner === undefined ? [] : listTests(owner);
  });
  const included = selection.include.length === 0 ? all : findAll(all, selection.include);
  const excluded = new Set(findAll(all, selection.exclude).map(({ declaration }) => declaration));
  return included.filter(({ declaration }) => !excluded.has(declaration));
}

/** The tests of a package, file by file. */
export function listTests(owner: Package): readonly BlockDefinition[] {
  return owner.files.flatMap((file) => listBlocks(owner, file)).filter(({ kind }) => kind === 'test');
}

function findAll(
  tests: readonly BlockDefinition[],
  selectors: readonly string[],
): readonly BlockDefinition[] {
  const selection = new Set<BlockDefinition>();
  for (const selector of selectors) {
    const direct = tests.filter((test) => isMatch(test, selector));
    // A folder without its own tests selects the tests below it.
    const matches = direct.length > 0 ? direct : tests.filter((test) => isBelow(test, selector));
    if (matches.length === 0) throw new SelectionError(`no test matches \`${selector}\``);
    for (const test of matches) selection.add(test);
  }
  return tests.filter((test) => selection.has(test));
}

function isBelow(test: BlockDefinition, selector: string): boolean {
  const selectedPath = normalize(selector);
  return listNames(test).some(
    (packageName) => selectedPath === '.' || packageName.startsWith(`${selectedPath}/`),
  );
}

function normalize(selector: string): string {
  return trimCharacter(selector.replace(/^\.\//, ''), '/') || '.';
}

/** Whether a path, on disk or in its project, is that of the test's file. */
export function isInFile(test: BlockDefinition, file: string): boolean {
  const name = path.posix.basename(pathOf(test));
  return listNames(test).some((packageName) => path.posix.join(packageName, name) === normalize(file));
}

/** The names of a test's package in selectors: its name and its folder. */
function listNames(test: BlockDefinition): readonly string[] {
  return [test.package.name, path.posix.dirname(pathOf(test))];
}

function pathOf({ file }: BlockDefinition): string {
  return file.file.rendered.source.name.replaceAll('\\', '/');
}

function isMatch(test: BlockDefinition, selector: string): boolean {
  const { name } = test;
  const selectedPath = normalize(selector);
  const packages = listNames(test);
  if (!selectedPath.includes('*'))
    return packages.some((packageName) =>
      [packageName, `${packageName}.${name}`, `${packageName}/${name}`].includes(selectedPath),
    );
  const matches = createGlob(selectedPath);
  return packages.some((packageName) => matches(`${packageName}/${name}`));
}
