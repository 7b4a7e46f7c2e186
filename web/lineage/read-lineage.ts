/** A block or test of the page; its id is the part of the address that chooses it. */
export interface PageNode {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly packageName: string;
  readonly reads: readonly string[];
  readonly details: HTMLElement;
  /** Its place in the list of all blocks and tests. */
  readonly item: HTMLElement;
  readonly link: HTMLAnchorElement;
}

export interface PageEdge {
  readonly from: string;
  readonly to: string;
}

/** The blocks and tests of the page by their ids, and the edges from what is read to what reads it. */
export interface Lineage {
  readonly nodes: ReadonlyMap<string, PageNode>;
  readonly edges: readonly PageEdge[];
}

/** Reads the graph from the list and the details, which are the page without JavaScript. */
export function readLineage(page: Document): Lineage {
  const nodes = [...page.querySelectorAll<HTMLAnchorElement>('nav a')].flatMap((link): PageNode[] => {
    const id = toId(link);
    const details = page.getElementById(id);
    const item = link.closest('li');
    if (details === null || item === null) return [];
    const reads = [...details.querySelectorAll<HTMLAnchorElement>('.reads a')].map(toId);
    const packageName = link.closest('section')?.querySelector('h2')?.textContent ?? '';
    return [{ id, name: link.textContent, kind: item.className, packageName, reads, details, item, link }];
  });
  return {
    nodes: new Map(nodes.map((node) => [node.id, node])),
    edges: nodes.flatMap(({ id, reads }) => reads.map((from) => ({ from, to: id }))),
  };
}

const toId = (link: HTMLAnchorElement) => (link.getAttribute('href') ?? '').slice(1);

/** A node with everything that it needs and everything that needs it. */
export function findRelated(id: string, edges: readonly PageEdge[]): ReadonlySet<string> {
  const needed = follow(
    id,
    Map.groupBy(edges, ({ to }) => to),
    ({ from }) => from,
  );
  const needing = follow(
    id,
    Map.groupBy(edges, ({ from }) => from),
    ({ to }) => to,
  );
  return new Set([...needed, ...needing]);
}

function follow(
  start: string,
  links: ReadonlyMap<string, readonly PageEdge[]>,
  choose: (edge: PageEdge) => string,
): ReadonlySet<string> {
  const found = new Set([start]);
  for (const id of found) for (const edge of links.get(id) ?? []) found.add(choose(edge));
  return found;
}
