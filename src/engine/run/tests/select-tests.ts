import path from 'node:path';
import {
  type BlockDefinition,
  listBlocks,
  type Package,
  type Program,
} from '../../script/program/program.ts';
import { createGlob } from '../../text/glob.ts';
import { trimCharacter } from '../../text/trim-character.ts';
import { SelectionError } from '../outcome/errors.ts';

/** Which tests are wanted; without `include` all of them. */
export interface TestSelection {
  /** Packages by id whose tests there are to choose from. */
  readonly packages: readonly string[];
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/**
 * The tests that selectors name: a package by its name or path, `package.TestName`, or a pattern with `*` over
 * `package/TestName`. Throws a SelectionError for one that matches nothing.
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
  const found = new Set<BlockDefinition>();
  for (const selector of selectors) {
    const direct = tests.filter((test) => isMatch(test, selector));
    // A folder without tests of its own stands for those below it.
    const matches = direct.length > 0 ? direct : tests.filter((test) => isBelow(test, selector));
    if (matches.length === 0) throw new SelectionError(`no test matches \`${selector}\``);
    for (const test of matches) found.add(test);
  }
  return tests.filter((test) => found.has(test));
}

function isBelow(test: BlockDefinition, selector: string): boolean {
  const wanted = normalize(selector);
  return listNames(test).some((own) => wanted === '.' || own.startsWith(`${wanted}/`));
}

function normalize(selector: string): string {
  return trimCharacter(selector.replace(/^\.\//, ''), '/') || '.';
}

/** How a test's package may be named: by its name, and by its folder. */
function listNames({ package: owner, file }: BlockDefinition): readonly string[] {
  return [owner.name, path.posix.dirname(file.file.rendered.source.name.replaceAll('\\', '/'))];
}

function isMatch(test: BlockDefinition, selector: string): boolean {
  const { name } = test;
  const wanted = normalize(selector);
  const packages = listNames(test);
  if (!wanted.includes('*'))
    return packages.some((own) => [own, `${own}.${name}`, `${own}/${name}`].includes(wanted));
  const matches = createGlob(wanted);
  return packages.some((own) => matches(`${own}/${name}`));
}
