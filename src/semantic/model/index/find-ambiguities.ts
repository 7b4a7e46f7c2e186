import { elementAt, present } from '../../../invariants/must.ts';
import type { Edge, IndexedEntity, ModelIndex } from './index-model.ts';

/** Two entities, and the equally good paths between them, as a question names them. */
interface Ambiguity {
  readonly from: string;
  readonly to: string;
  readonly paths: readonly string[];
}

/** Most pairs that are told one by one. */
const MAX_AMBIGUITIES = 50;

/** An edge, and the entity to which it leads by its number. */
interface Step {
  readonly edge: Edge;
  readonly to: number;
}

type Steps = readonly (readonly Step[])[];

/** How entities, which are numbers here, are reached best from one of them. */
interface Walk {
  /** To-many steps first, then all steps; -1 for what is not reached. */
  readonly costs: Float64Array;
  /** The last step of a best path, and those of further ones that cost the same. */
  readonly last: (Edge | undefined)[];
  readonly ties: Map<number, Edge[]>;
  /** By their ids, the first edge of best paths, and another one where they part at once; -1 for none. */
  readonly first: Int32Array;
  readonly second: Int32Array;
}

/** What one to-many step costs; no path has as many steps. */
const TO_MANY = 1_000_000;

/**
 * Finds pairs of entities that are connected by several best paths (semantic 3.2), which part at the one and meet at the
 * other: all that lies behind such a pair is ambiguous, too, and not told.
 */
export function findAmbiguities({ entities }: ModelIndex): {
  readonly found: readonly Ambiguity[];
  readonly more: number;
} {
  const all = listRound([...entities.values()]);
  const steps = listSteps(all);
  /** Pairs of numbers, as one. */
  const told = new Set<number>();
  const found: Ambiguity[] = [];
  for (const from of all.keys()) {
    const walk = walkFrom(from, steps);
    for (const [to, ties] of walk.ties) {
      const pair = Math.min(from, to) * all.length + Math.max(from, to);
      if (walk.second[to] === -1 || told.has(pair)) continue;
      told.add(pair);
      if (found.length === MAX_AMBIGUITIES) continue;
      const ends = [present(walk.last[to]), ...ties];
      const paths = ends.map((end) =>
        printPath(elementAt(all, from), end, (entity) => present(walk.last[all.indexOf(entity)])),
      );
      found.push({ from: elementAt(all, from).entity.name, to: elementAt(all, to).entity.name, paths });
    }
  }
  return { found, more: told.size - found.length };
}

/** The entities between which there can be several paths: what hangs on a single edge is left out, again and again. */
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

/** Breadth first: paths with fewer to-many steps before all others, then shorter ones before longer. */
function walkFrom(start: number, steps: Steps): Walk {
  const walk: Walk = {
    costs: new Float64Array(steps.length).fill(-1),
    last: Array(steps.length).fill(undefined),
    ties: new Map(),
    first: new Int32Array(steps.length).fill(-1),
    second: new Int32Array(steps.length).fill(-1),
  };
  walk.costs[start] = 0;
  // By the number of steps; what is behind one more to-many step waits in a list of its own.
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

/** Goes on from an entity, once for each time that a better way to it was found. */
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

/** Notes a way to an entity unless there is a better one; whether it is better than all before. */
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

/** As the `entity` of a field names it. */
function printPath(start: IndexedEntity, end: Edge, getLast: (entity: IndexedEntity) => Edge): string {
  const steps = [end.step];
  for (let at = end.from; at !== start; ) {
    const edge = getLast(at);
    steps.unshift(edge.step);
    at = edge.from;
  }
  return [start.entity.name, ...steps].join('.');
}
