import { at, groupLinks, type Link } from './layers.ts';

/** The number of sweeps without fewer crossings after which the search ends. */
const PATIENCE = 4;
const MAX_SWEEPS = 24;

type Layers = readonly (readonly number[])[];

/**
 * Orders the nodes of each layer so that few edges cross: sorts them by the mean position of their neighbours, from left to
 * right and back, and returns the order with the fewest crossings. Each link leads from a layer to the next one.
 */
export function orderLayers(layers: Layers, count: number, links: readonly Link[]): Layers {
  const before = groupLinks(count, links, ({ to }) => to).map((group) => group.map(({ from }) => from));
  const after = groupLinks(count, links, ({ from }) => from).map((group) => group.map(({ to }) => to));
  let layout = followComponents(layers, before, after);
  let best = { layout, crossings: countCrossings(layout, after) };
  let fruitless = 0;
  for (let sweep = 0; sweep < MAX_SWEEPS && best.crossings > 0 && fruitless < PATIENCE; sweep += 1) {
    layout =
      sweep % 2 === 0 ? sweepLayers(layout, before) : sweepLayers(layout.toReversed(), after).reverse();
    const crossings = countCrossings(layout, after);
    fruitless = crossings < best.crossings ? 0 : fruitless + 1;
    if (crossings < best.crossings) best = { layout, crossings };
  }
  return best.layout;
}

/** The layers with nodes that are connected near each other. */
function followComponents(layers: Layers, before: Layers, after: Layers): Layers {
  const seen = new Map<number, number>();
  for (const start of layers.flat()) {
    const waiting = [start];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (seen.has(node)) continue;
      seen.set(node, seen.size);
      waiting.push(...at(after, node).toReversed(), ...at(before, node).toReversed());
    }
  }
  return layers.map((layer) => layer.toSorted((one, other) => (seen.get(one) ?? 0) - (seen.get(other) ?? 0)));
}

/** Sorts each layer by the positions in the layer before it. */
function sweepLayers(layers: Layers, neighbours: Layers): (readonly number[])[] {
  const swept: (readonly number[])[] = [];
  const positions = new Map<number, number>();
  for (const layer of layers) {
    const centres = new Map(
      layer.map((node, index) => [node, findCentre(at(neighbours, node), positions) ?? index] as const),
    );
    const sorted = layer.toSorted((one, other) => (centres.get(one) ?? 0) - (centres.get(other) ?? 0));
    sorted.forEach((node, index) => {
      positions.set(node, index);
    });
    swept.push(sorted);
  }
  return swept;
}

function findCentre(nodes: readonly number[], positions: ReadonlyMap<number, number>): number | null {
  if (nodes.length === 0) return null;
  return nodes.reduce((sum, node) => sum + (positions.get(node) ?? 0), 0) / nodes.length;
}

/** The number of pairs of edges that cross between neighbouring layers. @internal */
export function countCrossings(layers: Layers, after: Layers): number {
  let crossings = 0;
  layers.slice(1).forEach((right, index) => {
    const positions = new Map(right.map((node, position) => [node, position]));
    const counts = new Array<number>(right.length + 1).fill(0);
    let passed = 0;
    for (const node of at(layers, index)) {
      const ends = at(after, node).map((end) => positions.get(end) ?? 0);
      for (const end of ends) crossings += passed - countUpTo(counts, end + 1);
      for (const end of ends) addOne(counts, end + 1);
      passed += ends.length;
    }
  });
  return crossings;
}

/** How many ends are at most at a 1-based position, of a Fenwick tree. */
function countUpTo(counts: readonly number[], position: number): number {
  let sum = 0;
  for (let index = position; index > 0; index -= index & -index) sum += at(counts, index);
  return sum;
}

function addOne(counts: number[], position: number): void {
  for (let index = position; index < counts.length; index += index & -index)
    counts[index] = at(counts, index) + 1;
}
