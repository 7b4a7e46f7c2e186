import { entryOf } from '../../../invariants/must.ts';
import { SemanticError, semanticErrors } from '../../errors.ts';
import type { BlockedEdge, Edge, IndexedEntity, ModelIndex, Route } from './index-model.ts';

/** Paths are compared by their to-many edges first, by all of their edges then. */
const TO_MANY = 1_000_000;
const MAX_CANDIDATES = 6;

type Routes = ReadonlyMap<IndexedEntity, Route>;

/**
 * The cheapest path from one entity to another (semantic 3, point 2). Throws a SemanticError `refused` where none
 * leads there, where several equally cheap ones do, which it lists as `entity` of a field reference names them, and
 * where the cheapest one needs a relationship without SQL.
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
  if (!routes.has(to)) return semanticErrors.unreachable(from.entity.name, to.entity.name);
  const blocked = findBlocked(routes, to);
  if (blocked !== undefined) return createBlocked(blocked, from, to);
  const path = walkBack(routes, from, to);
  return path ?? semanticErrors.ambiguous(from.entity.name, to.entity.name, listPaths(routes, from, to));
}

/**
 * The same path where it is the only cheapest one and has no to-many edge; else null. A SemanticError where such a path
 * needs a relationship without SQL.
 */
export function findToOnePath(
  index: ModelIndex,
  from: IndexedEntity,
  to: IndexedEntity,
): readonly Edge[] | SemanticError | null {
  const routes = findRoutes(index, from);
  const route = routes.get(to);
  if (route === undefined || route.cost >= TO_MANY) return null;
  const blocked = findBlocked(routes, to);
  return blocked === undefined ? walkBack(routes, from, to) : createBlocked(blocked, from, to);
}

/** A relationship without SQL on one of the cheapest paths to an entity. */
function findBlocked(routes: Routes, to: IndexedEntity): BlockedEdge | undefined {
  const seen = new Set([to]);
  for (const at of seen) {
    for (const edge of entryOf(routes, at).last) {
      if ('reason' in edge) return edge;
      seen.add(edge.from);
    }
  }
  return undefined;
}

function createBlocked({ reason }: BlockedEdge, from: IndexedEntity, to: IndexedEntity): SemanticError {
  const open = searchRoutes(from, ({ edges }) => edges);
  return semanticErrors.blocked(
    from.entity.name,
    to.entity.name,
    reason,
    open.has(to) ? listPaths(open, from, to) : [],
  );
}

function walkBack(routes: Routes, from: IndexedEntity, to: IndexedEntity): readonly Edge[] | null {
  const path: Edge[] = [];
  for (let at = to; at !== from; ) {
    const [edge, other] = routes.get(at)?.last ?? [];
    if (edge === undefined || other !== undefined || 'reason' in edge) return null;
    path.push(edge);
    at = edge.from;
  }
  return path.reverse();
}

function findRoutes(index: ModelIndex, from: IndexedEntity): Routes {
  const known = index.routes.get(from);
  if (known !== undefined) return known;
  const routes = searchRoutes(from, ({ edges, blocked }) =>
    blocked.length === 0 ? edges : [...edges, ...blocked],
  );
  index.routes.set(from, routes);
  return routes;
}

/** Dijkstra's algorithm; every cheapest edge to an entity is kept. */
function searchRoutes(
  from: IndexedEntity,
  listEdges: (entity: IndexedEntity) => readonly (Edge | BlockedEdge)[],
): Routes {
  const routes = new Map<IndexedEntity, { cost: number; last: (Edge | BlockedEdge)[] }>([
    [from, { cost: 0, last: [] }],
  ]);
  const open = new Set([from]);
  while (open.size > 0) {
    const nearest = [...open].reduce((a, b) => (entryOf(routes, b).cost < entryOf(routes, a).cost ? b : a));
    open.delete(nearest);
    for (const edge of listEdges(nearest)) {
      const cost = entryOf(routes, nearest).cost + (edge.toMany ? TO_MANY : 0) + 1;
      const known = routes.get(edge.to)?.cost ?? Number.POSITIVE_INFINITY;
      if (cost === known) entryOf(routes, edge.to).last.push(edge);
      if (cost >= known) continue;
      routes.set(edge.to, { cost, last: [edge] });
      open.add(edge.to);
    }
  }
  return routes;
}

/** The cheapest paths, as `entity` of a field reference names them; none has a relationship without SQL. */
function listPaths(routes: Routes, from: IndexedEntity, to: IndexedEntity): readonly string[] {
  const found: string[] = [];
  const walk = (at: IndexedEntity, steps: readonly string[]) => {
    if (found.length >= MAX_CANDIDATES) return;
    if (at === from) found.push([from.entity.name, ...steps].join('.'));
    else
      for (const edge of entryOf(routes, at).last) if ('step' in edge) walk(edge.from, [edge.step, ...steps]);
  };
  walk(to, []);
  return found;
}
