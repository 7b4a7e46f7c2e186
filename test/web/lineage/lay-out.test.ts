import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GraphLayout, layOut, type Size } from '../../../web/lineage/lay-out.ts';
import { assignLayers } from '../../../web/lineage/layers.ts';
import { countCrossings, orderLayers } from '../../../web/lineage/order-layers.ts';
import { share } from '../../support/rotation.ts';

type Edge = readonly [from: string, to: string];

const toNodes = (ids: Iterable<string>): readonly Size[] => [...ids].map((id) => ({ id, width: 120 }));

/** The layout of the nodes that edges name, and of others. */
function draw(edges: readonly Edge[], others: readonly string[] = []): GraphLayout {
  const ids = new Set([...edges.flat(), ...others]);
  return layOut(
    toNodes(ids),
    edges.map(([from, to]) => ({ from, to })),
  );
}

const boxOf = ({ boxes }: GraphLayout, id: string) => boxes.get(id)!;

/** The pairs of nodes that overlap. */
function findOverlaps({ boxes }: GraphLayout): readonly (readonly string[])[] {
  const all = [...boxes];
  return all.flatMap(([id, box], index) =>
    all
      .slice(index + 1)
      .filter(
        ([, other]) =>
          box.x < other.x + other.width &&
          other.x < box.x + box.width &&
          box.y < other.y + other.height &&
          other.y < box.y + box.height,
      )
      .map(([other]) => [id, other]),
  );
}

/** The lines of edges through nodes: each second part of a route is a horizontal line. */
function findCrossed({ boxes, routes }: GraphLayout): readonly string[] {
  return routes.flatMap(({ from, to, points }) =>
    points.flatMap(([left, y], index) => {
      const next = points[index + 1];
      if (index % 2 === 0 || next === undefined) return [];
      return [...boxes]
        .filter(
          ([, box]) => box.y < y && y < box.y + box.height && left < box.x + box.width && box.x < next[0],
        )
        .map(([id]) => `${from} to ${to} through ${id}`);
    }),
  );
}

/** Edges without a cycle: each leads from a smaller number to a greater one. */
const acyclic = fc
  .array(fc.tuple(fc.nat(40), fc.nat(40)), { maxLength: 80 })
  .map((pairs) => pairs.filter(([from, to]) => from !== to))
  .map((pairs) => new Map(pairs.map(([a, b]) => [`${Math.min(a, b)} ${Math.max(a, b)}`, [a, b] as const])))
  .map((pairs) => [...pairs.values()].map(([a, b]): Edge => [`n${Math.min(a, b)}`, `n${Math.max(a, b)}`]));

