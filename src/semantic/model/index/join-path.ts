import { entryOf } from '../../../invariants/must.ts';
import { SemanticError, semanticErrors } from '../../errors.ts';
import type { BlockedEdge, Edge, IndexedEntity, ModelIndex, Route } from './index-model.ts';

/** Paths are compared by the number of to-many edges, then by length. */
const TO_MANY = 1_000_000;
const MAX_CANDIDATES = 6;

type Routes = ReadonlyMap<IndexedEntity, Route>;

/**
 * Finds the cheapest path between two entities (docs/reference/semantic-numbers.md#paths). Throws a SemanticError
 * `refused` if there is no path, if several cheapest paths tie (the error lists them as the `entity` of a field names
 * them), or if the cheapest path needs a relationship without SQL.
 */
export function findJoinPath(index: ModelIndex, from: IndexedEntity, to: IndexedEntity): readonly Edge[] {
  const path = findPathOrError(index, from, to);
  if (path instanceof SemanticError) throw path;
  return path;
}

/** Like `findJoinPath`, but returns the error. */
export function findPathOrError(
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
 * The cheapest path if it is unique and has no to-many edge; otherwise null. Returns a SemanticError if this path needs
 * a relationship without SQL.
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

/** Finds a relationship without SQL on one of the cheapest paths to an entity. */
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

/** Dijkstra's algorithm; keeps every cheapest edge to an entity. */
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

/** The cheapest paths without a relationship without SQL, as the `entity` of a field names them. */
function listPaths(routes: Routes, from: IndexedEntity, to: IndexedEntity): readonly string[] {
  const paths: string[] = [];
  const walk = (at: IndexedEntity, steps: readonly string[]) => {
    if (paths.length >= MAX_CANDIDATES) return;
    if (at === from) paths.push([from.entity.name, ...steps].join('.'));
    else
      for (const edge of entryOf(routes, at).last) if ('step' in edge) walk(edge.from, [edge.step, ...steps]);
  };
  walk(to, []);
  return paths;
}
