import type { JoinType } from './model.ts';

/** A relationship, by the names of its two entities. */
export interface JoinEdge {
  readonly from: string;
  readonly to: string;
  readonly name: string;
  readonly joinType: JoinType;
  readonly expr: string;
}

/** Two entities, and the equally good paths between them: names of relationships, joined by dots. */
interface Ambiguity {
  readonly from: string;
  readonly to: string;
  readonly paths: readonly string[];
}

/** Most pairs that are told one by one. */
const MOST_TOLD = 50;

/** A relationship in one of its two directions; entities are numbers here. */
interface Step {
  readonly to: number;
  readonly isMany: boolean;
  readonly name: string;
}

/** How one entity is reached from another: with so many to-many steps, and so many in all. */
interface Reach {
  many: number;
  hops: number;
  /** The last steps of the best paths. */
  last: { readonly from: number; readonly step: Step }[];
  /** Some of their first steps; two tell that paths part at once. */
  first: Set<Step>;
}

/**
 * Finds pairs of entities that are connected by several best paths (semantic 3.2), which part at the one and meet at the
 * other: all that lies behind such a pair is ambiguous, too, and not told.
 */
export function findAmbiguities(
  names: readonly string[],
  edges: readonly JoinEdge[],
): { readonly found: readonly Ambiguity[]; readonly more: number } {
  const steps = listSteps(names, edges);
  const told = new Set<string>();
  const found: Ambiguity[] = [];
  for (const from of names.keys()) {
    const reached = walkFrom(from, steps);
    for (const to of listParted(reached)) {
      const pair = [from, to].sort().join(' ');
      if (told.has(pair)) continue;
      told.add(pair);
      if (found.length === MOST_TOLD) continue;
      const paths = reached.get(to)!.last.map((end) => printPath(from, end, reached));
      found.push({ from: names[from]!, to: names[to]!, paths });
    }
  }
  return { found, more: told.size - found.length };
}

/** The ends of best paths that part at their beginning. */
function listParted(reached: ReadonlyMap<number, Reach>): readonly number[] {
  const isParted = ({ last, first }: Reach) => last.length > 1 && first.size > 1;
  return [...reached].flatMap(([to, reach]) => (isParted(reach) ? [to] : []));
}

function listSteps(names: readonly string[], edges: readonly JoinEdge[]): readonly (readonly Step[])[] {
  const numbers = new Map(names.map((name, at) => [name, at]));
  const steps: Step[][] = names.map(() => []);
  for (const { from, to, name, joinType } of withoutTwins(edges)) {
    const [start, end] = [numbers.get(from)!, numbers.get(to)!];
    steps[start]!.push({ to: end, isMany: joinType === 'ONE_TO_MANY', name });
    steps[end]!.push({ to: start, isMany: joinType === 'MANY_TO_ONE', name });
  }
  return steps;
}

/** A relationship that is declared at both of its ends is one. */
function withoutTwins(edges: readonly JoinEdge[]): readonly JoinEdge[] {
  const seen = new Set<string>();
  return edges.filter((edge) => {
    const key = printEdge(edge);
    const isTwin = seen.has(key);
    seen.add(key);
    return !isTwin;
  });
}

const INVERSE: Readonly<Record<JoinType, JoinType>> = {
  ONE_TO_ONE: 'ONE_TO_ONE',
  ONE_TO_MANY: 'MANY_TO_ONE',
  MANY_TO_ONE: 'ONE_TO_MANY',
};

/** The same text for both directions of a join whose condition is a conjunction of equalities. */
function printEdge({ from, to, joinType, expr }: JoinEdge): string {
  const parts = expr.split(/\s+and\s+/i).map((part) => {
    const sides = part.split(/\s*=\s*/).map((side) => side.trim());
    return sides.sort().join(' = ');
  });
  const condition = parts.sort().join(' AND ');
  const isForward = from < to;
  const type = isForward ? joinType : INVERSE[joinType];
  return JSON.stringify([isForward ? from : to, isForward ? to : from, type, condition]);
}

interface Walk {
  readonly steps: readonly (readonly Step[])[];
  readonly reached: Map<number, Reach>;
  readonly done: Set<number>;
  /** To-many steps up to here. */
  many: number;
  /** Entities to go on from, by the number of steps to them; and those behind one more to-many step. */
  now: number[][];
  next: number[][];
}

/** Breadth first: paths with fewer to-many steps before all others, then shorter ones before longer. */
function walkFrom(start: number, steps: Walk['steps']): ReadonlyMap<number, Reach> {
  const reached = new Map<number, Reach>([[start, { many: 0, hops: 0, last: [], first: new Set() }]]);
  const walk: Walk = { steps, reached, done: new Set(), many: 0, now: [[start]], next: [] };
  for (; walk.now.length > 0; walk.many++) {
    for (let hops = 0; hops < walk.now.length; hops++) {
      for (const at of walk.now[hops] ?? []) leave(walk, at, hops);
    }
    walk.now = walk.next;
    walk.next = [];
  }
  return reached;
}

/** Goes on from an entity, unless a better way to it was found meanwhile. */
function leave({ steps, reached, done, many, now, next }: Walk, at: number, hops: number): void {
  const reach = reached.get(at)!;
  if (done.has(at) || reach.many !== many || reach.hops !== hops) return;
  done.add(at);
  for (const step of steps[at]!) {
    if (!relax(reached, { from: at, step }, many + (step.isMany ? 1 : 0), hops + 1)) continue;
    const waiting = step.isMany ? next : now;
    waiting[hops + 1] ??= [];
    waiting[hops + 1]!.push(step.to);
  }
}

/** Notes a way to an entity unless there is a better one; whether it is better than all before. */
function relax(
  reached: Map<number, Reach>,
  end: { readonly from: number; readonly step: Step },
  many: number,
  hops: number,
): boolean {
  const before = reached.get(end.from)!;
  const known = reached.get(end.step.to);
  const first = before.first.size === 0 ? [end.step] : before.first;
  const order = known === undefined ? -1 : many - known.many || hops - known.hops;
  if (order > 0) return false;
  if (order === 0) {
    known!.last.push(end);
    for (const step of first) if (known!.first.size < 2) known!.first.add(step);
    return false;
  }
  reached.set(end.step.to, { many, hops, last: [end], first: new Set(first) });
  return true;
}

function printPath(start: number, end: Reach['last'][number], reached: ReadonlyMap<number, Reach>): string {
  const names = [end.step.name];
  for (let at = end.from; at !== start; ) {
    const { from, step } = reached.get(at)!.last[0]!;
    names.unshift(step.name);
    at = from;
  }
  return names.join('.');
}