describe('layOut', () => {
  it('places each node to the right of everything that it reads', () => {
    const layout = draw([
      ['raw', 'staging'],
      ['staging', 'mart'],
      ['raw', 'mart'],
    ]);
    const [raw, staging, mart] = ['raw', 'staging', 'mart'].map((id) => boxOf(layout, id));
    expect(staging!.x).toBeGreaterThan(raw!.x + raw!.width);
    expect(mart!.x).toBeGreaterThan(staging!.x + staging!.width);
  });

  it('places a node that reads nothing next to its first reader', () => {
    const layout = draw([
      ['a', 'b'],
      ['b', 'c'],
      ['regions', 'c'],
    ]);
    expect(boxOf(layout, 'regions').x).toBe(boxOf(layout, 'b').x);
  });

  it('orders layers so that edges do not cross if they can be drawn without', () => {
    const layout = draw([
      ['a', 'z'],
      ['b', 'y'],
      ['c', 'x'],
      ['d', 'x'],
    ]);
    const below = (one: string, other: string) => boxOf(layout, one).y > boxOf(layout, other).y;
    expect(below('a', 'b')).toBe(below('z', 'y'));
    expect(below('b', 'c')).toBe(below('y', 'x'));
  });

  it('places nodes without edges in rows below the others', () => {
    const alone = Array.from({ length: 9 }, (_, index) => `alone${index}`);
    const layout = draw([['a', 'b']], alone);
    const boxes = alone.map((id) => boxOf(layout, id));
    expect(Math.min(...boxes.map(({ y }) => y))).toBeGreaterThan(boxOf(layout, 'a').y);
    expect(new Set(boxes.map(({ y }) => y)).size).toBe(3);
    expect(findOverlaps(layout)).toEqual([]);
  });

  it('has no size without nodes but its margin', () => {
    expect(draw([])).toMatchObject({ width: 32, height: 32, routes: [] });
  });

  it('draws a cycle, an edge of a node to itself, and no edge to an unknown node', () => {
    const layout = layOut(toNodes(['a', 'b', 'c']), [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
      { from: 'c', to: 'c' },
      { from: 'a', to: 'missing' },
    ]);
    expect(layout.routes.map(({ from, to }) => `${from}${to}`)).toEqual(['ab', 'ba']);
    expect(findOverlaps(layout)).toEqual([]);
  });

  it('draws any graph without overlaps, from left to right, and no edge through a node', () => {
    fc.assert(
      fc.property(acyclic, (edges) => {
        const layout = draw(edges, ['alone']);
        expect(findOverlaps(layout)).toEqual([]);
        expect(findCrossed(layout)).toEqual([]);
        for (const { from, to, points } of layout.routes) {
          const [start, end] = [boxOf(layout, from), boxOf(layout, to)];
          expect(points[0]).toEqual([start.x + start.width, start.y + start.height / 2]);
          expect(points.at(-1)).toEqual([end.x, end.y + end.height / 2]);
          expect(points.map(([x]) => x)).toEqual(points.map(([x]) => x).toSorted((a, b) => a - b));
        }
        for (const { x, y, width, height } of layout.boxes.values()) {
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
          expect(x + width).toBeLessThanOrEqual(layout.width);
          expect(y + height).toBeLessThanOrEqual(layout.height + 1e-6);
        }
      }),
      { numRuns: share(60) },
    );
  });

  it('draws 2,000 nodes in a chain with edges that pass most of it', () => {
    const ids = Array.from({ length: 2_000 }, (_, index) => `n${index}`);
    const edges = ids.slice(1).flatMap((to, index) => [
      { from: `n${index}`, to },
      { from: 'n0', to },
      { from: `n${index >> 1}`, to },
    ]);
    const layout = layOut(toNodes(ids), edges);
    expect(layout.boxes.size).toBe(2_000);
    expect(layout.routes).toHaveLength(edges.length);
    expect(boxOf(layout, 'n1999').x).toBe(Math.max(...[...layout.boxes.values()].map(({ x }) => x)));
  });
});

describe('assignLayers', () => {
  it('assigns the length of the longest path from a node that reads nothing', () => {
    const links = [
      [0, 1],
      [1, 2],
      [0, 2],
      [2, 3],
    ].map(([from, to]) => ({ from: from!, to: to! }));
    expect(assignLayers(4, links)).toEqual([0, 1, 2, 3]);
  });
});

describe('orderLayers', () => {
  it('removes the crossings of a graph that can be drawn without', () => {
    const layers = [
      [0, 1, 2],
      [3, 4, 5],
    ];
    const after = [[5], [4], [3], [], [], []];
    expect(countCrossings(layers, after)).toBe(3);
    const links = after.flatMap((ends, from) => ends.map((to) => ({ from, to })));
    expect(countCrossings(orderLayers(layers, 6, links), after)).toBe(0);
  });

  it('never adds crossings', () => {
    const graph = fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 6, max: 11 })), { maxLength: 24 });
    fc.assert(
      fc.property(graph, (pairs) => {
        const links = pairs.map(([from, to]) => ({ from, to }));
        const after = Array.from({ length: 12 }, (_, from) =>
          links.filter((link) => link.from === from).map(({ to }) => to),
        );
        const layers = [
          [0, 1, 2, 3, 4, 5],
          [6, 7, 8, 9, 10, 11],
        ];
        const ordered = orderLayers(layers, 12, links);
        expect(ordered.map((layer) => layer.toSorted((a, b) => a - b))).toEqual(layers);
        expect(countCrossings(ordered, after)).toBeLessThanOrEqual(countCrossings(layers, after));
      }),
      { numRuns: share(60) },
    );
  });
});
