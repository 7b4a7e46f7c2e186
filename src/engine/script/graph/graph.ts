import { hasGiven } from '../checks/given.ts';
import {
  type BlockDefinition,
  type Definition,
  listBlocks,
  type Package,
  type Program,
} from '../program/program.ts';
import { type Called, isPublished, listCalls } from './list-calls.ts';

type Declaration = Definition['declaration'];

/**
 * What the named blocks and tests of a program call and read, without a run (docs/reference/build.md#order). Each answer
 * is computed once.
 */
export class Graph {
  readonly program: Program;
  /** The named blocks and the tests, file by file. */
  readonly nodes: readonly BlockDefinition[];
  readonly #calls = new Map<Declaration, readonly Called[]>();
  readonly #callees = new Map<Declaration, readonly BlockDefinition[]>();
  readonly #reads = new Map<Declaration, readonly BlockDefinition[]>();
  readonly #reached = new Map<Declaration, ReadonlySet<BlockDefinition>>();
  readonly #reaching = new Map<Declaration, ReadonlySet<BlockDefinition>>();
  /** One definition for each declaration. */
  readonly #known = new Map<Declaration, BlockDefinition>();
  /** The blocks and tests that call a block; null before it is needed. */
  #callers: ReadonlyMap<BlockDefinition, readonly BlockDefinition[]> | null = null;

  constructor(program: Program) {
    this.program = program;
    this.nodes = [...program.packages.values()].flatMap(listNamed).map((block) => this.#know(block));
  }

  /**
   * The published blocks that a block reads, directly or through unpublished blocks and macros. A test with given rows
   * computes all blocks.
   */
  listReads(block: BlockDefinition): readonly BlockDefinition[] {
    if (hasGiven(block.declaration)) return [];
    return remember(this.#reads, block.declaration, () => this.#findReads(block));
  }

  /** The blocks that a block or test calls, directly or through macros and constants; those are a test's subjects. */
  listCallees(block: BlockDefinition): readonly BlockDefinition[] {
    return remember(this.#callees, block.declaration, () => this.#findCallees(block));
  }

  /** The blocks that the body of a block or test reaches through calls. */
  listReached(block: BlockDefinition): ReadonlySet<BlockDefinition> {
    return remember(this.#reached, block.declaration, () => follow(block, (one) => this.listCallees(one)));
  }

  /** The blocks and tests whose bodies reach a block. */
  listReaching(block: BlockDefinition): ReadonlySet<BlockDefinition> {
    this.#callers ??= this.#findCallers();
    const callers = this.#callers;
    return remember(this.#reaching, block.declaration, () =>
      follow(this.#know(block), (one) => callers.get(one) ?? []),
    );
  }

  /** Blocks, and all blocks, macros and constants that they reach. */
  listDefinitions(blocks: readonly BlockDefinition[]): Iterable<Definition> {
    const seen = new Map<Declaration, Definition>();
    const waiting: Definition[] = [...blocks];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (seen.has(next.declaration)) continue;
      seen.set(next.declaration, next);
      waiting.push(...this.#listCalls(next).map(({ definition }) => definition));
    }
    return seen.values();
  }

  /** A block and what its body reaches up to other targets, and those targets. */
  listDetermining(block: BlockDefinition): {
    readonly definitions: Iterable<Definition>;
    readonly targets: Iterable<BlockDefinition>;
  } {
    const definitions = new Map<Declaration, Definition>();
    const targets = new Set<BlockDefinition>();
    const waiting: Definition[] = [block];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (definitions.has(next.declaration)) continue;
      definitions.set(next.declaration, next);
      for (const { definition: callee, isRead } of this.#listCalls(next)) {
        if (callee.kind === 'block' && isRead === true) targets.add(this.#know(callee));
        else waiting.push(callee);
      }
    }
    return { definitions: definitions.values(), targets };
  }

  #findReads(block: BlockDefinition): readonly BlockDefinition[] {
    const reads = new Set<BlockDefinition>();
    const seen = new Set<Declaration>([block.declaration]);
    const waiting: Definition[] = [block];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const { definition: callee, isRead } of this.#listCalls(next)) {
        if (callee.kind === 'block' && isRead !== false) reads.add(this.#know(callee));
        if (isRead === true || seen.has(callee.declaration)) continue;
        seen.add(callee.declaration);
        waiting.push(callee);
      }
    }
    return [...reads];
  }

  #findCallees(block: BlockDefinition): readonly BlockDefinition[] {
    const callees = new Set<BlockDefinition>();
    const seen = new Set<Declaration>();
    const waiting: Definition[] = [block];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const { definition: callee } of this.#listCalls(next)) {
        if (callee.kind === 'block') callees.add(this.#know(callee));
        else if (!seen.has(callee.declaration)) waiting.push(callee);
        seen.add(callee.declaration);
      }
    }
    return [...callees];
  }

  #findCallers(): ReadonlyMap<BlockDefinition, readonly BlockDefinition[]> {
    const callers = new Map<BlockDefinition, BlockDefinition[]>();
    for (const node of this.nodes) {
      for (const callee of this.listCallees(node)) {
        const known = callers.get(callee) ?? [];
        callers.set(callee, known);
        known.push(node);
      }
    }
    return callers;
  }

  #listCalls(definition: Definition): readonly Called[] {
    return remember(this.#calls, definition.declaration, () => listCalls(this.program, definition));
  }

  #know(block: BlockDefinition): BlockDefinition {
    return remember(this.#known, block.declaration, () => block);
  }
}

/** The name of a block or test in selectors, reports and lineage. */
export function printNode({ package: owner, name }: BlockDefinition): string {
  return `${owner.name}.${name}`;
}

/** Whether a block is a target: it is published. */
export function isTarget(block: BlockDefinition): boolean {
  return block.kind === 'block' && isPublished(block);
}

/** The named blocks and the tests of a package, file by file. */
export function listNamed(owner: Package): readonly BlockDefinition[] {
  return owner.files.flatMap((file) => listBlocks(owner, file)).filter(({ kind }) => kind !== 'anonymous');
}

/** Everything behind a start, without recursion; with the start only if something leads back to it. */
function follow(
  start: BlockDefinition,
  list: (block: BlockDefinition) => readonly BlockDefinition[],
): ReadonlySet<BlockDefinition> {
  const seen = new Set<BlockDefinition>();
  const waiting = [start];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const other of list(next)) {
      if (seen.has(other)) continue;
      seen.add(other);
      waiting.push(other);
    }
  }
  return seen;
}

function remember<Key, Value>(map: Map<Key, Value>, key: Key, compute: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = compute();
  map.set(key, value);
  return value;
}
