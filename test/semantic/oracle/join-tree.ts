import type { Edge, World } from './world.ts';

/** One step over a relationship, in either direction. */
export interface Step {
  readonly edge: Edge;
  readonly isInverse: boolean;
  readonly to: string;
  readonly isToMany: boolean;
}

/** Whether a relationship leads from an entity to itself; its other side has the relationship's name. */
export const isSelf = ({ from, to }: Edge): boolean => from === to;

/** Why the oracle has no rows for a query. */
export class NoAnswer extends Error {
  readonly kind: 'refused' | 'unspecified';

  constructor(kind: NoAnswer['kind'], reason: string) {
    super(reason);
    this.kind = kind;
  }
}

function listSteps(world: World, from: string): Step[] {
  return world.edges.flatMap((edge): Step[] => [
    ...(edge.from === from
      ? [{ edge, isInverse: false, to: edge.to, isToMany: edge.joinType === 'ONE_TO_MANY' }]
      : []),
    ...(edge.to === from
      ? [{ edge, isInverse: true, to: edge.from, isToMany: edge.joinType === 'MANY_TO_ONE' }]
      : []),
  ]);
}

/** Every path that visits each entity at most once. */
function listPaths(world: World, from: string, to: string, seen: readonly string[]): Step[][] {
  if (from === to) return [[]];
  return listSteps(world, from)
    .filter((step) => !seen.includes(step.to) && step.to !== from)
    .flatMap((step) => listPaths(world, step.to, to, [...seen, from]).map((rest) => [step, ...rest]));
}

const countToMany = (path: readonly Step[]) => path.filter(({ isToMany }) => isToMany).length;

/**
 * The cheapest path by to-many steps, then steps (docs/reference/semantic-numbers.md#paths). No path or a tie is
 * refused.
 */
function findPath(world: World, from: string, to: string): readonly Step[] {
  const paths = listPaths(world, from, to, []).sort(
    (a, b) => countToMany(a) - countToMany(b) || a.length - b.length,
  );
  const [best, next] = paths;
  if (best === undefined) throw new NoAnswer('refused', `no path from ${from} to ${to}`);
  const isTie = next && countToMany(best) === countToMany(next) && best.length === next.length;
  if (isTie) throw new NoAnswer('refused', `several paths from ${from} to ${to}`);
  return best;
}

/** The steps of a reference such as `orders.ship_to` from its first entity. */
function readSteps(world: World, reference: string): { readonly first: string; readonly steps: Step[] } {
  const [first = '', ...names] = reference.split('.');
  let at = first;
  const steps = names.map((name): Step => {
    const edge = world.edges.find((one) => one.from === at && one.name === name);
    if (edge === undefined) throw new Error(`no relationship ${at}.${name}`);
    at = edge.to;
    return { edge, isInverse: false, to: edge.to, isToMany: edge.joinType === 'ONE_TO_MANY' };
  });
  return { first, steps };
}

/** The entity of a reference's fields. */
export function findOwner(world: World, reference: string): string {
  const { first, steps } = readSteps(world, reference);
  return steps.at(-1)?.to ?? first;
}

/** The path from an entity to a reference. */
function findReferencePath(world: World, from: string, reference: string): readonly Step[] {
  const { first, steps } = readSteps(world, reference);
  return [...findPath(world, from, first), ...steps];
}

/** An entity in a join; the root has neither parent nor step. */
export interface Place {
  readonly id: string;
  readonly entity: string;
  readonly parent: string | null;
  readonly step: Step | null;
}

/** The entities that some paths from one root join, each once per path, parents first. */
export interface JoinTree {
  readonly places: readonly Place[];
  /** By reference. */
  readonly placeOf: ReadonlyMap<string, string>;
}

export function createJoinTree(world: World, root: string, references: Iterable<string>): JoinTree {
  const places = new Map<string, Place>([['', { id: '', entity: root, parent: null, step: null }]]);
  const placeOf = new Map<string, string>();
  for (const reference of references) {
    let at = '';
    for (const step of findReferencePath(world, root, reference)) {
      const id = `${at}/${step.isInverse ? '~' : ''}${step.edge.from}.${step.edge.name}`;
      if (!places.has(id)) places.set(id, { id, entity: step.to, parent: at, step });
      at = id;
    }
    placeOf.set(reference, at);
  }
  return { places: [...places.values()], placeOf };
}

/** The steps from the root to a place. */
export function listStepsTo(tree: JoinTree, id: string): readonly Step[] {
  const place = tree.places.find((one) => one.id === id);
  if (place?.step == null) return [];
  return [...listStepsTo(tree, place.parent!), place.step];
}
