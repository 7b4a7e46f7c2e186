import { assignLayers, at, groupLinks, type Link } from './layers.ts';
import { orderLayers } from './order-layers.ts';
import { placeLayers } from './place-layers.ts';

/** A node to place; sizes are in pixels. */
export interface Size {
  readonly id: string;
  readonly width: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The points of an edge in pairs: a curve leads to a point with an even index, a line to the next one. */
export interface EdgeRoute {
  readonly from: string;
  readonly to: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: ReadonlyMap<string, Box>;
  readonly routes: readonly EdgeRoute[];
}

const NODE_HEIGHT = 44;
const BEND_HEIGHT = 6;
const ROW_GAP = 16;
const LAYER_GAP = 72;
const MARGIN = 16;
/** Isolated nodes are below the others, in rows of at least this width. */
const ROW_WIDTH = 640;
/** With more bends, the remaining edges are drawn straight through other layers. */
const MAX_BENDS = 20_000;

/**
 * Places nodes in layers from left to right, each to the right of what it reads, and edges around nodes of the layers
 * between. Nodes without edges are in rows below.
 */
export function layOut(
  nodes: readonly Size[],
  edges: readonly { readonly from: string; readonly to: string }[],
): GraphLayout {
  const ids = new Map(nodes.map(({ id }, index) => [id, index]));
  const known = edges.filter(({ from, to }) => from !== to && ids.has(from) && ids.has(to));
  const isConnected = new Set(known.flatMap(({ from, to }) => [from, to]));
  const connected = nodes.filter(({ id }) => isConnected.has(id));
  const layered = layOutConnected(connected, known);
  const isolated = nodes.filter(({ id }) => !isConnected.has(id));
  const rows = layOutRows(isolated, Math.max(layered.width, ROW_WIDTH));
  const top =
    layered.boxes.size === 0 || isolated.length === 0 ? layered.height : layered.height + ROW_GAP * 2;
  const boxes = new Map(layered.boxes);
  for (const [id, box] of rows.boxes) boxes.set(id, { ...box, y: box.y + top });
  const shift = (value: number) => value + MARGIN;
  return {
    width: Math.max(layered.width, rows.width) + 2 * MARGIN,
    height: top + rows.height + 2 * MARGIN,
    boxes: new Map([...boxes].map(([id, box]) => [id, { ...box, x: shift(box.x), y: shift(box.y) }])),
    routes: layered.routes.map((route) => ({
      ...route,
      points: route.points.map(([x, y]) => [shift(x), shift(y)] as const),
    })),
  };
}

function layOutRows(nodes: readonly Size[], width: number): GraphLayout {
  const column = nodes.reduce((most, node) => Math.max(most, node.width), 0);
  const columns = Math.max(1, Math.floor((width + ROW_GAP) / (column + ROW_GAP)));
  const boxes = nodes.map(({ id }, index) => {
    const x = (index % columns) * (column + ROW_GAP);
    const y = Math.floor(index / columns) * (NODE_HEIGHT + ROW_GAP);
    return [id, { x, y, width: column, height: NODE_HEIGHT }] as const;
  });
  const used = Math.min(columns, nodes.length);
  const rows = Math.ceil(nodes.length / columns);
  return {
    width: Math.max(0, used * (column + ROW_GAP) - ROW_GAP),
    height: Math.max(0, rows * (NODE_HEIGHT + ROW_GAP) - ROW_GAP),
    boxes: new Map(boxes),
    routes: [],
  };
}

function layOutConnected(
  nodes: readonly Size[],
  edges: readonly { readonly from: string; readonly to: string }[],
): GraphLayout {
  const ids = new Map(nodes.map(({ id }, index) => [id, index]));
  const index = (id: string) => ids.get(id) ?? 0;
  const links = edges.map(({ from, to }) => ({ from: index(from), to: index(to) }));
  const { layerOf, short, bends } = addBends(assignLayers(nodes.length, links), links);
  const layers = groupByLayer(layerOf);
  const ordered = orderLayers(layers, layerOf.length, short);
  const heights = layerOf.map((_, node) => (node < nodes.length ? NODE_HEIGHT : BEND_HEIGHT));
  const centres = placeLayers(ordered, heights, short, ROW_GAP);
  const widths = layers.map((layer) =>
    layer.reduce((most, node) => Math.max(most, nodes[node]?.width ?? 0), 0),
  );
  const lefts = widths.map((_, layer) =>
    widths.slice(0, layer).reduce((sum, each) => sum + each + LAYER_GAP, 0),
  );
  const span = (node: number) => {
    const layer = at(layerOf, node);
    return { left: at(lefts, layer), right: at(lefts, layer) + at(widths, layer), y: at(centres, node) };
  };
  const boxes = nodes.map(({ id }, node) => {
    const { left, right, y } = span(node);
    return [id, { x: left, y: y - NODE_HEIGHT / 2, width: right - left, height: NODE_HEIGHT }] as const;
  });
  const routes = edges.map(({ from, to }, edge) => {
    const [start, end] = [span(index(from)), span(index(to))];
    const through = at(bends, edge).map(span);
    return {
      from,
      to,
      points: [
        [start.right, start.y] as const,
        ...through.flatMap(({ left, right, y }) => [[left, y] as const, [right, y] as const]),
        [end.left, end.y] as const,
      ],
    };
  });
  const height = centres.reduce((most, centre, node) => Math.max(most, centre + at(heights, node) / 2), 0);
  return { width: (lefts.at(-1) ?? 0) + (widths.at(-1) ?? 0), height, boxes: new Map(boxes), routes };
}

interface Bent {
  /** The layer of each node, then of each bend. */
  readonly layerOf: readonly number[];
  /** The links from each layer to the next one. */
  readonly short: readonly Link[];
  /** The bends of each link. */
  readonly bends: readonly (readonly number[])[];
}

/** Adds a bend in each layer that an edge passes. The edges of a node share their bends. */
function addBends(nodeLayers: readonly number[], links: readonly Link[]): Bent {
  const layerOf = [...nodeLayers];
  const short: Link[] = [];
  const bends = links.map((): readonly number[] => []);
  const edgeOf = new Map(links.map((link, edge) => [link, edge]));
  for (const group of groupLinks(nodeLayers.length, links, ({ from }) => from)) {
    const chain: number[] = [];
    for (const link of group.toSorted((one, other) => at(nodeLayers, one.to) - at(nodeLayers, other.to))) {
      const passed = at(nodeLayers, link.to) - at(nodeLayers, link.from) - 1;
      if (passed < 0 || layerOf.length + passed - chain.length > nodeLayers.length + MAX_BENDS) continue;
      while (chain.length < passed) {
        layerOf.push(at(nodeLayers, link.from) + chain.length + 1);
        short.push({ from: chain.at(-1) ?? link.from, to: layerOf.length - 1 });
        chain.push(layerOf.length - 1);
      }
      bends[edgeOf.get(link) ?? 0] = chain.slice(0, passed);
      short.push({ from: chain[passed - 1] ?? link.from, to: link.to });
    }
  }
  return { layerOf, short, bends };
}

function groupByLayer(layerOf: readonly number[]): readonly (readonly number[])[] {
  const layers = Array.from(
    { length: layerOf.reduce((most, layer) => Math.max(most, layer + 1), 0) },
    (): number[] => [],
  );
  layerOf.forEach((layer, node) => {
    at(layers, layer).push(node);
  });
  return layers;
}
