import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface Import {
  /** Path relative to the project, as the importing file names it; the file may be deleted. */
  readonly target: string;
  /** Whether Node removes the import, so that only the compiler checks it. */
  readonly isType: boolean;
}

/** The imports of each file, by its path relative to the project. */
export type ImportGraph = ReadonlyMap<string, readonly Import[]>;

const STATIC = /^(?:import|export)\s+(type\s)?[\w\s{},*$]*?\bfrom\s*'(\.[^']+)'/gm;
const EFFECT = /^import\s*'(\.[^']+)'/gm;
const DYNAMIC = /\bimport\(\s*'(\.[^']+)'/g;
/** The program of a thread or process, whose extension differs in the build. */
const PROGRAM = /\bnew URL\(`(\.[^`$]+)\$\{/g;

/** The imports with relative paths. */
export function readImports(file: string, text: string): readonly Import[] {
  const folder = path.posix.dirname(file);
  const toImport = (target = '', isType = false) => ({ target: path.posix.join(folder, target), isType });
  return [
    ...[...text.matchAll(STATIC)].map(([, type, target]) => toImport(target, type !== undefined)),
    ...[...text.matchAll(EFFECT), ...text.matchAll(DYNAMIC)].map(([, target]) => toImport(target)),
    ...[...text.matchAll(PROGRAM)].map(([, target]) => toImport(`${target}.ts`)),
  ];
}

/** Reads the imports of `src`, `test` and `web`. */
export function readGraph(root: string, files: readonly string[]): ImportGraph {
  const sources = files.filter((file) => /^(?:src|test|web)\/.*\.tsx?$/.test(file));
  return new Map(
    sources.map((file) => [file, readImports(file, readFileSync(path.join(root, file), 'utf8'))] as const),
  );
}

interface Walk {
  /** The longest chain of imports. */
  readonly max: number;
  /** Whether imports of types count. */
  readonly withTypes: boolean;
}

/** The files from which a changed file can be reached, with the number of imports between them; 0 for itself. */
export function findDistances(
  graph: ImportGraph,
  changed: readonly string[],
  { max, withTypes }: Walk,
): ReadonlyMap<string, number> {
  const edges = [...graph].flatMap(([file, imports]) =>
    imports.filter(({ isType }) => withTypes || !isType).map(({ target }) => ({ file, target })),
  );
  const importers = Map.groupBy(edges, ({ target }) => target);
  const distances = new Map(changed.map((file) => [file, 0]));
  // A map also visits the entries that are added during the loop, in their order.
  for (const [target, distance] of distances) {
    if (distance === max) continue;
    for (const { file } of importers.get(target) ?? []) {
      if (!distances.has(file)) distances.set(file, distance + 1);
    }
  }
  return distances;
}
