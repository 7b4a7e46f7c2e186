import { elementAt, entryOf } from '../../../invariants/must.ts';
import { hasGiven } from '../../script/checks/given.ts';
import { type Graph, isTarget, printNode } from '../../script/graph/graph.ts';
import type { BlockDefinition } from '../../script/program/program.ts';
import { listWantedReads, orderPublications } from '../publish/publication-order.ts';

/** A target or a test of a build, and what must end before it. */
export interface BuildStep {
  readonly node: BlockDefinition;
  /** Those of the build's targets that it reads. */
  readonly reads: readonly BuildStep[];
  /** The tests that gate a target: if one of them fails, the target is skipped. */
  readonly gates: readonly BuildStep[];
}

/**
 * Orders the targets and tests among selected blocks: each after what it reads and after its gates, else by name
 * (docs/reference/build.md#order). Throws a DiagnosticError for a block that cannot be published, and for a cycle.
 */
export function orderBuild(graph: Graph, selected: readonly BlockDefinition[]): readonly BuildStep[] {
  const planned = orderPublications(graph, selected.filter(isTarget), null);
  const steps = new Map<BlockDefinition['declaration'], Mutable>();
  const add = (node: BlockDefinition, reads: readonly BlockDefinition[]) => {
    const step = { node, reads: reads.map(({ declaration }) => entryOf(steps, declaration)), gates: [] };
    steps.set(node.declaration, step);
    return step;
  };
  for (const { block, reads } of planned) add(block, reads);
  const wanted = new Map(planned.map(({ block }) => [block.declaration, block]));
  const tests = selected.filter(({ kind }) => kind === 'test');
  for (const test of tests) {
    const step = add(test, listWantedReads(graph, test, wanted));
    for (const target of listGated(graph, test)) steps.get(target.declaration)?.gates.push(step);
  }
  return sort([...steps.values()]);
}

interface Mutable extends BuildStep {
  readonly gates: BuildStep[];
}

/**
 * The targets that a test gates: their bodies reach all of its subjects, and they are not among them; of a test with
 * given rows, which reads no target, also those that are its subjects.
 */
function listGated(graph: Graph, test: BlockDefinition): readonly BlockDefinition[] {
  const subjects = graph.listCallees(test);
  const isFirst = hasGiven(test.declaration);
  const reached = subjects.map((subject) => {
    const reaching = graph.listReaching(subject);
    return isFirst ? new Set(reaching).add(subject) : reaching;
  });
  const [first, ...others] = reached;
  if (first === undefined) return [];
  return [...first].filter(
    (node) =>
      isTarget(node) &&
      (isFirst || !subjects.includes(node)) &&
      others.every((reaching) => reaching.has(node)),
  );
}

/** Sorts topologically; of those that are ready, the first by name comes next. */
function sort(steps: readonly BuildStep[]): readonly BuildStep[] {
  const byName = steps.map((step) => ({ step, name: printNode(step.node) }));
  byName.sort((left, right) => (left.name < right.name ? -1 : 1));
  const rank = new Map(byName.map(({ step }, at) => [step, at]));
  const followers = new Map<BuildStep, BuildStep[]>(steps.map((step) => [step, []]));
  const waits = new Map<BuildStep, number>();
  for (const step of steps) {
    const before = [...step.reads, ...step.gates];
    waits.set(step, before.length);
    for (const one of before) entryOf(followers, one).push(step);
  }
  const ready = byName.map(({ step }) => step).filter((step) => waits.get(step) === 0);
  const sorted: BuildStep[] = [];
  for (let next = ready.shift(); next !== undefined; next = ready.shift()) {
    sorted.push(next);
    for (const follower of entryOf(followers, next)) {
      const left = entryOf(waits, follower) - 1;
      waits.set(follower, left);
      if (left === 0) insert(ready, follower, rank);
    }
  }
  return sorted;
}

/** Inserts a step into a list that is sorted by rank. */
function insert(ready: BuildStep[], step: BuildStep, rank: ReadonlyMap<BuildStep, number>): void {
  let [low, high] = [0, ready.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (entryOf(rank, elementAt(ready, middle)) < entryOf(rank, step)) low = middle + 1;
    else high = middle;
  }
  ready.splice(low, 0, step);
}
