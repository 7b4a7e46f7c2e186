import { SemanticError, semanticErrors } from './errors.ts';
import type { Edge, IndexedEntity, ModelIndex, Route } from './index-model.ts';

/** Paths are compared by their to-many edges first, by all of their edges then. */
const TO_MANY = 1_000_000;
const MOST_CANDIDATES = 6;

/**
 * The cheapest path from one entity to another (semantic 3, point 2). Throws a SemanticError `refused` where none
 * leads there, or several equally cheap ones do, which it lists as `entity` of a field reference names them.
 */
export function findPath(index: ModelIndex, from: IndexedEntity, to: IndexedEntity): readonly Edge[] {
  const found = findPathOrRefusal(index, from, to);
  if (found instanceof SemanticError) throw found;
  return found;
}

/** As `findPath`, but never throws. */
export function findPathOrRefusal(
  index: ModelIndex,
  from: IndexedEntity,
  to: IndexedEntity,
): readonly Edge[] | SemanticError {
  const routes = findRoutes(index, from);
  const path = walkBack(routes, from, to);
  if (path !== null) return path;
  return routes.has(to)
    ? createAmbiguity(routes, from, to)
    : semanticErrors.unreachable(from.entity.name, to.entity.name);
}

/** The same path where it is the only cheapest one and has no to-many edge; else null. */
export function findToOnePath(
  index: ModelIndex,
  from: IndexedEntity,
  to: IndexedEntity,
): readonly Edge[] | null {
  const path = walkBack(findRoutes(index, from), from, to);
  return path?.some(({ toMany }) => toMany) ? null : path;
}

function walkBack(
  routes: ReadonlyMap<IndexedEntity, Route>,
  from: IndexedEntity,
  to: IndexedEntity,
): readonly Edge[] | null {
  const path: Edge[] = [];
  for (let at = to; at !== from; ) {
    const [edge, other] = routes.get(at)?.last ?? [];
    if (edge === undefined || other !== undefined) return null;
    path.push(edge);
    at = edge.from;
  }
  return path.reverse();
}

function findRoutes(index: ModelIndex, from: IndexedEntity): ReadonlyMap<IndexedEntity, Route> {
  const known = index.routes.get(from);
  if (known !== undefined) return known;
  const routes = searchRoutes(from);
  index.routes.set(from, routes);
  return routes;
}

/** Dijkstra's algorithm; every cheapest edge to an entity is kept. */
function searchRoutes(from: IndexedEntity): ReadonlyMap<IndexedEntity, Route> {
  const routes = new Map<IndexedEntity, { cost: number; last: Edge[] }>([[from, { cost: 0, last: [] }]]);
  const open = new Set([from]);
  while (open.size > 0) {
    const nearest = [...open].reduce((a, b) => (routes.get(b)!.cost < routes.get(a)!.cost ? b : a));
    open.delete(nearest);
    for (const edge of nearest.edges) {
      const cost = routes.get(nearest)!.cost + (edge.toMany ? TO_MANY : 0) + 1;
      const known = routes.get(edge.to)?.cost ?? Number.POSITIVE_INFINITY;
      if (cost === known) routes.get(edge.to)!.last.push(edge);
      if (cost >= known) continue;
      routes.set(edge.to, { cost, last: [edge] });
      open.add(edge.to);
    }
  }
  return routes;
}

function createAmbiguity(
  routes: ReadonlyMap<IndexedEntity, Route>,
  from: IndexedEntity,
  to: IndexedEntity,
): SemanticError {
  const found: string[] = [];
  const walk = (at: IndexedEntity, steps: readonly string[]) => {
    if (found.length >= MOST_CANDIDATES) return;
    if (at === from) found.push([from.entity.name, ...steps].join('.'));
    else for (const edge of routes.get(at)!.last) walk(edge.from, [edge.step, ...steps]);
  };
  walk(to, []);
  return semanticErrors.ambiguous(from.entity.name, to.entity.name, found);
}
