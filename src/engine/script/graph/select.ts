import path from 'node:path';
import { createGlob } from '../../../text/glob.ts';
import { suggest } from '../../../text/suggest.ts';
import { trimCharacter } from '../../../text/trim-character.ts';
import type { BlockDefinition } from '../program/program.ts';
import { printHint } from '../values/resolve.ts';
import { type Graph, isTarget, printNode } from './graph.ts';
import { readTags } from './tags.ts';

/** A selector as it was typed, and with names instead of paths of a disk (docs/reference/build.md#selectors). */
interface Selector {
  readonly typed: string;
  readonly name: string;
}

/** Blocks and tests by selectors; an empty `include` selects all. */
export interface NodeSelection {
  /** Ids of the packages whose blocks and tests can be selected. */
  readonly packages: readonly string[];
  readonly include: readonly Selector[];
  readonly exclude: readonly Selector[];
}

/** A selector that selects nothing, or that several blocks have as their name. */
export class SelectionError extends Error {}

/**
 * Selects tests (docs/reference/testing.md#which-tests): those that a selector names, else those of the blocks that it
 * names. Throws a SelectionError for a selector without tests.
 */
export function selectTests(
  graph: Graph,
  selection: NodeSelection,
  changed: ReadonlySet<BlockDefinition> | null = null,
): readonly BlockDefinition[] {
  return new Selecting(graph, selection, 'tests', changed).list().filter(({ kind }) => kind === 'test');
}

/**
 * Selects blocks, published or not, and tests; a selected block brings its tests (docs/reference/build.md#selectors).
 * `changed` selects the targets in `changed`, or all of them while these are unknown.
 * Throws a SelectionError for a selector that selects nothing.
 */
export function selectNodes(
  graph: Graph,
  selection: NodeSelection,
  changed: ReadonlySet<BlockDefinition> | null = null,
): readonly BlockDefinition[] {
  return new Selecting(graph, selection, 'all', changed).list();
}

/** Why selectors select each of their nodes: `selected`, `changed`, `needed by X`, or `needs X`. */
export function explainSelection(
  graph: Graph,
  selection: NodeSelection,
  changed: ReadonlySet<BlockDefinition> | null,
): ReadonlyMap<BlockDefinition, string> {
  return new Selecting(graph, selection, 'all', changed).explain();
}

/** Whether selectors select what has changed, which only the database knows. */
export function selectsChanged({ include, exclude }: NodeSelection): boolean {
  return namesChanged([...include, ...exclude].map(({ name }) => name));
}

/** As `selectsChanged`, of selectors as texts. */
export function namesChanged(selectors: readonly string[]): boolean {
  return selectors.some((selector) => parseSelector(selector).name === CHANGED);
}

/** Whether selectors name a package as a whole, so that each of its files is needed. */
export function selectsPackage({ include, exclude }: NodeSelection, names: readonly string[]): boolean {
  const isNamed = ({ name }: Selector) => names.some((one) => isPackage(one, parseSelector(name).name));
  return (include.length === 0 || include.some(isNamed)) && !exclude.some(isNamed);
}

function isPackage(name: string, selector: string): boolean {
  return name === selector || name.startsWith(`${selector}/`) || selector === '.';
}

/** A selector: `+` before it adds what the selected needs, `+` after it what needs the selected. */
interface Parsed {
  readonly isBefore: boolean;
  readonly isAfter: boolean;
  readonly tag: string | null;
  readonly name: string;
}

