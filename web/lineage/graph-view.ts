import { type Drawing, drawGraph } from './draw-graph.ts';
import { findNeighbour } from './find-neighbour.ts';
import { get } from './get-element.ts';
import { findRelated, type Lineage } from './read-lineage.ts';

/** With more nodes, the graph starts with what the chosen one needs and what needs it. */
const MAX_AT_START = 60;
const ZOOM_STEP = 1.25;
const MIN_ZOOM = 0.05;
const MAX_ZOOM = 3;
/** The least zoom that the page chooses: texts stay readable. */
const MIN_READABLE = 0.8;

/** The graph of the page, with its controls. */
export class GraphView {
  readonly #lineage: Lineage;
  readonly #canvas = get('canvas', HTMLElement);
  readonly #related = get('related', HTMLInputElement);
  readonly #tests = get('tests', HTMLInputElement);
  readonly #count = get('drawn', HTMLOutputElement);
  #chosen: string | null = null;
  #zoom = 1;
  #hasZoomed = false;
  /** The ids of the drawn nodes. */
  #shown = '';
  #drawing: Drawing | null = null;

  constructor(lineage: Lineage) {
    this.#lineage = lineage;
    this.#related.checked = lineage.nodes.size > MAX_AT_START;
    for (const box of [this.#related, this.#tests])
      box.addEventListener('change', () => this.show(this.#chosen));
    new ResizeObserver(() => this.#adapt()).observe(this.#canvas);
    this.#canvas.addEventListener('keydown', (event) => this.#move(event));
    this.#canvas.addEventListener('pointerdown', (event) => this.#pan(event));
    for (const button of get('zoom', HTMLElement).querySelectorAll('button')) {
      button.addEventListener('click', () => this.#change(button.dataset.zoom));
    }
  }

  /** Draws the graph if other nodes are in it now, and scrolls to the chosen one. */
  show(chosen: string | null): void {
    this.#chosen = chosen;
    const shown = this.#listShown();
    const key = [...shown].join(' ');
    if (this.#drawing === null || key !== this.#shown) this.#draw(shown);
    this.#shown = key;
    this.#drawing?.mark(chosen);
    this.#setTabStop(chosen);
    this.#scrollTo(chosen);
    const all = this.#lineage.nodes.size;
    this.#count.value = shown.size === 0 ? '' : `${shown.size} of ${all} drawn`;
  }

  #listShown(): ReadonlySet<string> {
    const { nodes, edges } = this.#lineage;
    const chosen = this.#chosen;
    if (this.#related.checked && chosen === null) return new Set();
    const near = this.#related.checked && chosen !== null ? findRelated(chosen, edges) : null;
    const shown = [...nodes.values()].filter(
      ({ id, kind }) => (near?.has(id) ?? true) && (this.#tests.checked || kind !== 'test' || id === chosen),
    );
    return new Set(shown.map(({ id }) => id));
  }

  #draw(shown: ReadonlySet<string>): void {
    if (shown.size === 0) {
      this.#drawing = null;
      this.#canvas.replaceChildren();
      return;
    }
    this.#drawing = drawGraph(this.#lineage, shown);
    this.#canvas.replaceChildren(this.#drawing.svg);
    this.#canvas.scrollTo(0, 0);
    this.#adapt();
  }

  /** Adapts the zoom to the size of the canvas, unless the reader has chosen one. */
  #adapt(): void {
    if (this.#drawing === null) return;
    if (!this.#hasZoomed) this.#zoom = Math.max(MIN_READABLE, this.#fit(this.#drawing));
    this.#applyZoom();
    this.#scrollTo(this.#chosen);
  }

  /** The zoom with which everything is visible, at most the natural size. */
  #fit({ layout }: Drawing): number {
    const { clientWidth, clientHeight } = this.#canvas;
    return Math.min(1, clientWidth / layout.width, clientHeight / layout.height);
  }

  /** Only one node is a tab stop: the chosen one, else the first one. */
  #setTabStop(id: string | null): void {
    const links = this.#drawing?.links ?? new Map<string, SVGAElement>();
    const stop = (id === null ? undefined : links.get(id)) ?? [...links.values()][0];
    for (const link of links.values()) link.setAttribute('tabindex', link === stop ? '0' : '-1');
  }

  #move(event: KeyboardEvent): void {
    if (this.#drawing === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const { links, layout } = this.#drawing;
    const from = [...links].find(([, link]) => link === document.activeElement)?.[0];
    const to = from === undefined ? null : findNeighbour(layout, from, event.key);
    if (to === null) return;
    event.preventDefault();
    this.#setTabStop(to);
    links.get(to)?.focus({ preventScroll: true });
    this.#scrollTo(to);
  }

  /** Moves the graph with the mouse, from a place between nodes; a finger scrolls anyway. */
  #pan({ target, pointerId, pointerType, button, clientX, clientY }: PointerEvent): void {
    const canvas = this.#canvas;
    const { scrollLeft, scrollTop } = canvas;
    const { left, top } = canvas.getBoundingClientRect();
    const isOnScrollbar = clientX >= left + canvas.clientWidth || clientY >= top + canvas.clientHeight;
    const isOnNode = target instanceof Element && target.closest('a') !== null;
    if (pointerType !== 'mouse' || button !== 0 || isOnScrollbar || isOnNode) return;
    const moves = new AbortController();
    const options = { signal: moves.signal };
    canvas.setPointerCapture(pointerId);
    const move = (to: PointerEvent) =>
      canvas.scrollTo(scrollLeft + clientX - to.clientX, scrollTop + clientY - to.clientY);
    canvas.addEventListener('pointermove', move, options);
    canvas.addEventListener('lostpointercapture', () => moves.abort(), options);
  }

  #change(zoom: string | undefined): void {
    if (this.#drawing === null) return;
    this.#hasZoomed = true;
    const fit = this.#fit(this.#drawing);
    const next = { in: this.#zoom * ZOOM_STEP, out: this.#zoom / ZOOM_STEP, fit };
    const wanted = next[zoom as keyof typeof next];
    this.#zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, wanted));
    this.#applyZoom();
    this.#scrollTo(this.#chosen);
  }

  #applyZoom(): void {
    if (this.#drawing === null) return;
    const { svg, layout } = this.#drawing;
    svg.setAttribute('width', String(layout.width * this.#zoom));
    svg.setAttribute('height', String(layout.height * this.#zoom));
  }

  /** Scrolls a node to the middle, only inside the graph: the page does not move. */
  #scrollTo(id: string | null): void {
    const box = id === null ? undefined : this.#drawing?.layout.boxes.get(id);
    if (box === undefined) return;
    const { clientWidth, clientHeight } = this.#canvas;
    this.#canvas.scrollTo(
      (box.x + box.width / 2) * this.#zoom - clientWidth / 2,
      (box.y + box.height / 2) * this.#zoom - clientHeight / 2,
    );
  }
}
