import { type Box, type EdgeRoute, type GraphLayout, layOut } from './lay-out.ts';
import type { Lineage, PageNode } from './read-lineage.ts';

/** A drawn graph: where its nodes are, and their elements. */
export interface Drawing {
  readonly svg: SVGSVGElement;
  readonly layout: GraphLayout;
  readonly links: ReadonlyMap<string, SVGAElement>;
  /** Marks a node and its edges as chosen; null marks none. */
  mark(id: string | null): void;
}

const SVG = 'http://www.w3.org/2000/svg';
const MIN_WIDTH = 96;
const MAX_WIDTH = 240;
/** Between the border of a node and its text. */
const PADDING = 16;
const NAME_FONT = '600 14px system-ui, sans-serif';
const NOTE_FONT = '12px system-ui, sans-serif';
/** Characters at the end of a shortened text: names often differ there. */
const TAIL = 7;
/** How far the sides of a test point outwards. */
const POINT = 10;

/** Draws some of the nodes with the edges between them. */
export function drawGraph({ nodes, edges }: Lineage, shown: ReadonlySet<string>): Drawing {
  const shorten = createShortener();
  const hasPackages = new Set([...nodes.values()].map(({ packageName }) => packageName)).size > 1;
  const labels = [...nodes.values()]
    .filter(({ id }) => shown.has(id))
    .map((node) => {
      const note = hasPackages ? `${node.kind} · ${node.packageName.split('/').at(-1)}` : node.kind;
      return { node, name: shorten(node.name, NAME_FONT), note: shorten(note, NOTE_FONT) };
    });
  const layout = layOut(
    labels.map(({ node, name, note }) => {
      const width = Math.max(name.width, note.width) + 2 * PADDING;
      return { id: node.id, width: Math.max(MIN_WIDTH, Math.ceil(width)) };
    }),
    edges.filter(({ from, to }) => shown.has(from) && shown.has(to)),
  );
  const svg = create('svg', {
    viewBox: `0 0 ${layout.width} ${layout.height}`,
    role: 'group',
    'aria-label': 'Graph of blocks and tests; the arrow keys move in it',
  });
  const paths = layout.routes.map((route) => ({ route, path: drawRoute(route) }));
  const links = new Map(
    labels.flatMap(({ node, name, note }) => {
      const box = layout.boxes.get(node.id);
      return box === undefined ? [] : [[node.id, drawNode(node, box, name.text, note.text)] as const];
    }),
  );
  svg.append(
    drawArrow('arrow'),
    drawArrow('arrow-chosen'),
    ...paths.map(({ path }) => path),
    ...links.values(),
  );
  const mark = (id: string | null) => {
    for (const { route, path } of paths) {
      const isChosen = id !== null && (route.from === id || route.to === id);
      path.classList.toggle('chosen', isChosen);
      path.setAttribute('marker-end', isChosen ? 'url(#arrow-chosen)' : 'url(#arrow)');
    }
    for (const [key, link] of links) {
      link.classList.toggle('chosen', key === id);
      if (key === id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  return { svg, layout, links, mark };
}

/** A function that shortens a text to the widest node, and measures it in pixels. */
function createShortener() {
  const context = document.createElement('canvas').getContext('2d');
  const measure = (text: string, font: string) => {
    if (context === null) return text.length * 8;
    context.font = font;
    return context.measureText(text).width;
  };
  return (text: string, font: string): { readonly text: string; readonly width: number } => {
    const most = MAX_WIDTH - 2 * PADDING;
    const width = measure(text, font);
    if (width <= most) return { text, width };
    const characters = [...text];
    const tail = characters.slice(-TAIL).join('');
    const cut = (count: number) => `${characters.slice(0, count).join('')}…${tail}`;
    let [fits, exceeds] = [0, characters.length];
    while (exceeds - fits > 1) {
      const middle = (fits + exceeds) >> 1;
      if (measure(cut(middle), font) <= most) fits = middle;
      else exceeds = middle;
    }
    return { text: cut(fits), width: most };
  };
}

function drawNode(node: PageNode, box: Box, name: string, note: string): SVGAElement {
  const link = create('a', {
    href: `#${node.id}`,
    class: node.kind,
    tabindex: '-1',
  });
  const title = create('title', {});
  title.textContent = `${node.name} ${node.kind} · ${node.packageName}`;
  const middle = box.y + box.height / 2;
  link.append(
    title,
    ...drawShape(node.kind, box),
    drawText('name', box.x + PADDING, middle - 4, name),
    drawText('note', box.x + PADDING, middle + 13, note),
  );
  return link;
}

/** A test is a hexagon, a target has a bar and sharp corners, another block is round. */
function drawShape(kind: string, { x, y, width, height }: Box): readonly SVGElement[] {
  const [right, bottom] = [x + width, y + height];
  if (kind === 'test') {
    const middle = y + height / 2;
    const corners = [
      [x, middle],
      [x + POINT, y],
      [right - POINT, y],
      [right, middle],
      [right - POINT, bottom],
      [x + POINT, bottom],
    ];
    return [
      create('polygon', { class: 'shape', points: corners.map((corner) => corner.join(',')).join(' ') }),
    ];
  }
  const size = { x, y, width, height };
  if (kind !== 'target') return [create('rect', { class: 'shape', ...size, rx: height / 2.5 })];
  return [create('rect', { class: 'shape', ...size }), create('rect', { class: 'bar', ...size, width: 6 })];
}

function drawText(name: string, x: number, y: number, text: string): SVGElement {
  const element = create('text', { class: name, x, y, 'aria-hidden': 'true' });
  element.textContent = text;
  return element;
}

/** A curve between layers, and a line through each layer. */
function drawRoute({ points }: EdgeRoute): SVGElement {
  const [[x, y] = [0, 0], ...others] = points;
  let last = [x, y] as const;
  let path = `M${x} ${y}`;
  others.forEach((point, index) => {
    const middle = (last[0] + point[0]) / 2;
    const curve = `C${middle} ${last[1]} ${middle} ${point[1]} ${point[0]} ${point[1]}`;
    path += index % 2 === 0 ? curve : `H${point[0]}`;
    last = point;
  });
  return create('path', { class: 'edge', d: path });
}

function drawArrow(id: string): SVGElement {
  const marker = create('marker', {
    id,
    viewBox: '0 0 8 8',
    refX: 8,
    refY: 4,
    markerWidth: 8,
    markerHeight: 8,
    markerUnits: 'userSpaceOnUse',
    orient: 'auto',
  });
  marker.append(create('path', { d: 'M0 0 8 4 0 8Z' }));
  return marker;
}

function create<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