/** Parses a selector; an empty name selects nothing. */
export function parseSelector(text: string): Parsed {
  const [, before = '', written = '', after = ''] = /^(\+?)(.*?)(\+?)$/s.exec(text) ?? [];
  const tag = written.startsWith(TAG) ? written.slice(TAG.length) : null;
  const name = trimCharacter(written.replace(/^\.\//, ''), '/') || (written === '' ? '' : '.');
  return { isBefore: before !== '', isAfter: after !== '', tag, name };
}

const TAG = 'tag:';
const CHANGED = 'changed';

type Nodes = readonly BlockDefinition[];

class Selecting {
  readonly #graph: Graph;
  readonly #selection: NodeSelection;
  readonly #wanted: 'tests' | 'all';
  readonly #nodes: Nodes;
  readonly #changed: ReadonlySet<BlockDefinition> | null;

  constructor(
    graph: Graph,
    selection: NodeSelection,
    wanted: 'tests' | 'all',
    changed: ReadonlySet<BlockDefinition> | null,
  ) {
    this.#changed = changed;
    const packages = new Set(selection.packages);
    this.#graph = graph;
    this.#selection = selection;
    this.#wanted = wanted;
    this.#nodes = graph.nodes.filter(({ package: owner }) => packages.has(owner.id));
  }

  list(): Nodes {
    const { include, exclude } = this.#selection;
    const included = new Set(include.length === 0 ? this.#nodes : include.flatMap((one) => this.#find(one)));
    const excluded = new Set(exclude.filter((one) => this.#isKnown(one)).flatMap((one) => this.#find(one)));
    return this.#nodes.filter((node) => included.has(node) && !excluded.has(node));
  }

  explain(): ReadonlyMap<BlockDefinition, string> {
    const reasons = new Map<BlockDefinition, string>();
    const note = (nodes: Iterable<BlockDefinition>, reason: string) => {
      for (const node of nodes) if (!reasons.has(node)) reasons.set(node, reason);
    };
    const parsed = this.#selection.include.map((selector) => {
      const { tag, name, ...sides } = parseSelector(selector.name);
      const named = this.#findFirst(selector, tag, name);
      note(named, name === CHANGED ? 'changed' : 'selected');
      return { named, ...sides };
    });
    for (const { named, isBefore, isAfter } of parsed) {
      for (const node of named) {
        if (isBefore) note(this.#graph.listReached(node), `needed by ${printNode(node)}`);
        if (isAfter) note(this.#graph.listReaching(node), `needs ${printNode(node)}`);
      }
    }
    return reasons;
  }

  /** Whether a selector does not select more than it will once the changed targets are known. */
  #isKnown({ name }: Selector): boolean {
    return this.#changed !== null || parseSelector(name).name !== CHANGED;
  }

  #find(selector: Selector): Nodes {
    const { isBefore, isAfter, tag, name } = parseSelector(selector.name);
    const isPlain = !isBefore && !isAfter && tag === null;
    const tests = this.#nodes.filter(({ kind }) => kind === 'test');
    const direct = isPlain && this.#wanted === 'tests' ? findNamed(tests, name) : [];
    if (direct.length > 0) return direct;
    const named = this.#findFirst(selector, tag, name);
    const found = new Set([
      ...named,
      ...(isBefore ? named.flatMap((node) => [...this.#graph.listReached(node)]) : []),
      ...(isAfter ? named.flatMap((node) => [...this.#graph.listReaching(node)]) : []),
    ]);
    const isOf = (test: BlockDefinition) => this.#graph.listCallees(test).some((one) => found.has(one));
    for (const test of tests.filter(isOf)) found.add(test);
    const isFound =
      name === CHANGED || [...found].some(({ kind }) => kind === 'test' || this.#wanted === 'all');
    if (!isFound) throw this.#createError(selector, tag, name);
    return [...found];
  }

  /** What a selector selects apart from its `+`. */
  #findFirst(selector: Selector, tag: string | null, name: string): Nodes {
    if (tag !== null) return this.#nodes.filter(hasTag(tag));
    if (name !== CHANGED) return this.#findByName(selector, name);
    return this.#nodes.filter((node) => isTarget(node) && (this.#changed?.has(node) ?? true));
  }

  #findByName(selector: Selector, name: string): Nodes {
    const named = findNamed(this.#nodes, name);
    if (named.length > 0) return named;
    const namesakes = this.#nodes.filter((node) => node.name === name);
    if (namesakes.length <= 1) return namesakes;
    const names = namesakes.map((node) => `\`${printNode(node)}\``).join(', ');
    throw new SelectionError(`\`${selector.typed}\` is the name of several blocks: write one of ${names}`);
  }

  #createError({ typed }: Selector, tag: string | null, name: string): SelectionError {
    const what = this.#wanted === 'tests' ? 'no test matches' : 'nothing matches';
    return new SelectionError(`${what} \`${typed}\`${this.#explain(tag, name)}`);
  }

  /** Why a selector selects nothing, or a similar one that selects something. */
  #explain(tag: string | null, name: string): string {
    const wanted = this.#nodes.filter(({ kind }) => kind === 'test' || this.#wanted === 'all');
    if (tag !== null) {
      const near = suggest(tag, this.#nodes.flatMap(readTags));
      return printHint(near && `${TAG}${near}`);
    }
    if (name === '') return ': write the name of a package, a block or a test';
    if (!name.endsWith('.sql')) return printHint(findNear(name, listNames(wanted)));
    const inFile = wanted.find((node) => isInFile(node, name));
    const one = this.#wanted === 'tests' ? 'a test' : 'a block';
    return `: select a package or ${one}, not a file${printHint(inFile && printNode(inFile))}`;
  }
}

function hasTag(tag: string): (node: BlockDefinition) => boolean {
  return (node) => readTags(node).includes(tag);
}

/** The nodes that a name or a pattern names; a folder without nodes names those below it. */
function findNamed(nodes: Nodes, name: string): Nodes {
  const direct = nodes.filter((node) => isMatch(node, name));
  return direct.length > 0 ? direct : nodes.filter((node) => isBelow(node, name));
}

function isMatch(node: BlockDefinition, selector: string): boolean {
  const packages = listPackageNames(node);
  if (!selector.includes('*')) {
    return packages.some((name) => [name, `${name}.${node.name}`, `${name}/${node.name}`].includes(selector));
  }
  const matches = createGlob(selector);
  return packages.some((name) => matches(`${name}/${node.name}`));
}

function isBelow(node: BlockDefinition, selector: string): boolean {
  return listPackageNames(node).some((name) => selector === '.' || name.startsWith(`${selector}/`));
}

/** Whether a path, on disk or in its project, is that of the node's file. */
function isInFile(node: BlockDefinition, file: string): boolean {
  const name = path.posix.basename(pathOf(node));
  return listPackageNames(node).some((owner) => path.posix.join(owner, name) === file);
}

/** The names of a node's package in selectors: its name and its folder. */
function listPackageNames(node: BlockDefinition): readonly string[] {
  return [node.package.name, path.posix.dirname(pathOf(node))];
}

function pathOf({ file }: BlockDefinition): string {
  return file.file.rendered.source.name.replaceAll('\\', '/');
}

/** A name that selectors may use, and its last part. */
interface Known {
  readonly name: string;
  readonly ending: string;
}

/** The nodes by their own names, and the names that selectors may use: folders with nodes, their parents, and the nodes. */
function listNames(nodes: Nodes): readonly Known[] {
  const folders = nodes.flatMap((node) => listPrefixes(node.package.name));
  const byOwnName = nodes.map((node) => ({ name: printNode(node), ending: node.name }));
  const names = new Set([...folders, ...nodes.map(printNode)]);
  return [...byOwnName, ...[...names].map((name) => ({ name, ending: path.posix.basename(name) }))];
}

function listPrefixes(name: string): readonly string[] {
  const parts = name.split('/');
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}

/** The name whose last part equals the selector's or is similar; names in the same folder come first. */
function findNear(selector: string, names: readonly Known[]): string | undefined {
  const folder = path.posix.dirname(selector);
  const siblings = names.filter(({ name }) => path.posix.dirname(name) === folder);
  const byEnding = new Map([...names, ...siblings].map(({ ending, name }) => [ending, name]));
  const ending = path.posix.basename(selector);
  return byEnding.get(ending) ?? byEnding.get(suggest(ending, byEnding.keys()) ?? '');
}
