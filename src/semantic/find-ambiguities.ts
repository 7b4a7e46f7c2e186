import type { Edge, IndexedEntity, ModelIndex } from './index-model.ts';

/** Two entities, and the equally good paths between them, as a question names them. */
interface Ambiguity {
  readonly from: string;
  readonly to: string;
  readonly paths: readonly string[];
}

/** Most pairs that are told one by one. */
const MOST_TOLD = 50;

/** How one entity is reached from another: with so many to-many steps, and so many in all. */
interface Reach {
  readonly many: number;
  readonly hops: number;
  /** The last steps of the best paths. */
  readonly last: Edge[];
  /** Some of their first steps; two tell that paths part at once. */
  readonly first: Set<Edge>;
}

/**
 * Finds pairs of entities that are connected by several best paths (semantic 3.2), which part at the one and meet at the
 * other: all that lies behind such a pair is ambiguous, too, and not told.
 */
export function findAmbiguities({ entities }: ModelIndex): {
  readonly found: readonly Ambiguity[];
  readonly more: number;
} {
  const told = new Set<string>();
  const found: Ambiguity[] = [];
  for (const from of entities.values()) {
    const reached = walkFrom(from);
    for (const to of listParted(reached)) {
      const pair = [from.entity.name, to.entity.name].sort().join('\0');
      if (told.has(pair)) continue;
      told.add(pair);
      if (found.length === MOST_TOLD) continue;
      const paths = reached.get(to)!.last.map((end) => printPath(from, end, reached));
      found.push({ from: from.entity.name, to: to.entity.name, paths });
    }
  }
  return { found, more: told.size - found.length };
}

/** The ends of best paths that part at their beginning. */
function listParted(reached: ReadonlyMap<IndexedEntity, Reach>): readonly IndexedEntity[] {
  const isParted = ({ last, first }: Reach) => last.length > 1 && first.size > 1;
  return [...reached].flatMap(([to, reach]) => (isParted(reach) ? [to] : []));
}

interface Walk {
  readonly reached: Map<IndexedEntity, Reach>;
  /** To-many steps up to here. */
  many: number;
  /** Entities to go on from, by the number of steps to them; and those behind one more to-many step. */
  now: IndexedEntity[][];
  next: IndexedEntity[][];
}

/** Breadth first: paths with fewer to-many steps before all others, then shorter ones before longer. */
function walkFrom(start: IndexedEntity): ReadonlyMap<IndexedEntity, Reach> {
  const walk: Walk = { reached: new Map(), many: 0, now: [[start]], next: [] };
  walk.reached.set(start, { many: 0, hops: 0, last: [], first: new Set() });
  for (; walk.now.length > 0; walk.many++) {
    for (let hops = 0; hops < walk.now.length; hops++) {
      for (const at of walk.now[hops] ?? []) leave(walk, at, hops);
    }
    walk.now = walk.next;
    walk.next = [];
  }
  return walk.reached;
}

/** Goes on from an entity, unless a better way to it was found meanwhile. */
function leave({ reached, many, now, next }: Walk, at: IndexedEntity, hops: number): void {
  const reach = reached.get(at)!;
  if (reach.many !== many || reach.hops !== hops) return;
  for (const edge of at.edges) {
    if (!relax(reached, edge, many + (edge.toMany ? 1 : 0), hops + 1)) continue;
    const waiting = edge.toMany ? next : now;
    waiting[hops + 1] ??= [];
    waiting[hops + 1]!.push(edge.to);
  }
}

/** Notes a way to an entity unless there is a better one; whether it is better than all before. */
function relax(reached: Map<IndexedEntity, Reach>, edge: Edge, many: number, hops: number): boolean {
  const before = reached.get(edge.from)!;
  const known = reached.get(edge.to);
  const first = before.hops === 0 ? [edge] : before.first;
  const order = known === undefined ? -1 : many - known.many || hops - known.hops;
  if (order > 0) return false;
  if (known === undefined || order < 0) {
    reached.set(edge.to, { many, hops, last: [edge], first: new Set(first) });
    return true;
  }
  known.last.push(edge);
  for (const step of first) if (known.first.size < 2) known.first.add(step);
  return false;
}

/** As the `entity` of a field names it. */
function printPath(start: IndexedEntity, end: Edge, reached: ReadonlyMap<IndexedEntity, Reach>): string {
  const steps = [end.step];
  for (let at = end.from; at !== start; ) {
    const edge = reached.get(at)!.last[0]!;
    steps.unshift(edge.step);
    at = edge.from;
  }
  return [start.entity.name, ...steps].join('.');
}
