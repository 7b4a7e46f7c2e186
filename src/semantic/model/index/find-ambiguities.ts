import { elementAt, present } from '../../../invariants/must.ts';
import type { Edge, IndexedEntity, ModelIndex } from './index-model.ts';

/** Two entities and the equally cheap paths between them, as a query names them. */
interface Ambiguity {
  readonly from: string;
  readonly to: string;
  readonly paths: readonly string[];
}

/** The maximum number of pairs that are reported individually. */
const MAX_AMBIGUITIES = 50;

/** An edge, and the number of the entity it leads to. */
interface Step {
  readonly edge: Edge;
  readonly to: number;
}

type Steps = readonly (readonly Step[])[];

/** The best paths from one entity to all others; entities are numbers here. */
interface Walk {
  /** The cost of reaching each entity: to-many steps first, then all steps; -1 if it is unreachable. */
  readonly costs: Float64Array;
  /** The last step of one best path, and the last steps of other paths with the same cost. */
  readonly last: (Edge | undefined)[];
  readonly ties: Map<number, Edge[]>;
  /** Edge ids: the first edge of the best paths, and a different first edge if they differ at once; -1 for none. */
  readonly first: Int32Array;
  readonly second: Int32Array;
}

/** The cost of one to-many step. No path has that many steps. */
const TO_MANY = 1_000_000;

/**
 * Finds pairs of entities with several best paths (docs/reference/semantic-numbers.md#paths) that split at one entity
 * and join at the other. Pairs further along such paths are ambiguous too, but are not reported.
 */
export function findAmbiguities({ entities }: ModelIndex): {
  readonly ambiguities: readonly Ambiguity[];
  readonly more: number;
} {
  const all = listRound([...entities.values()]);
  const steps = listSteps(all);
  /** Each pair of numbers encoded as one number. */
  const reported = new Set<number>();
  const ambiguities: Ambiguity[] = [];
  for (const from of all.keys()) {
    const walk = walkFrom(from, steps);
    for (const [to, ties] of walk.ties) {
      const pair = Math.min(from, to) * all.length + Math.max(from, to);
      if (walk.second[to] === -1 || reported.has(pair)) continue;
      reported.add(pair);
      if (ambiguities.length === MAX_AMBIGUITIES) continue;
      const ends = [present(walk.last[to]), ...ties];
      const paths = ends.map((end) =>
        printPath(elementAt(all, from), end, (entity) => present(walk.last[all.indexOf(entity)])),
      );
      ambiguities.push({ from: elementAt(all, from).entity.name, to: elementAt(all, to).entity.name, paths });
    }
  }
  return { ambiguities, more: reported.size - ambiguities.length };
}

/** The entities that can have several paths between them. Entities with a single edge are removed repeatedly. */
function listRound(all: readonly IndexedEntity[]): readonly IndexedEntity[] {
  const degrees = new Map(all.map((entity) => [entity, entity.edges.length]));
  const ends = all.filter(({ edges }) => edges.length < 2);
  for (const end of ends) {
    degrees.delete(end);
    for (const { to } of end.edges) {
      const degree = degrees.get(to);
      if (degree === undefined) continue;
      degrees.set(to, degree - 1);
      if (degree === 2) ends.push(to);
    }
  }
  return [...degrees.keys()];
}

function listSteps(all: readonly IndexedEntity[]): Steps {
  const numbers = new Map(all.map((entity, at) => [entity, at]));
  return all.map(({ edges }) =>
    edges.flatMap((edge) => {
      const to = numbers.get(edge.to);
      return to === undefined ? [] : [{ edge, to }];
    }),
  );
}

/** Breadth-first search: paths with fewer to-many steps first, then shorter paths. */
function walkFrom(start: number, steps: Steps): Walk {
  const walk: Walk = {
    costs: new Float64Array(steps.length).fill(-1),
    last: Array(steps.length).fill(undefined),
    ties: new Map(),
    first: new Int32Array(steps.length).fill(-1),
    second: new Int32Array(steps.length).fill(-1),
  };
  walk.costs[start] = 0;
  // By number of steps. Entities behind one more to-many step wait in a separate list.
  for (let now = [[start]], many = 0; now.length > 0; many += TO_MANY) {
    const next: number[][] = [];
    for (let hops = 0; hops < now.length; hops++) {
      for (const at of now[hops] ?? []) {
        if (walk.costs[at] === many + hops) leave(walk, at, steps, [now, next], hops + 1);
      }
    }
    now = next;
  }
  return walk;
}

/** Continues from an entity, once for each better path to it. */
function leave(
  walk: Walk,
  at: number,
  steps: Steps,
  [now, next]: readonly [number[][], number[][]],
  hops: number,
): void {
  for (const step of elementAt(steps, at)) {
    const { toMany } = step.edge;
    if (!relax(walk, at, step, elementAt(walk.costs, at) + (toMany ? TO_MANY : 0) + 1)) continue;
    const waiting = toMany ? next : now;
    waiting[hops] ??= [];
    waiting[hops].push(step.to);
  }
}

/** Records a path to an entity unless a better one is known; returns whether it is the best so far. */
function relax({ costs, last, ties, first, second }: Walk, from: number, { edge, to }: Step, cost: number) {
  const known = elementAt(costs, to);
  if (known !== -1 && known < cost) return false;
  const begin = first[from] === -1 ? edge.id : elementAt(first, from);
  if (known === cost) {
    const others = ties.get(to);
    if (others === undefined) ties.set(to, [edge]);
    else others.push(edge);
    if (second[to] === -1) second[to] = begin === first[to] ? elementAt(second, from) : begin;
    return false;
  }
  costs[to] = cost;
  last[to] = edge;
  ties.delete(to);
  first[to] = begin;
  second[to] = elementAt(second, from);
  return true;
}

/** Prints a path as the `entity` of a field. */
function printPath(start: IndexedEntity, end: Edge, getLast: (entity: IndexedEntity) => Edge): string {
  const steps = [end.step];
  for (let at = end.from; at !== start; ) {
    const edge = getLast(at);
    steps.unshift(edge.step);
    at = edge.from;
  }
  return [start.entity.name, ...steps].join('.');
}
